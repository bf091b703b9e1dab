-- Columns and a table whose names say what they store.

alter table webhooks rename column told_at to owners_notified_at;
alter table webhooks rename column held_until to backoff_until;
alter table calendar_sources rename column told_at to owners_notified_at;
alter table auth_sessions rename column confirmed_at to reauthenticated_at;
alter table auth_confirmation_codes rename to auth_reauthentication_codes;

-- Constraints are named after their table and column. PostgreSQL 18 names those of `not null` as well.
alter table auth_reauthentication_codes rename constraint auth_confirmation_codes_pkey to auth_reauthentication_codes_pkey;
alter table auth_reauthentication_codes
  rename constraint auth_confirmation_codes_session_id_fkey to auth_reauthentication_codes_session_id_fkey;
do $$
declare
  found record;
begin
  for found in
    select c.relname as table_name, k.conname as name, format('%s_%s_not_null', c.relname, a.attname) as plain_name
      from pg_constraint k
      join pg_class c on c.oid = k.conrelid
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
     where k.contype = 'n' and k.conrelid in ('auth_reauthentication_codes'::regclass, 'hook_calls'::regclass)
  loop
    continue when found.name = found.plain_name;
    execute format('alter table %I rename constraint %I to %I', found.table_name, found.name, found.plain_name);
  end loop;
end
$$;
