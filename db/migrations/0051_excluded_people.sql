-- Whoever was not to get a message, because their run was skipped or reminders to them are paused, is counted apart: nobody has missed it.
create function outcome_of_person(status text, reason_code text) returns text
  language sql immutable
as $$
  select case when status in ('accepted', 'delivered') then 'reached' when status in ('queued', 'sending', 'waiting') then 'waiting'
              when status <> 'skipped' then 'failed' when reason_code in ('person_skipped', 'person_paused') then 'excluded' else 'skipped' end
$$;

create or replace function counts_of_run(workspace uuid, job uuid, at timestamptz, most integer)
  returns table (unit text, outcome text, reason_code text, reason_params jsonb, count integer)
  language sql stable rows 5
as $$
  with lines as materialized (
    select d.id, d.status, d.reason_code, d.reason_params, d.completed_at,
           coalesce(d.contact_id::text, address_channel(d.channel) || ' ' || d.recipient) collate "C" as person
      from deliveries d
     where d.workspace_id = workspace and d.job_id = job and d.scheduled_for = at
     limit most
  ), people as (
    select distinct on (person) outcome_of_person(status, reason_code) as outcome, reason_code, reason_params
      from lines
     order by person, status in ('accepted', 'delivered') desc, status in ('queued', 'sending', 'waiting') desc, completed_at desc nulls last,
              status = 'skipped', id desc
  )
  select 'message', status, null, null, count(*)::integer from lines group by status
  union all
  select 'person', outcome, unreached.reason_code, unreached.reason_params, count(*)::integer
    from people
   cross join lateral (
     select case when outcome in ('failed', 'skipped') then people.reason_code end as reason_code,
            case when outcome in ('failed', 'skipped') then people.reason_params end as reason_params) unreached
   group by outcome, unreached.reason_code, unreached.reason_params
$$;

create or replace function counts_of_people(workspace uuid, job uuid, at timestamptz, among uuid[])
  returns table (outcome text, reason_code text, reason_params jsonb, count integer)
  language sql stable rows 5
as $$
  with people as (
    select distinct on (d.contact_id) outcome_of_person(d.status, d.reason_code) as outcome, d.reason_code, d.reason_params
      from deliveries d
     where d.workspace_id = workspace and d.job_id = job and d.scheduled_for = at and d.contact_id = any (among)
     order by d.contact_id, d.status in ('accepted', 'delivered') desc, d.status in ('queued', 'sending', 'waiting') desc,
              d.completed_at desc nulls last, d.status = 'skipped', d.id desc
  )
  select outcome, unreached.reason_code, unreached.reason_params, count(*)::integer
    from people
   cross join lateral (
     select case when outcome in ('failed', 'skipped') then people.reason_code end as reason_code,
            case when outcome in ('failed', 'skipped') then people.reason_params end as reason_params) unreached
   group by outcome, unreached.reason_code, unreached.reason_params
$$;

create or replace function people_of_run(workspace uuid, job uuid, at timestamptz) returns json
  language sql stable
as $$
  with people as (select outcome, reason_code, reason_params, count from counts_of_run(workspace, job, at, null) where unit = 'person')
  select json_build_object(
           'total', coalesce(sum(count) filter (where outcome <> 'excluded'), 0),
           'reached', coalesce(sum(count) filter (where outcome = 'reached'), 0),
           'waiting', coalesce(sum(count) filter (where outcome = 'waiting'), 0), 'failed', coalesce(sum(count) filter (where outcome = 'failed'), 0),
           'skipped', coalesce(sum(count) filter (where outcome = 'skipped'), 0),
           'excluded', coalesce(sum(count) filter (where outcome = 'excluded'), 0),
           'unreached', coalesce((
             select json_agg(json_build_object('outcome', outcome, 'reason_code', reason_code, 'reason_params', reason_params, 'people', count))
               from (select * from people where outcome in ('failed', 'skipped') order by count desc, reason_code, reason_params::text limit 10) most), '[]'))
    from people
$$;
