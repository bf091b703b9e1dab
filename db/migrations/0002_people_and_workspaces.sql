-- People, how they sign in, the workspaces that they belong to, and the announcements of access that ends.
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
  unique (email),
  -- The demo account's link is printed on a terminal; it must never open the whole installation.
  check (not (is_demo and is_system_admin))
);
comment on table profiles is 'A person. The policy that shows it to members stands below workspace_members.';
alter table profiles enable row level security, force row level security;
create policy auth_all on profiles to cuebird_auth using (true) with check (true);
create policy engine_read on profiles for select to cuebird_engine using (true);
create policy find_owners on profiles for select to current_user using (true);
grant select, insert, update, delete on profiles to cuebird_auth;
grant select on profiles to cuebird_engine;
grant select (id, email, full_name, avatar_url, created_at, is_system_admin, is_demo) on profiles to cuebird_app;

create function announce_changed_person() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  perform pg_notify('cuebird_access', json_build_object('person', new.id)::text);
  return null;
end
$$;
create trigger announce_changed_person after update of email, full_name, is_system_admin, is_demo on profiles for each row
  when ((old.email, old.full_name, old.is_system_admin, old.is_demo) is distinct from (new.email, new.full_name, new.is_system_admin, new.is_demo))
  execute function announce_changed_person();

---------------------------------------------------------------------------------------------------------------- sign-in

create table auth_sessions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references profiles on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table auth_sessions is 'A browser that is signed in.';
create index on auth_sessions (user_id);
create index auth_sessions_by_expiry on auth_sessions (expires_at);
alter table auth_sessions enable row level security, force row level security;
create policy auth_all on auth_sessions to cuebird_auth using (true) with check (true);
create policy owner_deletes on auth_sessions for delete to current_user using (expires_at < now());
grant select, insert, update, delete on auth_sessions to cuebird_auth;

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
grant select, insert, update, delete on auth_accounts to cuebird_auth;

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

-- Whoever sets a password, by whatever path: every session of the person and every other reset link ends with the old one.
create function revoke_access_of_old_password() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  -- A session that is being made locks this row by its foreign key: it is committed before this goes on, and deleted below,
  -- or it waits for this to commit.
  perform from profiles where id = new.user_id for update;
  delete from auth_sessions where user_id = new.user_id;
  delete from auth_verifications where value = new.user_id::text;
  return null;
end
$$;
create trigger password_set after insert on auth_accounts for each row
  when (new.password is not null) execute function revoke_access_of_old_password();
create trigger password_changed after update of password on auth_accounts for each row
  when (old.password is distinct from new.password) execute function revoke_access_of_old_password();

------------------------------------------------------------------------------------------------------------- workspaces

create table workspaces (
  id uuid primary key default uuidv7(),
  name text not null check (btrim(name) <> ''),
  slug text not null unique,
  description text not null default '',
  avatar_url text,
  settings jsonb not null default '{}',
  subscription_status text not null default 'active',
  subscription_tier text not null default 'free' check (subscription_tier in ('free', 'basic', 'premium', 'enterprise')),
  subscription_end_date timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table workspaces is 'The tenant: what is written in one is seen in no other.';

create table workspace_members (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  user_id uuid not null references profiles on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  joined_at timestamptz not null default now(),
  unique (workspace_id, user_id)
);
comment on table workspace_members is 'Who belongs to a workspace, and as what.';
create index on workspace_members (user_id);

alter table workspaces enable row level security, force row level security;
create policy app_workspace on workspaces to cuebird_app
  using (id = current_workspace_id()
    or exists (select from workspace_members m where m.workspace_id = workspaces.id and m.user_id = current_user_id()))
  with check (id = current_workspace_id());
create policy engine_read on workspaces for select to cuebird_engine using (true);
-- For `public_templates`.
create policy show_public on workspaces for select to current_user using (settings -> 'allowPublicTemplates' = 'true');
grant select, insert, update, delete on workspaces to cuebird_app;
grant select on workspaces to cuebird_engine;

alter table workspace_members enable row level security, force row level security;
create policy app_workspace on workspace_members to cuebird_app
  using (workspace_id = current_workspace_id() or user_id = current_user_id())
  with check (workspace_id = current_workspace_id());
create policy find_owners on workspace_members for select to current_user using (true);
grant select, insert, update, delete on workspace_members to cuebird_app;

-- A person is seen by those who share the current workspace.
create policy app_members on profiles for select to cuebird_app
  using (id = current_user_id()
    or exists (select from workspace_members m where m.user_id = profiles.id and m.workspace_id = current_workspace_id()));

create function announce_ended_memberships() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  perform pg_notify('cuebird_access', json_build_object('workspace', workspace_id, 'user', user_id)::text) from gone;
  return null;
end
$$;
create trigger announce_ended_memberships after delete on workspace_members
  referencing old table as gone for each statement execute function announce_ended_memberships();

-- The engine does not read who belongs to a workspace; whom to notify is all it may ask.
create function owners_of(workspace uuid) returns table (email text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select p.email
    from workspace_members m
    join profiles p on p.id = m.user_id
   where m.workspace_id = workspace and m.role = 'owner' and not p.is_demo
   order by m.joined_at
$$;
revoke all on function owners_of from public;
grant execute on function owners_of to cuebird_engine;
