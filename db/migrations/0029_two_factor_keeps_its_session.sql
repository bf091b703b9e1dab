-- The session in which a second factor is turned on has just passed it, and goes on. A session that passed an earlier one did not.

create or replace function two_factor_turned() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  delete from auth_sessions where user_id = new.id and second_factor_at is null;
  if not new.two_factor_enabled then
    update auth_sessions set second_factor_at = null where user_id = new.id;
    delete from auth_two_factors where user_id = new.id;
  end if;
  return null;
end
$$;
