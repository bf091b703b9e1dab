-- Workspaces, who belongs to them and who is invited, pictures, trials and demos.

------------------------------------------------------------------------------------------------------------- workspaces

create table workspaces (
  id uuid primary key default uuidv7(),
  name text not null check (btrim(name) <> ''),
  slug text not null unique,
  description text not null default '',
  avatar_url text,
  settings jsonb not null default '{}',
  -- The plan has its default until whoever runs the installation sets it, or it is paid for.
  subscription_status text not null default 'active',
  subscription_tier text not null default 'free' check (subscription_tier in ('free', 'basic', 'premium', 'enterprise')),
  subscription_end_date timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When the last pause of all reminders ends or has ended. Reminders keep their status: what comes due before this is not sent.
  reminders_paused_until timestamptz,
  -- What messages and pages for recipients call the sender.
  company_name text not null generated always as (coalesce(nullif(btrim(settings ->> 'companyName'), ''), name)) stored,
  -- From when on its data is deleted; null unless an owner has deleted it. Until then nothing of it is sent, and an owner can restore it.
  delete_after timestamptz,
  suspended_at timestamptz,
  trial_ends_at timestamptz not null,
  plan_ends_at timestamptz,
  demo_until timestamptz,
  plan_order_until timestamptz
);
comment on table workspaces is 'The tenant: what is written in one is seen in no other.';
comment on column workspaces.suspended_at is 'Since when an administrator of the installation stops it: nothing of it is sent, and its requests are refused.';
comment on column workspaces.trial_ends_at is 'Until when it has everything: the end of the trial of whoever created it.';
comment on column workspaces.plan_ends_at is 'From when on it is Free: a payment stays due, or its subscription was cancelled. Null while its plan goes on.';
comment on column workspaces.demo_until is 'When the demo ends, with its data; null unless a visitor of the demo created it. It sends into the sandbox only.';
comment on column workspaces.plan_order_until is 'While a page is made on which a plan can be paid; past or null when none is. Only one can be paid at a time.';
create index workspaces_by_age on workspaces (created_at desc, id desc);
create index workspaces_by_text on workspaces using gin (parts_of(folded(name || ' ' || description), '{1, 2, 3}'));
create index workspaces_to_delete on workspaces (delete_after) where delete_after is not null;
-- Each claim leaves these out.
create index workspaces_closed on workspaces (id) where delete_after is not null or suspended_at is not null;
create index workspaces_by_plan_end on workspaces (plan_ends_at) where plan_ends_at is not null;
create index on workspaces (demo_until) where demo_until is not null;

create table workspace_members (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  user_id uuid not null references profiles on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  joined_at timestamptz not null default now(),
  first_steps_dismissed_at timestamptz,
  unique (workspace_id, user_id)
);
comment on table workspace_members is 'Who belongs to a workspace, and as what.';
comment on column workspace_members.first_steps_dismissed_at is 'Since when the member does not want to see the first steps of the workspace; null until then.';
create index on workspace_members (user_id);

-- Whoever administers the installation: not while they are suspended.
create function is_administrator() returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$
  select exists (select from profiles where id = current_user_id() and is_system_admin and suspended_at is null)
$$;
revoke all on function is_administrator from public;
grant execute on function is_administrator to cuebird_app;

alter table workspaces enable row level security, force row level security;
create policy app_workspace on workspaces to cuebird_app
  using (id = current_workspace_id()
    or exists (select from workspace_members m where m.workspace_id = workspaces.id and m.user_id = current_user_id()))
  with check (id = current_workspace_id());
create policy engine_read on workspaces for select to cuebird_engine using (true);
create policy engine_sets_plan on workspaces for update to cuebird_engine using (true) with check (true);
-- For `is_beyond_plan`, which runs as the owner.
create policy find_plans on workspaces for select to current_user using (true);
-- For `public_templates`.
create policy show_public on workspaces for select to current_user
  using (settings -> 'allowPublicTemplates' = 'true' and delete_after is null and suspended_at is null);
create policy owner_deletes on workspaces for delete to current_user using (delete_after < now() - interval '1 hour');
create policy owner_administers on workspaces for update to current_user using (is_administrator()) with check (is_administrator());
create policy owner_ends_demo on workspaces for update to current_user using (demo_until < now()) with check (demo_until < now());
-- A request never deletes the row: `delete_workspace` does.
grant select on workspaces to cuebird_app, cuebird_engine;
grant insert (id, name, slug, description) on workspaces to cuebird_app;
grant update (name, description, avatar_url, settings, updated_at, reminders_paused_until, delete_after) on workspaces to cuebird_app;
grant update (subscription_status, subscription_tier, subscription_end_date, plan_ends_at,
              plan_order_until) on workspaces to cuebird_engine;

alter table workspace_members enable row level security, force row level security;
create policy app_workspace on workspace_members to cuebird_app
  using (workspace_id = current_workspace_id() or user_id = current_user_id())
  with check (workspace_id = current_workspace_id());
create policy find_owners on workspace_members for select to current_user using (true);
grant select, delete on workspace_members to cuebird_app;
grant insert (workspace_id, user_id, role), update (role, first_steps_dismissed_at) on workspace_members to cuebird_app;

-- A person is seen by those who share the current workspace.
create policy app_members on profiles for select to cuebird_app
  using (id = current_user_id()
    or exists (select from workspace_members m where m.user_id = profiles.id and m.workspace_id = current_workspace_id()));

---------------------------------------------------------------------------------------------------------------- members

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

-- Nobody raises their own role, whatever a request asks for. Only the transfer changes one's own, from owner to admin; and a workspace has
-- its first owner from whoever creates it.
create function refuse_own_promotion() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if tg_op = 'UPDATE' and not (old.role = 'owner' or (old.role = 'admin' and new.role = 'member') or old.role = new.role) then
    raise exception 'Nobody raises their own role' using errcode = 'insufficient_privilege';
  end if;
  if tg_op = 'INSERT' and new.role = 'owner' and exists (select from workspace_members m where m.workspace_id = new.workspace_id) then
    raise exception 'Only the first member of a workspace begins as its owner' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger own_role_not_raised before update of role on workspace_members for each row
  when (new.user_id = current_user_id()) execute function refuse_own_promotion();
create trigger owner_begins_alone before insert on workspace_members for each row
  when (new.role = 'owner' and current_user_id() is not null) execute function refuse_own_promotion();

-- The engine does not read who belongs to a workspace; whom to notify is all it may ask. Mails about missed and over-plan occurrences say
-- what a workspace does.
create function owners_of(workspace uuid) returns table (email text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select p.email
    from workspace_members m
    join profiles p on p.id = m.user_id
   where m.workspace_id = workspace and m.role = 'owner' and not p.is_demo and p.suspended_at is null
   order by m.joined_at
$$;

create function owner_ids_of(workspace uuid) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
as $$
  select m.user_id from workspace_members m where m.workspace_id = workspace and m.role = 'owner'
$$;

revoke all on function owners_of, owner_ids_of from public;
grant execute on function owners_of, owner_ids_of to cuebird_engine;

-- The workspaces of which the person is the only owner, but for those that are being deleted. It runs with the caller's rights and enters one
-- workspace after the other, as its requests do. With `locks`, nobody changes the members of any workspace of the person from here on, nor
-- makes the person the owner of one: what is returned stays true until the transaction ends. In one order for everybody, so that two owners
-- who leave at once wait for each other.
create function sole_owned_workspaces(locks boolean) returns table (id uuid, name text, other_members integer)
  language plpgsql set search_path = public, pg_temp
as $$
declare
  one uuid;
begin
  if locks then
    -- A workspace that the person is creating refers to this row.
    perform from profiles p where p.id = current_user_id() for update;
  end if;
  for one in
    select m.workspace_id from workspace_members m
     where m.user_id = current_user_id() and (locks or m.role = 'owner')
     order by m.workspace_id
  loop
    perform set_config('app.workspace_id', one::text, true);
    if locks then
      perform from workspaces w where w.id = one for no key update;
    end if;
    -- Read behind the lock: whoever had it may have made the person the owner, or have restored the workspace.
    return query
      select w.id, w.name, (count(*) - 1)::integer
        from workspaces w join workspace_members m on m.workspace_id = w.id
       where w.id = one and w.delete_after is null
       group by w.id
      having count(*) filter (where m.role = 'owner') = 1
         and bool_or(m.role = 'owner' and m.user_id = current_user_id());
  end loop;
  perform set_config('app.workspace_id', '', true);
end
$$;
revoke all on function sole_owned_workspaces from public;
grant execute on function sole_owned_workspaces to cuebird_app;

------------------------------------------------------------------------------------------------------------ invitations

create table workspace_invitations (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  -- In lower case, as the addresses of profiles.
  email text not null check (email = lower(email) and char_length(email) between 3 and 320),
  role text not null check (role in ('admin', 'member')),
  token_hash text not null unique,
  invited_by uuid references profiles on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Whoever has the link may decline it; it stays in the list for those who invited.
  declined_at timestamptz,
  unique (workspace_id, email)
);
comment on table workspace_invitations is 'Somebody who was invited and has not accepted yet.';
create index on workspace_invitations (invited_by);
create index on workspace_invitations (email);
alter table workspace_invitations enable row level security, force row level security;
create policy app_workspace on workspace_invitations to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy owner_deletes on workspace_invitations for delete to current_user
  using (not exists (select from profiles p where p.email = workspace_invitations.email));
grant select, delete on workspace_invitations to cuebird_app;
grant insert (workspace_id, email, role, token_hash, invited_by, created_at, expires_at) on workspace_invitations to cuebird_app;
grant update (role, token_hash, invited_by, created_at, expires_at, declined_at) on workspace_invitations to cuebird_app;

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

--------------------------------------------------------------------------------------------------------------- pictures

create table pictures (
  id uuid primary key default uuidv7(),
  user_id uuid unique references profiles on delete cascade,
  workspace_id uuid unique references workspaces on delete cascade,
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  -- Of the bytes: it is part of the picture's address.
  sha256 text not null check (char_length(sha256) = 64),
  bytes bytea not null check (octet_length(bytes) between 1 and 262144),
  created_at timestamptz not null default now(),
  check (num_nonnulls(user_id, workspace_id) = 1)
);
comment on table pictures is 'The picture of a person or a workspace: bytes that were checked, without whatever does not draw it.';
alter table pictures enable row level security, force row level security;
-- A person's is seen by who shares the current workspace with them, a workspace's by its members.
create policy app_read on pictures for select to cuebird_app
  using (user_id = current_user_id() or workspace_id = current_workspace_id()
    or exists (select from workspace_members m where m.user_id = pictures.user_id and m.workspace_id = current_workspace_id()));
create policy app_insert on pictures for insert to cuebird_app
  with check (user_id = current_user_id() or workspace_id = current_workspace_id());
create policy app_update on pictures for update to cuebird_app
  using (user_id = current_user_id() or workspace_id = current_workspace_id())
  with check (user_id = current_user_id() or workspace_id = current_workspace_id());
create policy app_delete on pictures for delete to cuebird_app
  using (user_id = current_user_id() or workspace_id = current_workspace_id());
grant select, insert, delete on pictures to cuebird_app;
grant update (media_type, sha256, bytes, created_at) on pictures to cuebird_app;

------------------------------------------------------------------------------------------------------------------ plans

-- A person has one trial, which begins with their first workspace.
create function begin_trial() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  -- Of two first workspaces at once the second waits here, and finds the trial begun.
  update profiles set trial_ends_at = new.created_at + interval '14 days' where id = current_user_id() and trial_ends_at is null;
  new.trial_ends_at := coalesce(
    new.trial_ends_at,
    (select p.trial_ends_at from profiles p where p.id = current_user_id()),
    new.created_at + interval '14 days');
  return new;
end
$$;
revoke all on function begin_trial from public;
create trigger begin_trial before insert on workspaces for each row execute function begin_trial();

-- Whether the plan of its owner includes other workspaces only. Premium and Enterprise of one workspace include all of its owner; else it is
-- one: a paid one before a free one, an older one before a newer one. A workspace with several owners is included for any of them.
create function is_beyond_plan(wanted uuid) returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$
  with owned as (
    select m.user_id, w.id, w.subscription_tier, w.created_at
      from workspace_members m
      join workspace_members o on o.user_id = m.user_id and o.role = 'owner'
      join workspaces w on w.id = o.workspace_id and w.delete_after is null
     where m.workspace_id = wanted and m.role = 'owner'
  ), included as (
    select bool_or(subscription_tier in ('premium', 'enterprise'))
           or (array_agg(id order by subscription_tier = 'free', created_at, id))[1] = wanted as is_included
      from owned group by user_id
  )
  select exists (select from included) and not exists (select from included where is_included)
$$;
revoke all on function is_beyond_plan from public;
grant execute on function is_beyond_plan to cuebird_app, cuebird_engine;

------------------------------------------------------------------------------------------------------------------ demos

-- Demos are entered from the landing page without an account: a person and a workspace for a day. Such a workspace sends into the
-- sandbox only. The account behind the demo link of the terminal is none of these: it stays.

-- What a visitor of the demo creates is a demo: no request says so, and none can say otherwise.
create function begin_demo() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  new.demo_until := coalesce(new.demo_until, (select p.demo_until from profiles p where p.id = current_user_id()));
  return new;
end
$$;
revoke all on function begin_demo from public;
create trigger begin_demo before insert on workspaces for each row execute function begin_demo();

-- A visitor belongs to demos only, and nobody else to a demo: neither would otherwise end with the day.
create function keep_demos_apart() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if exists (select from profiles p join workspaces w on w.id = new.workspace_id
              where p.id = new.user_id and (p.demo_until is null) <> (w.demo_until is null)) then
    raise exception 'A visitor of the demo belongs to demos only, and nobody else to a demo' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
revoke all on function keep_demos_apart from public;
create trigger keep_demos_apart before insert on workspace_members for each row execute function keep_demos_apart();
