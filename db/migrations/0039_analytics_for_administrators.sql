-- How a workspace does, for administrators of the installation: what its members read from `/api/analytics`. Null where there is none.
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
      select count(*)::integer as total, round(avg(e.duration_ms), 1)::float8 as average_ms from job_executions e
       where e.workspace_id = wanted and e.duration_ms is not null
         and not e.job_id = any (array(select id from jobs where workspace_id = wanted and type = 'test_reminder'))
    ), latest as (
      select e.id, e.job_id, j.name, e.status, e.started_at, e.duration_ms
        from job_executions e join jobs j on j.workspace_id = e.workspace_id and j.id = e.job_id
       where e.workspace_id = wanted and e.duration_ms is not null and j.type <> 'test_reminder'
       order by e.started_at desc, e.id desc limit least(most, 100)
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
        coalesce((select jsonb_agg(to_jsonb(l) || jsonb_build_object('started_at', to_char(l.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
                                   order by l.started_at desc, l.id desc) from latest l), '[]')),
      'recent_jobs', coalesce((select jsonb_agg(to_jsonb(n) || jsonb_build_object('created_at', to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
                                                order by n.id desc) from newest n), '[]')));
end
$$;
revoke all on function analytics_for_administrator from public;
grant execute on function analytics_for_administrator to cuebird_app;
