-- Administrators of the installation are asked for a second factor; a week later their rights wait until they have one.

alter table profiles add column second_factor_asked_at timestamptz;
comment on column profiles.second_factor_asked_at is 'Since when an administrator is asked for a second factor: since becoming one, or since the setting was last turned on.';

-- The owner is bound by the policies as well, and none of them lets it change a row.
alter table profiles no force row level security;
update profiles set second_factor_asked_at = now() where is_system_admin;
alter table profiles force row level security;

create function ask_for_second_factor() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  new.second_factor_asked_at := now();
  return new;
end
$$;
create trigger ask_new_administrator before update of is_system_admin on profiles for each row
  when (new.is_system_admin and not old.is_system_admin) execute function ask_for_second_factor();
create trigger ask_first_administrator before insert on profiles for each row
  when (new.is_system_admin) execute function ask_for_second_factor();

drop trigger announce_changed_person on profiles;
create trigger announce_changed_person
  after update of email, full_name, is_system_admin, is_demo, email_verified, suspended_at, two_factor_enabled, second_factor_asked_at
  on profiles for each row
  when ((old.email, old.full_name, old.is_system_admin, old.is_demo, old.email_verified, old.suspended_at, old.two_factor_enabled, old.second_factor_asked_at)
    is distinct from (new.email, new.full_name, new.is_system_admin, new.is_demo, new.email_verified, new.suspended_at, new.two_factor_enabled, new.second_factor_asked_at))
  execute function announce_changed_person();
