-- One number for each fact of the console: its lists leave out visitors' demos as its figures do, unless they are asked for, and what it says of the
-- reminders of a workspace is what the workspace says: those that are done are not active, and messages that are written once are none.

drop function people_of_installation(uuid, text, timestamptz, uuid, integer);
drop function workspaces_of_installation(uuid, text, timestamptz, uuid, integer);
drop function own_workspaces(text, timestamptz, uuid, integer);
drop function workspace_entry(uuid);
drop function installation_figures(timestamptz, timestamptz, timestamptz);
drop function own_figures(timestamptz, timestamptz, timestamptz);

-- Newest first, each with at most 20 memberships. A search is looked for as it is. `demos`: `false` leaves out visitors' demos, `only` all others.
create function people_of_installation(wanted uuid, search text, before_at timestamptz, before_id uuid, page integer, demos text)
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
      select p.id from profiles p
       where (p.created_at, p.id) < (last_at, last_id) and (demos = 'true' or (p.demo_until is not null) = (demos = 'only'))
       order by p.created_at desc, p.id desc limit most);
  else
    found_ids := array(
      select p.id from profiles p
       where parts_of(folded(p.full_name || ' ' || p.email), '{1, 2, 3}') @> searched_parts_of(folded(search))
         and strpos(folded(p.full_name || ' ' || p.email), folded(search)) > 0
         and (p.created_at, p.id) < (last_at, last_id) and (demos = 'true' or (p.demo_until is not null) = (demos = 'only'))
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
                 delete_after timestamptz, suspended_at timestamptz, member_count integer, owner_name text, owner_email text, is_demo boolean)
  language sql stable set search_path = public, pg_temp
as $$
  select w.id, w.name, w.description, w.created_at, w.subscription_tier, w.subscription_status, w.delete_after, w.suspended_at,
         (select count(*)::integer from workspace_members m where m.workspace_id = w.id), o.full_name, o.email, w.demo_until is not null
    from workspaces w
    left join lateral (select p.full_name, p.email from workspace_members m join profiles p on p.id = m.user_id
                        where m.workspace_id = w.id and m.role = 'owner' order by m.joined_at, p.id limit 1) o on true
   where w.id = wanted
$$;
revoke all on function workspace_entry from public;
grant execute on function workspace_entry to cuebird_app;

create function workspaces_of_installation(wanted uuid, search text, before_at timestamptz, before_id uuid, page integer, demos text)
  returns table (id uuid, name text, description text, created_at timestamptz, subscription_tier text, subscription_status text,
                 delete_after timestamptz, suspended_at timestamptz, member_count integer, owner_name text, owner_email text, is_demo boolean)
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
      select w.id from workspaces w
       where (w.created_at, w.id) < (last_at, last_id) and (demos = 'true' or (w.demo_until is not null) = (demos = 'only'))
       order by w.created_at desc, w.id desc limit most);
  else
    found_ids := array(
      select w.id from workspaces w
       where parts_of(folded(w.name || ' ' || w.description), '{1, 2, 3}') @> searched_parts_of(folded(search))
         and strpos(folded(w.name || ' ' || w.description), folded(search)) > 0
         and (w.created_at, w.id) < (last_at, last_id) and (demos = 'true' or (w.demo_until is not null) = (demos = 'only'))
       order by w.created_at desc, w.id desc limit most);
  end if;
  return query
    select e.* from unnest(found_ids) with ordinality as f (id, place) cross join lateral workspace_entry(f.id) e order by f.place;
end
$$;

create function own_workspaces(search text, before_at timestamptz, before_id uuid, page integer)
  returns table (id uuid, name text, description text, created_at timestamptz, subscription_tier text, subscription_status text,
                 delete_after timestamptz, suspended_at timestamptz, member_count integer, owner_name text, owner_email text, is_demo boolean)
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

-- The figures of an installation are about its people: demos, and what was made up for them, are left out. `demos` counts their accounts.
create function installation_figures(day_begin timestamptz, day_end timestamptz, since timestamptz)
  returns table (users integer, workspaces integer, sent integer, failed integer, completed_jobs integer, failed_jobs integer, demos integer)
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
begin
  perform assert_administrator();
  return query
    -- Two counts of indexes, where a condition would read every account.
    select (select count(*) from profiles)::integer - d.count, count(w.id)::integer, coalesce(sum(f.sent), 0)::integer,
           coalesce(sum(f.failed), 0)::integer, coalesce(sum(f.completed_jobs), 0)::integer, coalesce(sum(f.failed_jobs), 0)::integer, d.count
      from (select count(*)::integer as count from profiles where demo_until is not null) d
      left join (workspaces w cross join lateral figures_of_workspace(w.id, day_begin, day_end, since) f) on w.demo_until is null
     group by d.count;
end
$$;

create function own_figures(day_begin timestamptz, day_end timestamptz, since timestamptz)
  returns table (users integer, workspaces integer, sent integer, failed integer, completed_jobs integer, failed_jobs integer, demos integer)
  language plpgsql set search_path = public, pg_temp
as $$
declare
  one uuid;
  people uuid[] := '{}';
  found_figures record;
begin
  workspaces := 0; sent := 0; failed := 0; completed_jobs := 0; failed_jobs := 0; demos := 0;
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

revoke all on function people_of_installation, workspaces_of_installation, own_workspaces, installation_figures, own_figures from public;
grant execute on function people_of_installation, workspaces_of_installation, own_workspaces, installation_figures, own_figures to cuebird_app;

-- As `isDone` and `isListed` in done.service.ts say it of a reminder.
create or replace function analytics_for_administrator(wanted uuid, most integer) returns jsonb
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
      'reminders', (select count(*) from reminders r where r.workspace_id = wanted and r.status <> 'deleted' and (r.metadata ->> 'one_off') is distinct from 'true'),
      'active_reminders', (select count(*) from reminders r
                            where r.workspace_id = wanted and r.status = 'active' and (r.metadata ->> 'one_off') is distinct from 'true'
                              and case when r.schedule_config ->> 'type' <> 'scheduled' then true
                                       when r.schedule_config ->> 'scheduleType' is distinct from 'once' and r.schedule_config ->> 'endDate' is null then true
                                       when exists (select from queue q where q.reminder_id = r.id offset 0) then true
                                       else exists (select from jobs o where o.reminder_id = r.id and o.type = 'reminder'
                                                     and o.status in ('pending', 'running', 'paused') offset 0) end),
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
