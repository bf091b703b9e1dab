-- Whom a list has by one address and the ledger by another one, too, is one person: the row of the other address names that of the list. What makes a contact part
-- of an audience is no address: it begins with a word.
create function is_listed_address(through text) returns boolean
  language sql immutable parallel safe
  return coalesce(through ~ '^([^ ]+@|[+]?[(0-9])', false);

create function listed_address(recipient text, through text) returns text
  language sql immutable parallel safe
  return case when is_listed_address(through) then through else recipient end;

create function listed_channel(channel text, through text) returns text
  language sql immutable parallel safe
  return case when not is_listed_address(through) then address_channel(channel) when position('@' in through) > 0 then 'email' else 'sms' end;

create or replace function counts_of_run(workspace uuid, job uuid, at timestamptz, most integer)
  returns table (unit text, outcome text, reason_code text, reason_params jsonb, count integer)
  language sql stable rows 5
as $$
  with lines as materialized (
    select d.id, d.status, d.reason_code, d.reason_params, d.completed_at,
           coalesce(d.contact_id::text, listed_channel(d.channel, d.through) || ' ' || listed_address(d.recipient, d.through)) collate "C" as person
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

create or replace function counted_messages(workspace uuid, since timestamptz, until timestamptz)
  returns table (quarter timestamptz, scheduled_for timestamptz, job_id uuid, channel text, contact_id uuid, address_channel text, address text,
                 outcome text, reason text, latency_ms bigint)
  language sql stable
as $$
  select quarter_of(d.scheduled_for), d.scheduled_for, d.job_id, d.channel,
         d.contact_id, case when d.contact_id is null then listed_channel(d.channel, d.through) end,
         case when d.contact_id is null then listed_address(d.recipient, d.through) end,
         case when d.status in ('accepted', 'delivered') then 'sent'
              when d.status in ('failed', 'unknown') then 'failed'
              when d.status = 'skipped' then 'skipped'
              else 'open' end,
         case when d.status in ('failed', 'unknown') then coalesce(nullif(left(d.reason, 300), ''), 'No reason was given') end,
         case when d.status in ('accepted', 'delivered') then rounded_ms(1000 * date_part('epoch',
           coalesce(
             case when d.status = 'delivered' and d.attempt_history is not null then
               (select (h ->> 'answered')::timestamptz from jsonb_array_elements(d.attempt_history) h where h ->> 'status' = 'accepted' limit 1)
             end, d.completed_at) - case when j.type = 'reminder' then d.scheduled_for else greatest(d.scheduled_for, j.created_at) end)) end
    from jobs j
    join deliveries d on d.job_id = j.id and d.scheduled_for = j.scheduled_for
   where j.workspace_id = workspace and j.scheduled_for >= since and j.scheduled_for < until and j.type not in ('test_reminder', 'preferences_link')
     and d.workspace_id = workspace and d.scheduled_for >= since and d.scheduled_for < until
     and (d.status <> 'skipped' or d.reason_code is null or d.reason_code not in ('person_skipped', 'person_paused'))
$$;
