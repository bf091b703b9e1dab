-- The latest executions and jobs say whether they failed after somebody was reached.
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
      select e.id, e.job_id, j.name, e.status, e.started_at, e.duration_ms, e.listed_at,
             e.status = 'failed' and (jsonb_path_exists(e.logs, '$.accepted ? (@ > 0)') or jsonb_path_exists(e.logs, '$.delivered ? (@ > 0)')) as is_partly_sent
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
      select j.id, j.name, j.type, j.status, j.created_at,
             j.status = 'failed' and exists (
               select from deliveries d
                where d.workspace_id = wanted and d.job_id = j.id and d.scheduled_for = j.scheduled_for
                  and d.status in ('accepted', 'delivered')) as is_partly_sent
        from jobs j
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
