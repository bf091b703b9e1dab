-- A changed password is another password: no hash of the same one is stored anew.
create or replace function revoke_access_of_old_password() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  perform revoke_access(new.user_id, nullif(current_setting('cuebird.kept_session', true), '')::uuid);
  return null;
end
$$;
