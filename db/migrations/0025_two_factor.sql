-- A second factor for sign-in, and when a session last proved who uses it.

alter table profiles add column two_factor_enabled boolean not null default false;

alter table auth_sessions
  -- A session without it is none, where the person has a second factor.
  add column second_factor_at timestamptz,
  -- Null: at its beginning.
  add column confirmed_at timestamptz;

create table auth_two_factors (
  id uuid primary key default uuidv7(),
  user_id uuid not null unique references profiles on delete cascade,
  -- Both are encrypted by better-auth.
  secret text not null,
  backup_codes text not null,
  -- Not before the first right code: until then the person has scanned nothing.
  verified boolean not null default false,
  failed_verification_count integer not null default 0,
  locked_until timestamptz,
  -- The 30 seconds of the last accepted code, counted from 1970 (RFC 6238): neither it nor an earlier one counts again.
  last_step bigint
);
comment on table auth_two_factors is 'The authenticator app of a person, and the recovery codes that are left.';
alter table auth_two_factors enable row level security, force row level security;
create policy auth_all on auth_two_factors to cuebird_auth using (true) with check (true);
grant select, insert, update, delete on auth_two_factors to cuebird_auth;

create table auth_confirmation_codes (
  session_id uuid primary key references auth_sessions on delete cascade,
  code_hash text not null,
  expires_at timestamptz not null
);
comment on table auth_confirmation_codes is 'The code that was mailed to confirm who uses a session; the newest one counts.';
alter table auth_confirmation_codes enable row level security, force row level security;
create policy auth_all on auth_confirmation_codes to cuebird_auth using (true) with check (true);
grant select, insert, update, delete on auth_confirmation_codes to cuebird_auth;

-- Whoever turns it on: every session that began without it ends. Off: nobody gets in who has waited for a code.
create function two_factor_turned() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if new.two_factor_enabled then
    delete from auth_sessions where user_id = new.id;
  else
    delete from auth_sessions where user_id = new.id and second_factor_at is null;
    delete from auth_two_factors where user_id = new.id;
  end if;
  return null;
end
$$;
create trigger two_factor_turned after update of two_factor_enabled on profiles for each row
  when (old.two_factor_enabled is distinct from new.two_factor_enabled) execute function two_factor_turned();
