-- Somebody who is no contact is known by their address. A number is the same for SMS and WhatsApp: whoever is listed by one for both is one person.

create function address_channel(channel text) returns text
  language sql immutable strict parallel safe
  return case channel when 'whatsapp' then 'sms' else channel end;

create or replace function counted_messages(workspace uuid, since timestamptz, until timestamptz)
  returns table (quarter timestamptz, scheduled_for timestamptz, job_id uuid, channel text, contact_id uuid, address_channel text, address text,
                 outcome text, reason text, latency_ms bigint)
  language sql stable
as $$
  select quarter_of(d.scheduled_for), d.scheduled_for, d.job_id, d.channel,
         d.contact_id, case when d.contact_id is null then address_channel(d.channel) end, case when d.contact_id is null then d.recipient end,
         case when d.status in ('accepted', 'delivered') then 'sent'
              when d.status in ('failed', 'unknown') then 'failed'
              when d.status = 'skipped' then 'skipped'
              else 'open' end,
         case when d.status in ('failed', 'unknown') then coalesce(nullif(left(d.reason, 300), ''), 'No reason was given') end,
         case when d.status in ('accepted', 'delivered') then rounded_ms(1000 * date_part('epoch',
           coalesce(
             case when d.status = 'delivered' and d.attempt_history is not null then
               (select (h ->> 'answered')::timestamptz from jsonb_array_elements(d.attempt_history) h where h ->> 'status' = 'accepted' limit 1)
             end, d.completed_at) - d.scheduled_for)) end
    from jobs j
    join deliveries d on d.job_id = j.id and d.scheduled_for = j.scheduled_for
   where j.workspace_id = workspace and j.scheduled_for >= since and j.scheduled_for < until and j.type <> 'test_reminder'
     and d.workspace_id = workspace and d.scheduled_for >= since and d.scheduled_for < until
$$;

create or replace function has_other_message(contact uuid, over text, address text, since timestamptz, until timestamptz) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
begin
  if contact is not null then
    return exists (
      select from (select d.job_id, d.scheduled_for
                     from deliveries d
                    where d.workspace_id = current_workspace_id() and d.contact_id = contact
                      and d.scheduled_for >= since and d.scheduled_for < until
                      and d.status not in ('failed', 'unknown', 'skipped')
                   offset 0) d
       where exists (select from jobs j where j.id = d.job_id and j.scheduled_for = d.scheduled_for and j.type <> 'test_reminder' offset 0));
  end if;
  return exists (
    select from (select d.job_id, d.scheduled_for
                   from deliveries d
                  where d.workspace_id = current_workspace_id() and address_hash(d.recipient) = address_hash(address)
                    and d.channel not in ('slack', 'push') and d.recipient not like 'http%://%'
                    and address_channel(d.channel) = over and d.recipient = address and d.contact_id is null
                    and d.scheduled_for >= since and d.scheduled_for < until
                    and d.status not in ('failed', 'unknown', 'skipped')
                 offset 0) d
     where exists (select from jobs j where j.id = d.job_id and j.scheduled_for = d.scheduled_for and j.type <> 'test_reminder' offset 0));
end
$$;

create or replace function missed_message(contact uuid, over text, address text, due timestamptz)
  returns table (channel text, recipient text, name text, reason text)
  language plpgsql stable security definer set search_path = public, pg_temp rows 1
as $$
#variable_conflict use_column
begin
  if contact is not null then
    return query
      select d.channel, d.recipient, d.recipient_name, d.reason
        from deliveries d join jobs j on j.id = d.job_id and j.scheduled_for = d.scheduled_for
       where d.workspace_id = current_workspace_id() and d.contact_id = contact and d.scheduled_for = due
         and d.status in ('failed', 'unknown', 'skipped') and j.type <> 'test_reminder'
       order by d.id desc limit 1;
  else
    return query
      select d.channel, d.recipient, d.recipient_name, d.reason
        from jobs j join deliveries d on d.job_id = j.id and d.scheduled_for = j.scheduled_for
       where j.workspace_id = current_workspace_id() and j.scheduled_for = due and j.type <> 'test_reminder'
         and d.scheduled_for = due and address_channel(d.channel) = over and d.recipient = address and d.contact_id is null
         and d.status in ('failed', 'unknown', 'skipped')
       order by d.id desc limit 1;
  end if;
end
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
