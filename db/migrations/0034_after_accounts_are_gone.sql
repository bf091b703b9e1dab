-- What is left of accounts and workspaces that are gone, and of people who are suspended.

-- Deleting an account empties these columns: each is looked for in tables that hold much.
create index on reminders (created_by) where created_by is not null;
create index on templates (created_by) where created_by is not null;
create index on template_versions (created_by) where created_by is not null;
create index on contacts (created_by) where created_by is not null;
create index on suppressions (created_by) where created_by is not null;
create index on request_counts (user_id) where user_id is not null;

-- A change of address that nobody has confirmed in time goes like other expired links.
create policy owner_deletes on auth_email_changes for delete to current_user using (expires_at < now());
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
                 ('received_reports', 'received_at', interval '365 days'),
                 ('auth_sessions', 'expires_at', interval '0'),
                 ('auth_verifications', 'expires_at', interval '0'),
                 ('auth_email_changes', 'expires_at', interval '0'),
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

---------------------------------------------------------------------------------------------------------------- invitations

-- An invitation counts only while whoever sent it may sign in. Asked when it is looked at, so that none slips through that is being
-- sent while the suspension begins.
create function is_suspended(person uuid) returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$
  select exists (select from profiles where id = person and suspended_at is not null)
$$;
revoke all on function is_suspended from public;
grant execute on function is_suspended to cuebird_app;

-- Who has the address of a deleted account next is somebody else.
create index on workspace_invitations (email);
create policy owner_deletes on workspace_invitations for delete to current_user
  using (not exists (select from profiles p where p.email = workspace_invitations.email));
create function delete_invitations_of_deleted() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  client_address text := current_setting('app.client_address', true);
begin
  -- Without the address of who deletes the account, which the workspace need not know. Not in the function's head: only a superuser
  -- may set it there.
  perform set_config('app.client_address', '', true);
  with gone as (
    delete from workspace_invitations where email = old.email returning id, workspace_id
  )
  insert into audit_log (workspace_id, account_id, action, target, details)
  select workspace_id, old.id, 'invitation.revoked', id::text, jsonb_build_object('email', old.email) from gone;
  perform set_config('app.client_address', coalesce(client_address, ''), true);
  return null;
end
$$;
revoke all on function delete_invitations_of_deleted from public;
create trigger delete_invitations_of_deleted after delete on profiles for each row execute function delete_invitations_of_deleted();

------------------------------------------------------------------------------------------------------------------ audit log

-- Administrators of the installation read what has no reader else: acts that belong to no workspace, and those of workspaces that are
-- gone. A workspace that exists shows its log to its owners and admins only.
create function workspace_exists(workspace uuid) returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$
  select exists (select from workspaces where id = workspace)
$$;
revoke all on function workspace_exists from public;
grant execute on function workspace_exists to cuebird_app;
create policy app_administrator_reads on audit_log for select to cuebird_app
  using ((workspace_id is null or not workspace_exists(workspace_id))
    and exists (select from profiles p where p.id = current_user_id() and p.is_system_admin));
create index audit_log_of_deletions on audit_log (created_at desc, id desc) where action = 'workspace.deleted';
