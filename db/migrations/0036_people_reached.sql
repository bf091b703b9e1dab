-- How many people the messages of a workspace reached: its success rate is a share of them.

-- Since it was made, without tests; each counts once in a run. By totals as far as there are any, and the rest from the ledger: see
-- 0029_delivery_totals.sql.
create function people_of_workspace(workspace uuid) returns table (reached integer, missed integer)
  language plpgsql stable
as $$
#variable_conflict use_column
declare
  totalled timestamptz := coalesce((select p.totalled_until from totals_progress p where p.workspace_id = workspace), '-infinity');
begin
  return query
    with message as (
      -- Nothing that lies ahead was sent; the hour is for clocks that differ.
      select job_id, contact_id, address_channel, address, outcome from counted_messages(workspace, totalled, now() + interval '1 hour')
       union all
      select c.job_id, c.contact_id, c.address_channel, c.address, c.outcome
        from (select m.quarter from totals_marks m where m.workspace_id = workspace and m.quarter < totalled group by 1) changed
       cross join lateral counted_messages(workspace, changed.quarter, changed.quarter + interval '15 minutes') c
    ), run as (
      select bool_or(outcome = 'sent') as is_reached, bool_or(outcome = 'open') as is_open
        from message
       group by job_id, contact_id, address_channel, address
    )
    select coalesce(sum(p.reached), 0)::integer, coalesce(sum(p.missed), 0)::integer
      from (select t.reached, t.missed from totals_people t
             where t.workspace_id = workspace and t.quarter < totalled
               and not exists (select from totals_marks m where m.workspace_id = workspace and m.quarter = t.quarter)
             union all
            select count(*) filter (where is_reached), count(*) filter (where not is_reached and not is_open) from run) p;
end
$$;
revoke all on function people_of_workspace from public;
grant execute on function people_of_workspace to cuebird_app;

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
      'people', (select to_jsonb(p) from people_of_workspace(wanted) p),
      'executions', (select to_jsonb(e) from executed e) || jsonb_build_object('latest',
        coalesce((select jsonb_agg(to_jsonb(l) - 'listed_at' || jsonb_build_object('started_at', to_char(l.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
                                   order by l.listed_at desc, l.id desc) from latest l), '[]')),
      'recent_jobs', coalesce((select jsonb_agg(to_jsonb(n) || jsonb_build_object('created_at', to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
                                                order by n.id desc) from newest n), '[]')));
end
$$;
