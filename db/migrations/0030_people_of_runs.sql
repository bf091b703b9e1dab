-- What a run came to, by messages and by people. A person is the contact of the ledger's rows, or else their channel and recipient. A person with a message
-- that was sent is reached; else one with a message that waits, waits; else the outcome that came last counts. At most `most` rows are read; null reads all.
create function counts_of_run(workspace uuid, job uuid, at timestamptz, most integer)
  returns table (unit text, outcome text, reason_code text, reason_params jsonb, count integer)
  language sql stable rows 5
as $$
  with lines as materialized (
    select d.id, d.status, d.reason_code, d.reason_params, d.completed_at,
           coalesce(d.contact_id::text, d.channel || ' ' || d.recipient) collate "C" as person
      from deliveries d
     where d.workspace_id = workspace and d.job_id = job and d.scheduled_for = at
     limit most
  ), people as (
    select distinct on (person)
           case when status in ('accepted', 'delivered') then 'reached' when status in ('queued', 'sending', 'waiting') then 'waiting'
                when status = 'skipped' then 'skipped' else 'failed' end as outcome,
           reason_code, reason_params
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

-- The people of a run, as an activity reports them: their counts, and the reasons of the others, the most frequent first.
create function people_of_run(workspace uuid, job uuid, at timestamptz) returns json
  language sql stable
as $$
  with people as (select outcome, reason_code, reason_params, count from counts_of_run(workspace, job, at, null) where unit = 'person')
  select json_build_object(
           'total', coalesce(sum(count), 0), 'reached', coalesce(sum(count) filter (where outcome = 'reached'), 0),
           'waiting', coalesce(sum(count) filter (where outcome = 'waiting'), 0), 'failed', coalesce(sum(count) filter (where outcome = 'failed'), 0),
           'skipped', coalesce(sum(count) filter (where outcome = 'skipped'), 0),
           'unreached', coalesce((
             select json_agg(json_build_object('outcome', outcome, 'reason_code', reason_code, 'reason_params', reason_params, 'people', count))
               from (select * from people where outcome in ('failed', 'skipped') order by count desc, reason_code, reason_params::text limit 10) most), '[]'))
    from people
$$;

create or replace function report_jobs() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if has_webhooks(new.workspace_id) then
    perform store_webhook_activity(new.workspace_id, 'job.' || new.status, coalesce(new.completed_at, new.paused_at, new.updated_at),
              json_build_object(
                'job_id', new.id, 'reminder_id', new.reminder_id, 'name', left(new.name, 200), 'status', new.status,
                'reason', left(new.error_message, 500), 'reason_code', new.reason_code,
                'people', people_of_run(new.workspace_id, new.id, new.scheduled_for),
                'scheduled_for', instant_text(new.scheduled_for), 'is_test', new.type = 'test_reminder'),
              hops_of(new));
  end if;
  return null;
end
$$;
