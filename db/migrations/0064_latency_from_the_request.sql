-- A message of a job that was asked for after its time could not be sent earlier: its latency begins with the request. The time of an
-- occurrence of a reminder is known beforehand, however late the server makes its job.
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
             end, d.completed_at) - case when j.type = 'reminder' then d.scheduled_for else greatest(d.scheduled_for, j.created_at) end)) end
    from jobs j
    join deliveries d on d.job_id = j.id and d.scheduled_for = j.scheduled_for
   where j.workspace_id = workspace and j.scheduled_for >= since and j.scheduled_for < until and j.type not in ('test_reminder', 'preferences_link')
     and d.workspace_id = workspace and d.scheduled_for >= since and d.scheduled_for < until
     and (d.status <> 'skipped' or d.reason_code is null or d.reason_code not in ('person_skipped', 'person_paused'))
$$;
