-- A clock that is corrected while a run lasts can make it longer, or shorter than nothing, by more than the 24.8 days that its milliseconds
-- have room for. Its duration is then the most, or the least, that there is.

create or replace view executions with (security_invoker = true) as
select r.id, r.workspace_id, r.job_id, r.status, r.started_at, r.completed_at, r.duration_ms, r.error_message, r.logs, r.failed_at, r.listed_at,
       r.is_on_job
  from (select e.id, e.workspace_id, e.job_id, e.status, e.started_at, e.completed_at, e.duration_ms, e.error_message, e.logs,
               case when e.status <> 'completed' then coalesce(e.completed_at, e.started_at) end as failed_at, e.started_at as listed_at,
               false as is_on_job, '' as outcome
          from job_executions e
        union all
        -- Without a condition of its own: the planner could not read it in the order of an index.
        select j.id, j.workspace_id, j.id, j.status, j.started_at, j.completed_at,
               least(greatest(date_part('epoch', j.completed_at - j.started_at) * 1000, -2147483648), 2147483647)::integer, j.error_message,
               jsonb_build_object('attempt', 1, 'attempted', 1, coalesce(j.run_outcome, ''), 1), j.failed_at, j.scheduled_for, true,
               j.run_outcome
          from jobs j) r
 where r.outcome is not null;

create or replace function keep_run() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  insert into job_executions (id, workspace_id, job_id, status, started_at, completed_at, duration_ms, error_message, logs)
  values (old.id, old.workspace_id, old.id, old.status, old.started_at, old.completed_at,
          least(greatest(date_part('epoch', old.completed_at - old.started_at) * 1000, -2147483648), 2147483647)::integer, old.error_message,
          jsonb_build_object('attempt', 1, 'attempted', 1, old.run_outcome, 1));
  update jobs set run_outcome = null where id = old.id;
  return null;
end
$$;

-- What has no run yet is on the row of a job. A run of `job_executions` that begins ahead, by such a clock, is not left out.
create or replace function latest_executions(workspace uuid, since timestamptz, most integer)
  returns table (id uuid, workspace_id uuid, job_id uuid, status text, started_at timestamptz, duration_ms integer, error_message text,
                 listed_at timestamptz)
  language sql stable set search_path = public, pg_temp
as $$
  select e.id, e.workspace_id, e.job_id, e.status, e.started_at, e.duration_ms, e.error_message, e.listed_at
    from executions e
   where e.workspace_id = workspace and e.listed_at >= since and (not e.is_on_job or e.listed_at < now() + interval '1 hour')
     and e.listed_at >= (select coalesce((select x.started_at from job_executions x where x.workspace_id = workspace and x.started_at >= since
                                           order by x.started_at desc, x.id desc offset least(most, 100) - 1 limit 1), '-infinity'))
   order by e.listed_at desc, e.id desc limit least(most, 100)
$$;

-- The test jobs are hashed once. An array of them was searched for each run.
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
