-- A sign-in stores a hash of today's costs for the password that was given: the password is the same, so nobody is signed out. Sign-in's
-- own role names it for one transaction.
create or replace function revoke_access_of_old_password() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if tg_op = 'UPDATE' and current_setting('cuebird.same_password', true) = 'on' then
    return null;
  end if;
  perform revoke_access(new.user_id, nullif(current_setting('cuebird.kept_session', true), '')::uuid);
  return null;
end
$$;
