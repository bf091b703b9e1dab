-- What an import of contacts changed, for the day on which it can be undone.

create table contact_import_changes (
  workspace_id uuid not null references workspaces on delete cascade,
  import_id uuid not null,
  -- The contact may be gone since.
  contact_id uuid not null,
  -- The contact as it was before; null where the import added it.
  before jsonb check (octet_length(before::text) <= 2097152),
  -- What the import wrote into `contacts.updated_at`: a later one was changed since.
  imported_at timestamptz not null,
  primary key (workspace_id, import_id, contact_id)
);
comment on table contact_import_changes is 'The contacts that an import added or changed, as they were before.';
create index contact_import_changes_by_age on contact_import_changes (imported_at);
alter table contact_import_changes enable row level security, force row level security;
create policy app_workspace on contact_import_changes to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy owner_deletes on contact_import_changes for delete to current_user using (true);
grant select, insert, delete on contact_import_changes to cuebird_app;

create or replace function delete_expired(source text, before timestamptz, batch integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  instant text;
  youngest timestamptz;
  gone integer;
begin
  select r.instant, now() - r.kept_for into instant, youngest
    from (values ('idempotency_keys', 'created_at', interval '1 day'),
                 ('contact_import_changes', 'imported_at', interval '1 day'),
                 ('audit_log', 'created_at', interval '365 days'),
                 ('received_reports', 'received_at', interval '365 days'),
                 ('auth_sessions', 'expires_at', interval '0'),
                 ('auth_verifications', 'expires_at', interval '0'),
                 ('request_counts', 'expires_at', interval '0')) as r (name, instant, kept_for)
   where r.name = source;
  if instant is null then
    raise exception '% is not deleted by age', source;
  end if;
  execute format('delete from %I where ctid = any (array(select ctid from %I where %I < $1 limit $2))', source, source, instant)
    using least(before, youngest), batch;
  get diagnostics gone = row_count;
  return gone;
end
$$;
