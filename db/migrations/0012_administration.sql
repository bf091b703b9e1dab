-- What administrators of the installation read and do across workspaces, and what is deleted with time.
--
-- A request sees one workspace; these functions run as the owner, each asks whether the caller is an administrator, and there is no other
-- way. Whoever administers workspaces only gets the same answers from functions that run with the caller's rights and enter one workspace
-- after the other, as its requests do.

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

-- Of the workspaces that the caller owns or administers, newest first. Found by the memberships, not among all workspaces.
create function own_administered() returns table (id uuid)
  language sql stable set search_path = public, pg_temp
as $$
  select w.id
    from (select m.workspace_id from workspace_members m where m.user_id = current_user_id() and m.role <> 'member' offset 0) o
   cross join lateral (select * from workspaces where id = o.workspace_id offset 0) w
   order by w.created_at desc, w.id desc
$$;
revoke all on function own_administered from public;
grant execute on function own_administered to cuebird_app;

------------------------------------------------------------------------------------ workspaces and what is done to them

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

---------------------------------------------------------------------------------------------------------------- figures

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

-- The figures of an installation are about its people: demos, and what was made up for them, are left out.
create function installation_figures(day_begin timestamptz, day_end timestamptz, since timestamptz)
  returns table (users integer, workspaces integer, sent integer, failed integer, completed_jobs integer, failed_jobs integer)
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
begin
  perform assert_administrator();
  return query
    -- Two counts of indexes, where a condition would read every account.
    select (select count(*) from profiles)::integer - (select count(*) from profiles where demo_until is not null)::integer, count(*)::integer, coalesce(sum(f.sent), 0)::integer,
           coalesce(sum(f.failed), 0)::integer, coalesce(sum(f.completed_jobs), 0)::integer, coalesce(sum(f.failed_jobs), 0)::integer
      from workspaces w cross join lateral figures_of_workspace(w.id, day_begin, day_end, since) f
     where w.demo_until is null;
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

-- The people and workspaces that were new on each day (UTC) of a range.
create function installation_growth(first_day date, last_day date) returns table (day date, people integer, workspaces integer)
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
declare
  starts timestamptz := first_day::timestamp at time zone 'UTC';
  ends timestamptz := (last_day + 1)::timestamp at time zone 'UTC';
begin
  perform assert_administrator();
  return query
    select n.day, count(*) filter (where n.is_person)::integer, count(*) filter (where not n.is_person)::integer
      from (select (p.created_at at time zone 'UTC')::date as day, true as is_person
              from profiles p where p.created_at >= starts and p.created_at < ends and p.demo_until is null
            union all
            select (w.created_at at time zone 'UTC')::date, false
              from workspaces w where w.created_at >= starts and w.created_at < ends and w.demo_until is null) n
     group by n.day
     order by n.day;
end
$$;

-- How a workspace does: what its members read from `/api/analytics`. Null where there is none. The test jobs are hashed once: an array of
-- them would be searched for each run.
create function analytics_for_administrator(wanted uuid, most integer) returns jsonb
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
begin
  perform assert_administrator();
  if not exists (select from workspaces where id = wanted) then
    return null;
  end if;
  return (
    with counted as (
      select j.status, count(*)::integer as count from jobs j
       where j.workspace_id = wanted and j.type <> 'test_reminder' group by j.status
    ), executed as (
      select count(*)::integer as total, round(avg(e.duration_ms), 1)::float8 as average_ms from executions e
       where e.workspace_id = wanted and e.duration_ms is not null
         and e.job_id not in (select id from jobs where workspace_id = wanted and type = 'test_reminder')
    ), latest as (
      select e.id, e.job_id, j.name, e.status, e.started_at, e.duration_ms, e.listed_at
        from (select * from executions r
               where r.workspace_id = wanted and r.duration_ms is not null and (not r.is_on_job or r.listed_at < now() + interval '1 hour')
                 and r.job_id not in (select id from jobs where workspace_id = wanted and type = 'test_reminder')
                 and r.listed_at >= (select coalesce((
                       select x.started_at from job_executions x
                        where x.workspace_id = wanted and x.duration_ms is not null
                          and x.job_id not in (select id from jobs where workspace_id = wanted and type = 'test_reminder')
                        order by x.started_at desc, x.id desc offset least(most, 100) - 1 limit 1), '-infinity'))
               order by r.listed_at desc, r.id desc limit least(most, 100)) e
        join jobs j on j.workspace_id = e.workspace_id and j.id = e.job_id
    ), newest as (
      select j.id, j.name, j.type, j.status, j.created_at from jobs j
       where j.workspace_id = wanted and j.archived_at is null and j.type <> 'test_reminder'
       order by j.id desc limit least(most, 100)
    )
    select jsonb_build_object(
      'templates', (select count(*) from templates where workspace_id = wanted),
      'reminders', (select count(*) from reminders where workspace_id = wanted and status <> 'deleted'),
      'active_reminders', (select count(*) from reminders where workspace_id = wanted and status = 'active'),
      'members', (select count(*) from workspace_members where workspace_id = wanted),
      'channels', (select count(*) from channels where workspace_id = wanted),
      'contacts', (select count(*) from contacts where workspace_id = wanted),
      'jobs', (select jsonb_object_agg(s.status, coalesce(c.count, 0)) || jsonb_build_object('total', coalesce(sum(c.count), 0))
                 from unnest(array['pending', 'running', 'completed', 'failed', 'cancelled', 'paused']) as s (status)
                 left join counted c on c.status = s.status),
      'executions', (select to_jsonb(e) from executed e) || jsonb_build_object('latest',
        coalesce((select jsonb_agg(to_jsonb(l) - 'listed_at' || jsonb_build_object('started_at', to_char(l.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
                                   order by l.listed_at desc, l.id desc) from latest l), '[]')),
      'recent_jobs', coalesce((select jsonb_agg(to_jsonb(n) || jsonb_build_object('created_at', to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
                                                order by n.id desc) from newest n), '[]')));
end
$$;

-------------------------------------------------------------------------------------------------- people and workspaces

-- Newest first, each with at most 20 memberships. A search is looked for as it is.
create function people_of_installation(wanted uuid, search text, before_at timestamptz, before_id uuid, page integer)
  returns table (id uuid, email text, full_name text, is_system_admin boolean, is_demo boolean, email_verified boolean,
                 has_two_factor boolean, suspended_at timestamptz, created_at timestamptz, sessions integer, last_seen_at timestamptz,
                 api_keys integer, memberships json, membership_count integer)
  language plpgsql stable security definer set search_path = public, pg_temp
  -- A common text is looked for among the newest, a rare one in its index.
  set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  last_at timestamptz := coalesce(before_at, 'infinity');
  last_id uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  most integer := least(page, 201);
  found_ids uuid[];
begin
  perform assert_administrator();
  if wanted is not null then
    found_ids := array[wanted];
  elsif search is null then
    found_ids := array(
      select p.id from profiles p where (p.created_at, p.id) < (last_at, last_id) order by p.created_at desc, p.id desc limit most);
  else
    found_ids := array(
      select p.id from profiles p
       where parts_of(folded(p.full_name || ' ' || p.email), '{1, 2, 3}') @> searched_parts_of(folded(search))
         and strpos(folded(p.full_name || ' ' || p.email), folded(search)) > 0
         and (p.created_at, p.id) < (last_at, last_id)
       order by p.created_at desc, p.id desc limit most);
  end if;
  return query
    select p.id, p.email, p.full_name, p.is_system_admin, p.is_demo, p.email_verified, p.two_factor_enabled, p.suspended_at, p.created_at,
           s.count, s.last_seen_at, live_api_keys_of(p.id), coalesce(m.memberships, '[]'),
           (select count(*)::integer from workspace_members m where m.user_id = p.id)
      from profiles p
     cross join lateral (select count(*)::integer as count, max(a.updated_at) as last_seen_at
                           from auth_sessions a where a.user_id = p.id and a.expires_at > now()) s
     cross join lateral (select json_agg(json_build_object('workspace_id', l.id, 'workspace', l.name, 'role', l.role)) as memberships
                           from (select w.id, w.name, m.role from workspace_members m join workspaces w on w.id = m.workspace_id
                                  where m.user_id = p.id order by m.joined_at desc, w.id limit 20) l) m
     where p.id = any (found_ids)
     order by p.created_at desc, p.id desc;
end
$$;

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

create function workspaces_of_installation(wanted uuid, search text, before_at timestamptz, before_id uuid, page integer)
  returns table (id uuid, name text, description text, created_at timestamptz, subscription_tier text, subscription_status text,
                 delete_after timestamptz, suspended_at timestamptz, member_count integer, owner_name text, owner_email text)
  language plpgsql stable security definer set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  last_at timestamptz := coalesce(before_at, 'infinity');
  last_id uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  most integer := least(page, 201);
  found_ids uuid[];
begin
  perform assert_administrator();
  if wanted is not null then
    found_ids := array[wanted];
  elsif search is null then
    found_ids := array(
      select w.id from workspaces w where (w.created_at, w.id) < (last_at, last_id) order by w.created_at desc, w.id desc limit most);
  else
    found_ids := array(
      select w.id from workspaces w
       where parts_of(folded(w.name || ' ' || w.description), '{1, 2, 3}') @> searched_parts_of(folded(search))
         and strpos(folded(w.name || ' ' || w.description), folded(search)) > 0
         and (w.created_at, w.id) < (last_at, last_id)
       order by w.created_at desc, w.id desc limit most);
  end if;
  return query
    select e.* from unnest(found_ids) with ordinality as f (id, place) cross join lateral workspace_entry(f.id) e order by f.place;
end
$$;

create function own_workspaces(search text, before_at timestamptz, before_id uuid, page integer)
  returns table (id uuid, name text, description text, created_at timestamptz, subscription_tier text, subscription_status text,
                 delete_after timestamptz, suspended_at timestamptz, member_count integer, owner_name text, owner_email text)
  language plpgsql set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  one uuid;
begin
  for one in
    select w.id from own_administered() o cross join lateral (select * from workspaces where id = o.id offset 0) w
     where (search is null or strpos(folded(w.name || ' ' || w.description), folded(search)) > 0)
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

------------------------------------------------------------------------------------------------- executions and the log

-- The latest. Their jobs are looked up one by one: the planner takes a function for a thousand rows.
create function executions_of_installation(since timestamptz, most integer)
  returns table (id uuid, workspace_id uuid, workspace text, job_id uuid, job text, type text, status text, started_at timestamptz,
                 duration_ms integer, error_message text, listed_at timestamptz)
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  perform assert_administrator();
  return query
    select e.id, e.workspace_id, e.workspace, j.id, j.name, j.type, e.status, e.started_at, e.duration_ms, e.error_message, e.listed_at
      from (select l.*, w.name as workspace
              from workspaces w cross join lateral latest_executions(w.id, since, most) l
             where w.demo_until is null
             order by l.listed_at desc, l.id desc limit least(most, 100)) e
     cross join lateral (select * from jobs where id = e.job_id offset 0) j
     order by e.listed_at desc, e.id desc;
end
$$;

create function own_executions(since timestamptz, most integer)
  returns table (id uuid, workspace_id uuid, workspace text, job_id uuid, job text, type text, status text, started_at timestamptz,
                 duration_ms integer, error_message text, listed_at timestamptz)
  language plpgsql set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  one uuid;
begin
  for one in select o.id from own_administered() o loop
    perform set_config('app.workspace_id', one::text, true);
    return query
      select e.id, w.id, w.name, j.id, j.name, j.type, e.status, e.started_at, e.duration_ms, e.error_message, e.listed_at
        from latest_executions(one, since, most) e
        join workspaces w on w.id = one
       cross join lateral (select * from jobs where id = e.job_id offset 0) j;
  end loop;
  perform set_config('app.workspace_id', '', true);
end
$$;

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

revoke all on function set_workspace_suspended, restore_deleted_workspace, installation_figures, own_figures, installation_growth,
  analytics_for_administrator, people_of_installation, workspaces_of_installation, own_workspaces,
  members_for_administrator, executions_of_installation, own_executions, log_of_installation from public;
grant execute on function set_workspace_suspended, restore_deleted_workspace, installation_figures, own_figures, installation_growth,
  analytics_for_administrator, people_of_installation, workspaces_of_installation, own_workspaces,
  members_for_administrator, executions_of_installation, own_executions, log_of_installation to cuebird_app;

---------------------------------------------------------------------------------------------------------- personal data

-- What these workspaces store about the person: their newest acts, but for those on their account, which every workspace has; and the
-- browsers that get push messages.
create function own_records(workspace_ids uuid[], most integer) returns table (workspace_id uuid, acts jsonb, push_devices jsonb)
  language plpgsql set search_path = public, pg_temp
as $$
declare
  one uuid;
begin
  foreach one in array workspace_ids loop
    perform set_config('app.workspace_id', one::text, true);
    return query select one,
      (select coalesce(jsonb_agg(to_jsonb(a)), '[]')
         from (select created_at, action, target, details, client_address from audit_log l
                where l.workspace_id = one and l.actor_id = current_user_id() and l.account_id is null
                order by created_at desc, l.id desc limit most) a),
      (select coalesce(jsonb_agg(to_jsonb(p)), '[]')
         from (select endpoint, created_at from push_subscriptions s
                where s.workspace_id = one and s.user_id = current_user_id()
                order by created_at desc limit 100) p);
  end loop;
  perform set_config('app.workspace_id', '', true);
end
$$;
revoke all on function own_records from public;
grant execute on function own_records to cuebird_app;

------------------------------------------------------------------------------------------------- what is deleted by age

-- The engine may not read these tables: it asks these functions, which run as the owner and keep what is young, whatever they are asked for.
-- Each deletes at most `batch` rows, and returns how many. The policies `owner_deletes` let it.

-- Which tables lose their rows by their age or expiry, apart from how: a further table replaces this list only.
create function expiring_tables() returns table (name text, instant text, kept_for interval)
  language sql immutable set search_path = public, pg_temp
as $$
  values ('idempotency_keys', 'created_at', interval '1 day'),
         ('contact_import_changes', 'imported_at', interval '1 day'),
         ('received_reports', 'received_at', interval '365 days'),
         ('billing_events', 'received_at', interval '60 days'),
         ('auth_sessions', 'expires_at', interval '0'),
         ('auth_verifications', 'expires_at', interval '0'),
         ('auth_email_changes', 'expires_at', interval '0'),
         ('request_counts', 'expires_at', interval '0')
$$;
revoke all on function expiring_tables from public;

create function delete_expired(source text, before timestamptz, batch integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  instant text;
  youngest timestamptz;
  gone integer;
begin
  select t.instant, now() - t.kept_for into instant, youngest from expiring_tables() t where t.name = source;
  if instant is null then
    raise exception '% is not deleted by age', source;
  end if;
  execute format('delete from %I where ctid = any (array(select ctid from %I where %I < $1 limit $2))', source, source, instant)
    using least(before, youngest), batch;
  get diagnostics gone = row_count;
  return gone;
end
$$;

create function delete_old_acts(before timestamptz, batch integer) returns integer
  language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from audit_log
     where ctid = any (array(select ctid from audit_log
                              where created_at < least(before, now() - interval '400 days') limit batch))
    returning 1
  )
  select count(*)::integer from gone
$$;

create function delete_old_support_requests(before timestamptz, batch integer) returns integer
  language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from support_requests
     where id = any (array(select id from support_requests
                            where created_at < least(before, now() - interval '365 days') order by created_at limit batch))
    returning 1
  )
  select count(*)::integer from gone
$$;

-- Events of which nothing is left. Their keys can be used again from then on.
create function delete_old_events(workspace uuid, before timestamptz, batch integer) returns integer
  language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from events
     where ctid = any (array(select e.ctid from events e
                              where e.workspace_id = workspace and e.created_at < least(before, now() - interval '30 days')
                                and not exists (select from jobs j where j.event_id = e.id)
                                and not exists (select from event_payloads p where p.event_id = e.id)
                              limit batch))
    returning 1
  )
  select count(*)::integer from gone
$$;

-- Looks at the next payloads after this one, and deletes those that no job needs any more: neither one that is there, nor
-- one that left with its reminder and may be restored with it.
create function delete_unused_payloads(after uuid, page integer) returns table (seen integer, last uuid, gone integer)
  language sql security definer set search_path = public, pg_temp
as $$
  with page as (
    select event_id, workspace_id from event_payloads where event_id > after order by event_id limit page
  ), gone as (
    delete from event_payloads p
     using page
     where p.event_id = page.event_id
       and not exists (select from jobs j where j.event_id = p.event_id)
       and not exists (select from reminders r
                        where r.workspace_id = p.workspace_id and r.status = 'deleted'
                          and r.deleted_jobs @> jsonb_build_array(jsonb_build_object('event_id', p.event_id)))
    returning 1
  )
  select (select count(*)::integer from page), (select event_id from page order by event_id desc limit 1), (select count(*)::integer from gone)
$$;

-- Reminders deleted before this, with their hooks and events; their jobs stay on record, and belong to no reminder any more.
create function purge_deleted_reminders(before timestamptz, batch integer) returns integer
  language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from reminders
     where id = any (array(select id from reminders
                            where status = 'deleted' and deleted_at < least(before, now() - interval '1 hour')
                            order by deleted_at limit batch
                              for update skip locked))
    returning 1
  )
  select count(*)::integer from gone
$$;

-- Ends the demos that are over: the accounts at once, with their sessions; of the workspaces the deletion begins, as of any other.
create function end_demos(before timestamptz, batch integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  gone integer;
begin
  -- Nobody waits to restore them, so the time for that has passed already.
  update workspaces set delete_after = demo_until - interval '1 hour'
   where demo_until < least(before, now()) and delete_after is distinct from demo_until - interval '1 hour';
  delete from profiles
   where id = any (array(select id from profiles where demo_until < least(before, now()) order by demo_until limit batch));
  get diagnostics gone = row_count;
  return gone;
end
$$;

------------------------------------------------------------------------------------------------ deletion of a workspace

-- An hour later than the last restore: whoever began to restore it in time has committed by then.
create function is_workspace_over(workspace uuid) returns boolean
  language sql stable set search_path = public, pg_temp
as $$
  select exists (select from workspaces w where w.id = workspace and w.delete_after < now() - interval '1 hour')
$$;

create policy follow_workspace on events for delete to current_user using (is_workspace_over(workspace_id));
create policy follow_workspace on reminders for delete to current_user using (is_workspace_over(workspace_id));
create policy follow_workspace on contact_import_changes for delete to current_user using (is_workspace_over(workspace_id));
create policy follow_workspace on contacts for delete to current_user using (is_workspace_over(workspace_id));
create policy follow_workspace on suppressions for delete to current_user using (is_workspace_over(workspace_id));
create policy follow_workspace on templates for delete to current_user using (is_workspace_over(workspace_id));
create policy follow_workspace on sandbox_messages for delete to current_user using (is_workspace_over(workspace_id));
create policy follow_workspace on received_reports for delete to current_user using (is_workspace_over(workspace_id));
create policy follow_workspace on idempotency_keys for delete to current_user using (is_workspace_over(workspace_id));

-- One step of the deletion: at most `batch` rows of one table, what may be many first; at last the workspace, with all that refers to it.
-- Whether there is more; null where the workspace is not to be deleted. It can stop after any step and go on later.
create function delete_workspace(workspace uuid, batch integer) returns boolean
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  source text;
  gone integer;
begin
  if not is_workspace_over(workspace) then
    return null;
  end if;
  -- The ledger and the queue go with their jobs, payloads with their events, texts and hooks with their reminders.
  foreach source in array array['jobs', 'webhook_events', 'events', 'reminders', 'contact_import_changes', 'contacts', 'suppressions', 'templates',
                                'sandbox_messages', 'received_reports', 'idempotency_keys']
  loop
    execute format('delete from %I where workspace_id = $1 and ctid = any (array(select ctid from %I where workspace_id = $1 limit $2))',
                   source, source)
      using workspace, batch;
    get diagnostics gone = row_count;
    if gone > 0 then
      return true;
    end if;
  end loop;
  delete from workspaces where id = workspace;
  return false;
end
$$;

revoke all on function delete_expired, delete_old_acts, delete_old_support_requests, delete_old_events, delete_unused_payloads,
  purge_deleted_reminders, end_demos, is_workspace_over, delete_workspace from public;
grant execute on function delete_expired, delete_old_acts, delete_old_support_requests, delete_old_events, delete_unused_payloads,
  purge_deleted_reminders, end_demos, delete_workspace to cuebird_engine;
