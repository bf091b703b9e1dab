-- What administrators of the installation read and do across workspaces. A request sees one workspace; these functions run as the owner,
-- each asks whether the caller is an administrator, and there is no other way. Whoever administers workspaces only gets the same answers
-- from functions that run with the caller's rights and enter one workspace after the other, as its requests do.

create function is_administrator() returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$
  select exists (select from profiles where id = current_user_id() and is_system_admin and suspended_at is null)
$$;
revoke all on function is_administrator from public;
grant execute on function is_administrator to cuebird_app;

create function assert_administrator() returns void
  language plpgsql stable set search_path = public, pg_temp
as $$
begin
  if not is_administrator() then
    raise exception 'Only system administrators may do this' using errcode = 'insufficient_privilege';
  end if;
end
$$;
revoke all on function assert_administrator from public;

-- Of the workspaces that the caller owns or administers, newest first.
create function own_administered() returns table (id uuid)
  language sql stable set search_path = public, pg_temp
as $$
  select w.id from workspaces w join workspace_members m on m.workspace_id = w.id
   where m.user_id = current_user_id() and m.role <> 'member'
   order by w.created_at desc, w.id desc
$$;
revoke all on function own_administered from public;
grant execute on function own_administered to cuebird_app;

-- Newest first.
create index profiles_by_age on profiles (created_at desc, id desc);
create index workspaces_by_age on workspaces (created_at desc, id desc);
create index on profiles (id) where is_system_admin;

------------------------------------------------------------------------------------------------- suspension of a workspace

alter table workspaces add column suspended_at timestamptz;
comment on column workspaces.suspended_at is 'Since when an administrator of the installation stops it: nothing of it is sent, and its requests are refused.';
-- Each claim leaves these out.
create index workspaces_closed on workspaces (id) where delete_after is not null or suspended_at is not null;
create policy owner_administers on workspaces for update to current_user using (is_administrator()) with check (is_administrator());
create policy owner_appends_administration on audit_log for insert to current_user
  with check (action like 'admin.%' or (is_administrator() and actor_kind = 'administrator'));

alter policy show_public on workspaces
  using (settings -> 'allowPublicTemplates' = 'true' and delete_after is null and suspended_at is null);
create or replace function public_templates(wanted uuid, pattern text, after_key text, after_id uuid, page integer)
  returns table (id uuid, name text, description text, content json, variables json, workspace_name text, sort_key text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select t.id, t.name, t.description, t.content, t.variables, w.name, folded(t.name)
    from templates t
    join workspaces w on w.id = t.workspace_id
   where t.is_public and w.settings -> 'allowPublicTemplates' = 'true' and w.delete_after is null and w.suspended_at is null
     and (wanted is null or t.id = wanted)
     and (pattern is null or folded(t.name || ' ' || t.description) like folded(pattern))
     and (after_key is null or (folded(t.name), t.id) > (after_key, after_id))
   order by folded(t.name), t.id
   limit least(page, 201)
$$;

-- What an administrator did to a workspace: once in the installation's log with the name, and once in the workspace's, which learns neither
-- who it was nor from where.
create function record_administration(workspace uuid, name text, action text, own_action text, at timestamptz) returns void
  language plpgsql set search_path = public, pg_temp
as $$
declare
  client_address text := current_setting('app.client_address', true);
begin
  insert into audit_log (workspace_id, actor_id, action, target, details, created_at)
  values (null, current_user_id(), action, workspace::text, jsonb_build_object('name', name), at);
  perform set_config('app.client_address', '', true);
  insert into audit_log (workspace_id, actor_kind, action, target, details, created_at)
  values (workspace, 'administrator', own_action, workspace::text, '{}', at);
  perform set_config('app.client_address', coalesce(client_address, ''), true);
end
$$;
revoke all on function record_administration from public;

-- Null where there is no such workspace; else whether this changed anything.
create function set_workspace_suspended(wanted uuid, suspends boolean, at timestamptz) returns boolean
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  before record;
begin
  perform assert_administrator();
  select w.name, w.suspended_at is not null as is_suspended into before from workspaces w where w.id = wanted for no key update;
  if not found then
    return null;
  end if;
  if before.is_suspended = suspends then
    return false;
  end if;
  update workspaces w set suspended_at = case when suspends then at end, updated_at = at where w.id = wanted;
  perform record_administration(wanted, before.name,
    case when suspends then 'admin.workspace_suspended' else 'admin.workspace_suspension_lifted' end,
    case when suspends then 'workspace.suspended' else 'workspace.suspension_lifted' end, at);
  return true;
end
$$;

-- As an owner restores a deleted workspace within its week.
create function restore_deleted_workspace(wanted uuid, at timestamptz) returns boolean
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  before record;
begin
  perform assert_administrator();
  select w.name, w.delete_after into before from workspaces w where w.id = wanted for no key update;
  if not found then
    return null;
  end if;
  if before.delete_after is null or before.delete_after <= at then
    return false;
  end if;
  update workspaces w set delete_after = null, updated_at = at where w.id = wanted;
  perform record_administration(wanted, before.name, 'admin.workspace_restored', 'workspace.restored', at);
  return true;
end
$$;

---------------------------------------------------------------------------------------------------------------------- figures

-- Messages that were meant for [day_begin, day_end), and jobs that ended of those meant for [since, day_end). Tests count in neither.
create function figures_of_workspace(workspace uuid, day_begin timestamptz, day_end timestamptz, since timestamptz)
  returns table (sent integer, failed integer, completed_jobs integer, failed_jobs integer)
  language sql stable set search_path = public, pg_temp
as $$
  select m.sent, m.failed, e.completed, e.failed
    from (select count(*) filter (where d.status in ('accepted', 'delivered'))::integer as sent,
                 count(*) filter (where d.status in ('failed', 'unknown'))::integer as failed
            from jobs j
            join deliveries d on d.job_id = j.id and d.scheduled_for = j.scheduled_for
           where j.workspace_id = workspace and j.scheduled_for >= day_begin and j.scheduled_for < day_end and j.type <> 'test_reminder'
             and d.scheduled_for >= day_begin and d.scheduled_for < day_end) m,
         (select count(*) filter (where j.status = 'completed')::integer as completed,
                 count(*) filter (where j.status = 'failed')::integer as failed
            from jobs j
           where j.workspace_id = workspace and j.scheduled_for >= since and j.scheduled_for < day_end and j.type <> 'test_reminder') e
$$;
revoke all on function figures_of_workspace from public;
grant execute on function figures_of_workspace to cuebird_app;

create function installation_figures(day_begin timestamptz, day_end timestamptz, since timestamptz)
  returns table (users integer, workspaces integer, sent integer, failed integer, completed_jobs integer, failed_jobs integer)
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
begin
  perform assert_administrator();
  return query
    select (select count(*)::integer from profiles), count(*)::integer, coalesce(sum(f.sent), 0)::integer, coalesce(sum(f.failed), 0)::integer,
           coalesce(sum(f.completed_jobs), 0)::integer, coalesce(sum(f.failed_jobs), 0)::integer
      from workspaces w cross join lateral figures_of_workspace(w.id, day_begin, day_end, since) f;
end
$$;

create function own_figures(day_begin timestamptz, day_end timestamptz, since timestamptz)
  returns table (users integer, workspaces integer, sent integer, failed integer, completed_jobs integer, failed_jobs integer)
  language plpgsql set search_path = public, pg_temp
as $$
declare
  one uuid;
  people uuid[] := '{}';
  found_figures record;
begin
  workspaces := 0; sent := 0; failed := 0; completed_jobs := 0; failed_jobs := 0;
  for one in select o.id from own_administered() o loop
    perform set_config('app.workspace_id', one::text, true);
    select * into found_figures from figures_of_workspace(one, day_begin, day_end, since);
    workspaces := workspaces + 1;
    sent := sent + found_figures.sent;
    failed := failed + found_figures.failed;
    completed_jobs := completed_jobs + found_figures.completed_jobs;
    failed_jobs := failed_jobs + found_figures.failed_jobs;
    people := people || array(select m.user_id from workspace_members m where m.workspace_id = one);
  end loop;
  perform set_config('app.workspace_id', '', true);
  users := (select count(distinct p.id)::integer from unnest(people) as p (id));
  return next;
end
$$;

----------------------------------------------------------------------------------------------------------------------- people

-- Newest first, each with at most 20 memberships.
create function people_of_installation(wanted uuid, pattern text, before_at timestamptz, before_id uuid, page integer)
  returns table (id uuid, email text, full_name text, is_system_admin boolean, is_demo boolean, email_verified boolean,
                 has_two_factor boolean, suspended_at timestamptz, created_at timestamptz, sessions integer, last_seen_at timestamptz,
                 api_keys integer, memberships json, membership_count integer)
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  perform assert_administrator();
  return query
    select p.id, p.email, p.full_name, p.is_system_admin, p.is_demo, p.email_verified, p.two_factor_enabled, p.suspended_at, p.created_at,
           s.count, s.last_seen_at, live_api_keys_of(p.id), coalesce(m.memberships, '[]'),
           (select count(*)::integer from workspace_members m where m.user_id = p.id)
      from (select * from profiles
             where (wanted is null or id = wanted)
               and (pattern is null or folded(full_name || ' ' || email) like folded(pattern))
               and (before_id is null or (created_at, id) < (before_at, before_id))
             order by created_at desc, id desc limit least(page, 201)) p
     cross join lateral (select count(*)::integer as count, max(a.updated_at) as last_seen_at
                           from auth_sessions a where a.user_id = p.id and a.expires_at > now()) s
     cross join lateral (select json_agg(json_build_object('workspace_id', l.id, 'workspace', l.name, 'role', l.role)) as memberships
                           from (select w.id, w.name, m.role from workspace_members m join workspaces w on w.id = m.workspace_id
                                  where m.user_id = p.id order by m.joined_at desc, w.id limit 20) l) m
     order by p.created_at desc, p.id desc;
end
$$;

------------------------------------------------------------------------------------------------------------------- workspaces

create function workspace_entry(wanted uuid)
  returns table (id uuid, name text, description text, created_at timestamptz, subscription_tier text, subscription_status text,
                 delete_after timestamptz, suspended_at timestamptz, member_count integer, owner_name text, owner_email text)
  language sql stable set search_path = public, pg_temp
as $$
  select w.id, w.name, w.description, w.created_at, w.subscription_tier, w.subscription_status, w.delete_after, w.suspended_at,
         (select count(*)::integer from workspace_members m where m.workspace_id = w.id), o.full_name, o.email
    from workspaces w
    left join lateral (select p.full_name, p.email from workspace_members m join profiles p on p.id = m.user_id
                        where m.workspace_id = w.id and m.role = 'owner' order by m.joined_at, p.id limit 1) o on true
   where w.id = wanted
$$;
revoke all on function workspace_entry from public;
grant execute on function workspace_entry to cuebird_app;

create function workspaces_of_installation(wanted uuid, pattern text, before_at timestamptz, before_id uuid, page integer)
  returns table (id uuid, name text, description text, created_at timestamptz, subscription_tier text, subscription_status text,
                 delete_after timestamptz, suspended_at timestamptz, member_count integer, owner_name text, owner_email text)
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  perform assert_administrator();
  return query
    select e.*
      from (select w.id, w.created_at from workspaces w
             where (wanted is null or w.id = wanted)
               and (pattern is null or folded(w.name || ' ' || w.description) like folded(pattern))
               and (before_id is null or (w.created_at, w.id) < (before_at, before_id))
             order by w.created_at desc, w.id desc limit least(page, 201)) l
     cross join lateral workspace_entry(l.id) e
     order by l.created_at desc, l.id desc;
end
$$;

create function own_workspaces(pattern text, before_at timestamptz, before_id uuid, page integer)
  returns table (id uuid, name text, description text, created_at timestamptz, subscription_tier text, subscription_status text,
                 delete_after timestamptz, suspended_at timestamptz, member_count integer, owner_name text, owner_email text)
  language plpgsql set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  one uuid;
begin
  for one in
    select w.id from own_administered() o join workspaces w on w.id = o.id
     where (pattern is null or folded(w.name || ' ' || w.description) like folded(pattern))
       and (before_id is null or (w.created_at, w.id) < (before_at, before_id))
     order by w.created_at desc, w.id desc limit least(page, 201)
  loop
    perform set_config('app.workspace_id', one::text, true);
    return query select e.* from workspace_entry(one) e;
  end loop;
  perform set_config('app.workspace_id', '', true);
end
$$;

-- Its members, for administrators of the installation; at most 200.
create function members_for_administrator(workspace uuid)
  returns table (id uuid, full_name text, email text, role text, joined_at timestamptz)
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  perform assert_administrator();
  return query
    select m.id, p.full_name, p.email, m.role, m.joined_at
      from workspace_members m join profiles p on p.id = m.user_id
     where m.workspace_id = workspace
     order by array_position(array['owner', 'admin', 'member'], m.role), m.joined_at, m.id limit 200;
end
$$;

------------------------------------------------------------------------------------------------------------------- executions

-- The latest. Their jobs are looked up one by one: the planner takes a function for a thousand rows.
create function latest_executions(workspace uuid, since timestamptz, most integer)
  returns table (id uuid, workspace_id uuid, job_id uuid, status text, started_at timestamptz, duration_ms integer, error_message text)
  language sql stable set search_path = public, pg_temp
as $$
  select e.id, e.workspace_id, e.job_id, e.status, e.started_at, e.duration_ms, e.error_message
    from job_executions e
   where e.workspace_id = workspace and e.started_at >= since
   order by e.started_at desc, e.id desc limit least(most, 100)
$$;
revoke all on function latest_executions from public;
grant execute on function latest_executions to cuebird_app;

create function executions_of_installation(since timestamptz, most integer)
  returns table (id uuid, workspace_id uuid, workspace text, job_id uuid, job text, type text, status text, started_at timestamptz,
                 duration_ms integer, error_message text)
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  perform assert_administrator();
  return query
    select e.id, e.workspace_id, e.workspace, j.id, j.name, j.type, e.status, e.started_at, e.duration_ms, e.error_message
      from (select l.*, w.name as workspace
              from workspaces w cross join lateral latest_executions(w.id, since, most) l
             order by l.started_at desc, l.id desc limit least(most, 100)) e
     cross join lateral (select * from jobs where id = e.job_id offset 0) j
     order by e.started_at desc, e.id desc;
end
$$;

create function own_executions(since timestamptz, most integer)
  returns table (id uuid, workspace_id uuid, workspace text, job_id uuid, job text, type text, status text, started_at timestamptz,
                 duration_ms integer, error_message text)
  language plpgsql set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  one uuid;
begin
  for one in select o.id from own_administered() o loop
    perform set_config('app.workspace_id', one::text, true);
    return query
      select e.id, w.id, w.name, j.id, j.name, j.type, e.status, e.started_at, e.duration_ms, e.error_message
        from latest_executions(one, since, most) e
        join workspaces w on w.id = one
       cross join lateral (select * from jobs where id = e.job_id offset 0) j;
  end loop;
  perform set_config('app.workspace_id', '', true);
end
$$;

------------------------------------------------------------------------------------------------------------- application log

create table log_entries (
  id bigint primary key generated always as identity,
  created_at timestamptz not null,
  level text not null check (level in ('trace', 'debug', 'info', 'warn', 'error', 'fatal')),
  process text not null check (char_length(process) <= 200),
  message text not null check (char_length(message) <= 2000),
  details jsonb not null default '{}'
);
comment on table log_entries is 'The newest lines of the log of every process. Whoever writes deletes what is older than the newest 20,000.';
alter table log_entries enable row level security, force row level security;
create policy engine_all on log_entries to cuebird_engine using (true) with check (true);
grant select, insert, delete on log_entries to cuebird_engine;

-- The ring has 20,000 lines, and all of them may be looked at.
create function log_of_installation(wanted_levels text[], pattern text, before_id bigint, page integer)
  returns table (id bigint, created_at timestamptz, level text, process text, message text, details jsonb)
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  perform assert_administrator();
  return query
    select l.id, l.created_at, l.level, l.process, l.message, l.details
      from log_entries l
     where (before_id is null or l.id < before_id) and (wanted_levels is null or l.level = any (wanted_levels))
       and (pattern is null or lower(l.message || ' ' || l.process || ' ' || l.details::text) like lower(pattern))
     order by l.id desc limit least(page, 201);
end
$$;

revoke all on function set_workspace_suspended, restore_deleted_workspace, installation_figures, own_figures, people_of_installation,
  workspaces_of_installation, own_workspaces, members_for_administrator, executions_of_installation, own_executions, log_of_installation
  from public;
grant execute on function set_workspace_suspended, restore_deleted_workspace, installation_figures, own_figures, people_of_installation,
  workspaces_of_installation, own_workspaces, members_for_administrator, executions_of_installation, own_executions, log_of_installation
  to cuebird_app;

------------------------------------------------------------------------------------------------- administrators by their address

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
