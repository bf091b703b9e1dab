-- Reminders that one person does not get: all of them before a day, or a single run.

-- Without a default, no row is written.
alter table contacts add column paused_until date;
comment on column contacts.paused_until is 'The day on which the person gets reminders again. It begins in the time zone of the contact, else of the reminder.';
grant update (paused_until) on contacts to cuebird_app;
create index contacts_paused on contacts (workspace_id) where paused_until is not null;

create table job_skips (
  workspace_id uuid not null references workspaces on delete cascade,
  job_id uuid not null references jobs on delete cascade,
  contact_id uuid not null,
  created_at timestamptz not null,
  primary key (job_id, contact_id),
  foreign key (workspace_id, contact_id) references contacts (workspace_id, id) on delete cascade
);
comment on table job_skips is 'Who does not get a run that lies ahead. The job keeps its id when an edit moves it, and so the skip moves along.';
create index on job_skips (workspace_id, contact_id);
alter table job_skips enable row level security, force row level security;
create policy app_workspace on job_skips to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_read on job_skips for select to cuebird_engine using (true);
grant select, insert, delete on job_skips to cuebird_app;
grant select on job_skips to cuebird_engine;

-- What a person was not to get is neither reached nor missed: it does not count at all.
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
     and (d.status <> 'skipped' or d.reason_code is null or d.reason_code not in ('person_skipped', 'person_paused'))
$$;
