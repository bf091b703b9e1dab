-- Which tables lose their rows by age, apart from how: a further table replaces this list only.

create function expiring_tables() returns table (name text, instant text, kept_for interval)
  language sql immutable set search_path = public, pg_temp
as $$
  values ('idempotency_keys', 'created_at', interval '1 day'),
         ('contact_import_changes', 'imported_at', interval '1 day'),
         ('received_reports', 'received_at', interval '365 days'),
         ('auth_sessions', 'expires_at', interval '0'),
         ('auth_verifications', 'expires_at', interval '0'),
         ('auth_email_changes', 'expires_at', interval '0'),
         ('request_counts', 'expires_at', interval '0')
$$;
revoke all on function expiring_tables from public;

create or replace function delete_expired(source text, before timestamptz, batch integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  instant text;
  youngest timestamptz;
  gone integer;
begin
  select t.instant, now() - t.kept_for into instant, youngest from expiring_tables() t where t.name = source;
  if instant is null then
    raise exception '% is not deleted by age', source;
  end if;
  execute format('delete from %I where ctid = any (array(select ctid from %I where %I < $1 limit $2))', source, source, instant)
    using least(before, youngest), batch;
  get diagnostics gone = row_count;
  return gone;
end
$$;
