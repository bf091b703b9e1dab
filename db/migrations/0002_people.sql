-- People, how they sign in, and the announcements of access that ends.
--
-- The channel `cuebird_access` tells every process what to forget and which streams to close. Triggers send it, so that it is
-- sent whoever ends the access: a request, a sweep, or an administrator in SQL.

--------------------------------------------------------------------------------------------------------------- profiles

create table profiles (
  id uuid primary key default uuidv7(),
  email text not null check (email = lower(email)),
  email_verified boolean not null default false,
  full_name text not null default '',
  avatar_url text,
  is_system_admin boolean not null default false,
  is_demo boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  two_factor_enabled boolean not null default false,
  -- The zone of their new reminders, as IANA names it; null for the browser's.
  time_zone text check (char_length(time_zone) between 1 and 64),
  -- Which mails they want as the owner of a workspace.
  notify_missed boolean not null default true,
  notify_over_plan boolean not null default true,
  suspended_at timestamptz,
  suspended_by uuid references profiles on delete set null,
  second_factor_asked_at timestamptz,
  trial_ends_at timestamptz,
  demo_until timestamptz,
  unique (email),
  -- The demo account's link is printed on a terminal; it must never open the whole installation.
  check (not (is_demo and is_system_admin)),
  check (demo_until is null or is_demo)
);
comment on table profiles is 'A person. The policy that shows it to members stands below workspace_members.';
comment on column profiles.suspended_at is 'Since when an administrator of the installation keeps the person out; null for everybody else.';
comment on column profiles.second_factor_asked_at is 'Since when an administrator is asked for a second factor: since becoming one, or since the setting was last turned on.';
comment on column profiles.trial_ends_at is 'When the trial ends that began with the first workspace of the person; null before it.';
comment on column profiles.demo_until is 'When the demo of this visitor ends, with the account; null for everybody else.';
create index profiles_by_age on profiles (created_at desc, id desc);
create index profiles_by_text on profiles using gin (parts_of(folded(full_name || ' ' || email), '{1, 2, 3}'));
create index on profiles (id) where is_system_admin;
create index on profiles (suspended_by) where suspended_by is not null;
create index on profiles (demo_until) where demo_until is not null;
alter table profiles enable row level security, force row level security;
create policy auth_all on profiles to cuebird_auth using (true) with check (true);
create policy engine_read on profiles for select to cuebird_engine using (true);
create policy find_owners on profiles for select to current_user using (true);
create policy owner_begins_trial on profiles for update to current_user using (trial_ends_at is null) with check (trial_ends_at is not null);
create policy owner_ends_demo on profiles for delete to current_user using (demo_until < now());
-- Everybody changes and deletes themselves only, and the demo's account stays as it is.
create policy app_update_own on profiles for update to cuebird_app using (id = current_user_id() and not is_demo)
  with check (id = current_user_id());
create policy app_delete_own on profiles for delete to cuebird_app using (id = current_user_id() and not is_demo);
grant select, insert, update, delete on profiles to cuebird_auth;
grant select on profiles to cuebird_engine;
grant select (id, email, full_name, avatar_url, is_system_admin, is_demo, created_at, time_zone, notify_missed, notify_over_plan,
              trial_ends_at, demo_until) on profiles to cuebird_app;
grant update (full_name, avatar_url, updated_at, time_zone, notify_missed, notify_over_plan) on profiles to cuebird_app;
grant delete on profiles to cuebird_app;

create function announce_changed_person() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  perform pg_notify('cuebird_access', json_build_object('person', new.id)::text);
  return null;
end
$$;
create trigger announce_changed_person
  after update of email, full_name, is_system_admin, is_demo, email_verified, suspended_at, two_factor_enabled, second_factor_asked_at
  on profiles for each row
  when ((old.email, old.full_name, old.is_system_admin, old.is_demo, old.email_verified, old.suspended_at, old.two_factor_enabled, old.second_factor_asked_at)
    is distinct from (new.email, new.full_name, new.is_system_admin, new.is_demo, new.email_verified, new.suspended_at, new.two_factor_enabled, new.second_factor_asked_at))
  execute function announce_changed_person();

-- Administrators of the installation are asked for a second factor; a week later their rights wait until they have one.
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

---------------------------------------------------------------------------------------------------------------- sign-in

create table auth_sessions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references profiles on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A session without it is none, where the person has a second factor.
  second_factor_at timestamptz,
  -- Null: at its beginning.
  confirmed_at timestamptz
);
comment on table auth_sessions is 'A browser that is signed in.';
create index on auth_sessions (user_id);
create index auth_sessions_by_expiry on auth_sessions (expires_at);
alter table auth_sessions enable row level security, force row level security;
create policy auth_all on auth_sessions to cuebird_auth using (true) with check (true);
create policy owner_deletes on auth_sessions for delete to current_user using (expires_at < now());
-- Sign-in changes sessions and how people sign in, never whose they are.
grant select, insert, delete on auth_sessions to cuebird_auth;
grant update (token, expires_at, ip_address, user_agent, updated_at, second_factor_at, confirmed_at) on auth_sessions to cuebird_auth;

create function announce_ended_sessions() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  perform pg_notify('cuebird_access', json_build_object('session', id)::text) from gone;
  return null;
end
$$;
create trigger announce_ended_sessions after delete on auth_sessions
  referencing old table as gone for each statement execute function announce_ended_sessions();

create table auth_accounts (
  id uuid primary key default uuidv7(),
  user_id uuid not null references profiles on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
comment on table auth_accounts is 'A way in which a person signs in: a password (its hash), or an account elsewhere.';
create index on auth_accounts (user_id);
alter table auth_accounts enable row level security, force row level security;
create policy auth_all on auth_accounts to cuebird_auth using (true) with check (true);
grant select, insert, delete on auth_accounts to cuebird_auth;
grant update (account_id, provider_id, access_token, refresh_token, id_token, access_token_expires_at, refresh_token_expires_at, scope,
              password, updated_at) on auth_accounts to cuebird_auth;

create table auth_verifications (
  id uuid primary key default uuidv7(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table auth_verifications is 'A link or code that was mailed and is not used yet. The value of a reset link is its person; others hold JSON.';
create index on auth_verifications (identifier);
create index auth_verifications_by_expiry on auth_verifications (expires_at);
-- A btree entry holds 2,704 bytes at the most, and a value may be longer.
create index auth_verifications_by_value on auth_verifications using hash (value);
alter table auth_verifications enable row level security, force row level security;
create policy auth_all on auth_verifications to cuebird_auth using (true) with check (true);
create policy owner_deletes on auth_verifications for delete to current_user using (expires_at < now());
grant select, insert, update, delete on auth_verifications to cuebird_auth;

create table auth_email_changes (
  -- One per person: a later one replaces it.
  user_id uuid primary key references profiles on delete cascade,
  email text not null check (email = lower(email) and char_length(email) between 3 and 320),
  token_hash text not null unique,
  expires_at timestamptz not null
);
comment on table auth_email_changes is 'An address that a person wants to sign in with, and that is not confirmed yet.';
create index auth_email_changes_by_expiry on auth_email_changes (expires_at);
alter table auth_email_changes enable row level security, force row level security;
create policy auth_all on auth_email_changes to cuebird_auth using (true) with check (true);
create policy owner_deletes on auth_email_changes for delete to current_user using (expires_at < now());
grant select, insert, update, delete on auth_email_changes to cuebird_auth;

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
create policy owner_reseals on auth_two_factors for update to current_user using (true);
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

------------------------------------------------------------------------------------------------------- access that ends

-- Ends every session of the person but the kept one, and voids the links that were mailed to them and the change of address that waits.
create function revoke_access(person uuid, kept_session uuid default null) returns void
  language plpgsql set search_path = public, pg_temp
as $$
begin
  -- A session that is being made locks this row by its foreign key: it is committed before this goes on, and deleted below,
  -- or it waits for this to commit.
  perform from profiles where id = person for update;
  delete from auth_sessions where user_id = person and id is distinct from kept_session;
  delete from auth_verifications where value = person::text;
  delete from auth_email_changes where user_id = person;
  perform end_push_without_session(person);
end
$$;
revoke all on function revoke_access from public;
grant execute on function revoke_access to cuebird_auth;

-- Whoever sets a password, by whatever path. Only the session in which the person changes it goes on: it is named for one transaction. A
-- sign-in that stores a hash of today's costs for the password that was given signs nobody out: sign-in's own role names that as well.
create function revoke_access_of_old_password() returns trigger
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
create trigger password_set after insert on auth_accounts for each row
  when (new.password is not null) execute function revoke_access_of_old_password();
create trigger password_changed after update of password on auth_accounts for each row
  when (old.password is distinct from new.password) execute function revoke_access_of_old_password();

-- The session in which a second factor is turned on has just passed it, and goes on. A session that passed an earlier one did not. Once it
-- is turned off, nobody gets in who has waited for a code.
create function two_factor_turned() returns trigger
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
create trigger two_factor_turned after update of two_factor_enabled on profiles for each row
  when (old.two_factor_enabled is distinct from new.two_factor_enabled) execute function two_factor_turned();

-- Deleted sessions are announced (`announce_ended_sessions`): every process forgets them and closes their streams.
create function end_sessions_of_suspended() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  perform revoke_access(new.id);
  return null;
end
$$;
create trigger end_sessions_of_suspended after update of suspended_at on profiles for each row
  when (old.suspended_at is null and new.suspended_at is not null) execute function end_sessions_of_suspended();

-- Every way of signing in makes a session, so this refuses all of them. The code is read by sign-in.
create function refuse_session_of_suspended() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
declare
  since timestamptz;
begin
  select suspended_at into since from profiles where id = new.user_id for key share;
  if since is not null then
    raise exception 'the person is suspended' using errcode = 'CB001';
  end if;
  return new;
end
$$;
create trigger refuse_session_of_suspended before insert on auth_sessions for each row
  execute function refuse_session_of_suspended();

---------------------------------------------------------------------------------------- administrators by their address

-- Addresses of the configuration (ADMIN_EMAILS), kept in `app_settings`: whoever has confirmed one is an administrator from then on, on
-- whatever path it was confirmed.
create function is_listed_administrator(address text) returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$
  select exists (select from app_settings where key = 'admin_emails' and value ? address)
$$;
revoke all on function is_listed_administrator from public;
grant execute on function is_listed_administrator to cuebird_auth;

create function make_listed_administrator() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  new.is_system_admin := true;
  insert into audit_log (workspace_id, actor_kind, action, target, details)
  values (null, 'system', 'admin.administrator_made', new.id::text, jsonb_build_object('email', new.email, 'by', 'ADMIN_EMAILS'));
  return new;
end
$$;
revoke all on function make_listed_administrator from public;
create trigger listed_administrator_created before insert on profiles for each row
  when (new.email_verified and not new.is_demo and not new.is_system_admin and is_listed_administrator(new.email))
  execute function make_listed_administrator();
create trigger listed_administrator_verified before update of email, email_verified on profiles for each row
  when (new.email_verified and not new.is_demo and not new.is_system_admin and new.suspended_at is null
        and is_listed_administrator(new.email))
  execute function make_listed_administrator();
