-- What happened outside, reported by the API, a hook or a calendar; and what happens in a workspace, which is sent to its webhooks.

----------------------------------------------------------------------------------------------------------------- events

create table events (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  -- The reminder whose hook reported it; null when the API did. Senders of different hooks may use the same keys.
  reminder_id uuid,
  key text not null check (char_length(key) between 1 and 200),
  event text not null,
  request_hash text not null,
  occurred_at timestamptz not null,
  cancelled_at timestamptz,
  created_at timestamptz not null default now(),
  api_key_id uuid,
  -- The event that a person sent again. Without a foreign key: it may be deleted before its repeat.
  repeated_event_id uuid,
  -- What its sender was told where it set off nothing, or less than expected.
  hint text check (char_length(hint) <= 300),
  unique nulls not distinct (workspace_id, reminder_id, key),
  foreign key (workspace_id, reminder_id) references reminders (workspace_id, id) on delete cascade,
  unique (workspace_id, id),
  foreign key (workspace_id, api_key_id) references api_keys (workspace_id, id) on delete set null (api_key_id)
);
comment on table events is 'An event, once per key. It is cancelled, never deleted by a request.';
comment on column events.api_key_id is 'The key that reported it; null where a hook or a person did.';
create index events_by_age on events (workspace_id, created_at);
-- By the beginning of the name, whatever the collation of the database.
create index events_by_name on events (workspace_id, event collate "C", created_at);
alter table events enable row level security, force row level security;
create policy app_workspace on events to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy owner_deletes on events for delete to current_user using (true);
grant select, insert on events to cuebird_app;
-- An event of a calendar may move, change its text, and come back after it was cancelled.
grant update (request_hash, occurred_at, cancelled_at, hint) on events to cuebird_app;

create table event_payloads (
  event_id uuid primary key,
  workspace_id uuid not null,
  payload jsonb not null,
  foreign key (workspace_id, event_id) references events (workspace_id, id) on delete cascade
);
comment on table event_payloads is 'What an event brings, once, however many reminders it sends: their jobs name the event.';
alter table event_payloads enable row level security, force row level security;
create policy app_workspace on event_payloads to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_read on event_payloads for select to cuebird_engine using (true);
create policy owner_deletes on event_payloads for delete to current_user using (true);
grant select, insert, update (payload) on event_payloads to cuebird_app;
grant select on event_payloads to cuebird_engine;

-- A call takes the row of the tenth call before it, so that there are never more.
create table hook_calls (
  workspace_id uuid not null,
  reminder_id uuid not null,
  slot smallint not null check (slot between 0 and 9),
  received_at timestamptz not null,
  status smallint not null check (status between 200 and 599),
  -- Why it was refused.
  problem text check (char_length(problem) <= 300),
  -- Without a foreign key: events are deleted by age.
  event_id uuid,
  primary key (workspace_id, reminder_id, slot),
  foreign key (workspace_id, reminder_id) references reminders (workspace_id, id) on delete cascade,
  check ((problem is null) = (event_id is not null))
);
comment on table hook_calls is 'The last ten calls of a reminder''s hook and how they were answered, without what they brought.';
alter table hook_calls enable row level security, force row level security;
create policy app_workspace on hook_calls to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert on hook_calls to cuebird_app;
grant update (received_at, status, problem, event_id) on hook_calls to cuebird_app;

-------------------------------------------------------------------------------------------------------------- calendars

-- A calendar that somebody subscribes to: what a workspace will send, at a secret address. It ends with the membership of its person.
create table calendar_feeds (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null,
  user_id uuid not null,
  shows text not null check (shows in ('workspace', 'own')),
  token_hash text not null unique,
  created_at timestamptz not null,
  last_read_at timestamptz,
  unique (workspace_id, id),
  unique (workspace_id, user_id, shows),
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade
);
comment on table calendar_feeds is 'A feed of what a workspace will send, for the calendar of a member. Its address is kept as a hash.';
comment on column calendar_feeds.shows is 'own: only the reminders that this member made.';
alter table calendar_feeds enable row level security, force row level security;
create policy app_workspace on calendar_feeds to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert, delete on calendar_feeds to cuebird_app;
grant update (last_read_at) on calendar_feeds to cuebird_app;

-- A calendar whose events become messages of a reminder: read again every hour from its address, or imported as a file.
create table calendar_sources (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces (id) on delete cascade,
  reminder_id uuid not null,
  name text not null,
  -- The address may let anybody read the calendar: only its host is shown.
  sealed_url text,
  host text,
  file text check (octet_length(file) <= 1048576),
  file_name text,
  offsets jsonb not null,
  all_day_time text not null,
  -- Rises with each edit: a reading that began before it changes nothing.
  version integer not null default 1,
  -- What the server said of its last answer, to be asked whether it has changed.
  etag text,
  last_modified text,
  last_read_at timestamptz,
  -- When the text was read whole: an unchanged one is read again after a day, because the days ahead have moved on.
  last_parsed_at timestamptz,
  next_read_at timestamptz not null,
  leased_until timestamptz,
  failure text,
  failures integer not null default 0,
  failing_since timestamptz,
  told_at timestamptz,
  left_out jsonb not null default '[]',
  created_by uuid,
  created_at timestamptz not null,
  unique (workspace_id, id),
  unique (workspace_id, reminder_id),
  foreign key (workspace_id, reminder_id) references reminders (workspace_id, id) on delete cascade,
  check ((sealed_url is null) <> (file is null)),
  check ((sealed_url is null) = (host is null)),
  check ((failure is null) = (failing_since is null))
);
comment on table calendar_sources is 'A calendar whose events are messages of one reminder. Its address is sealed.';
create index calendar_sources_by_time on calendar_sources (next_read_at);
alter table calendar_sources enable row level security, force row level security;
create policy app_workspace on calendar_sources to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert, delete on calendar_sources to cuebird_app;
grant update (name, sealed_url, host, file, file_name, offsets, all_day_time, version, etag, last_modified, last_read_at, last_parsed_at,
              next_read_at, leased_until, failure, failures, failing_since, told_at, left_out) on calendar_sources to cuebird_app;
-- A worker finds what is to be read, and takes it for itself.
create policy engine_read on calendar_sources for select to cuebird_engine using (true);
create policy engine_takes on calendar_sources for update to cuebird_engine using (true);
grant select (id, workspace_id, next_read_at, leased_until) on calendar_sources to cuebird_engine;
grant update (leased_until) on calendar_sources to cuebird_engine;
create policy owner_reseals on calendar_sources for update to current_user using (true);

--------------------------------------------------------------------------------------------------------------- webhooks

-- Webhooks: addresses to which a workspace's events are sent, and those events, which wait, are tried and stay as a log. They are no jobs:
-- nothing that counts, lists or limits jobs and deliveries sees them.

create table webhooks (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces (id) on delete cascade,
  url text not null check (octet_length(url) between 1 and 8000),
  event_types text[] not null check (cardinality(event_types) between 1 and 50),
  -- Whether people want it.
  is_active boolean not null default true,
  -- Set by the engine after days without an accepted event, until somebody turns the webhook on again.
  disabled_at timestamptz,
  -- When the owners were mailed about that.
  told_at timestamptz,
  -- Since when nothing was accepted, although something was tried.
  failing_since timestamptz,
  -- Failures in a row, and until when nothing more is tried because of them.
  failures integer not null default 0,
  held_until timestamptz,
  last_outcome text check (last_outcome in ('accepted', 'failed', 'unknown')),
  last_answer text,
  last_answered_at timestamptz,
  -- Events that were given up unsent because too many waited.
  dropped integer not null default 0,
  dropped_at timestamptz,
  created_by uuid references profiles (id) on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((last_outcome is null) = (last_answered_at is null))
) with (fillfactor = 50);
comment on table webhooks is 'An address to which a workspace sends its events.';
create index on webhooks (workspace_id, created_at);
create index on webhooks (created_by) where created_by is not null;
alter table webhooks enable row level security, force row level security;
create policy app_workspace on webhooks to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_all on webhooks to cuebird_engine using (true) with check (true);
create policy follow_parents on webhooks for select to current_user using (true);
grant select, insert, delete on webhooks to cuebird_app;
grant update (url, event_types, is_active, disabled_at, told_at, failing_since, failures, held_until, updated_at) on webhooks to cuebird_app;
grant select, update on webhooks to cuebird_engine;

-- Without foreign keys, as the queue and the ledger: a key could refuse the outcome of a delivery because a webhook has just been deleted.
create table webhook_events (
  -- The webhook-id, the same for every attempt.
  id uuid primary key default uuidv7(),
  workspace_id uuid not null,
  webhook_id uuid not null,
  type text not null,
  -- What is sent, as it is signed.
  body text not null check (octet_length(body) <= 65536),
  occurred_at timestamptz not null,
  status text not null default 'waiting' check (status in ('waiting', 'accepted', 'failed', 'unknown', 'dropped')),
  -- Counted before sending. While an attempt is under way, `next_attempt_at` is when it counts as lost.
  attempts integer not null default 0,
  unknowns integer not null default 0,
  next_attempt_at timestamptz,
  -- From when on the event is not tried any more.
  expires_at timestamptz not null,
  answer text,
  last_attempt_at timestamptz,
  completed_at timestamptz,
  check ((status = 'waiting') = (next_attempt_at is not null)),
  check ((status = 'waiting') = (completed_at is null))
) with (fillfactor = 70);
comment on table webhook_events is 'An event for a webhook: it waits to be sent, and then stays as the log. Written with what it tells of, in one transaction.';
create index webhook_events_due on webhook_events (webhook_id, next_attempt_at) where status = 'waiting';
create index webhook_events_by_age on webhook_events (workspace_id, webhook_id, occurred_at desc, id desc);
alter table webhook_events enable row level security, force row level security;
create policy app_workspace on webhook_events to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_all on webhook_events to cuebird_engine using (true) with check (true);
create policy follow_parents on webhook_events to current_user using (true) with check (true);
grant select, insert on webhook_events to cuebird_app;
grant update (status, attempts, unknowns, next_attempt_at, expires_at, answer, completed_at) on webhook_events to cuebird_app;
grant select, update, delete on webhook_events to cuebird_engine;

create function delete_events_of_webhooks() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from webhook_events e using gone where e.webhook_id = gone.id;
  return null;
end
$$;
revoke all on function delete_events_of_webhooks from public;
create trigger webhook_events_follow_webhooks after delete on webhooks
  referencing old table as gone for each statement execute function delete_events_of_webhooks();

-------------------------------------------------------------------------------------------------- what becomes an event

-- The workspaces that have asked for events: nearly none, so that whoever writes outcomes pays one look at a small table.
create function workspaces_with_webhooks() returns uuid[]
  language sql stable security definer set search_path = public, pg_temp
as $$
  select array(select distinct workspace_id from webhooks where is_active and disabled_at is null)
$$;

create function has_webhooks(workspace uuid) returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$
  select exists (select from webhooks where workspace_id = workspace and is_active and disabled_at is null)
$$;

-- One row for each webhook of the workspace that wants this type.
create function store_webhook_event(workspace uuid, kind text, at timestamptz, data json) returns void
  language sql security definer set search_path = public, pg_temp
as $$
  insert into webhook_events (workspace_id, webhook_id, type, body, occurred_at, next_attempt_at, expires_at)
  select h.workspace_id, h.id, kind,
         json_build_object('type', kind, 'version', 1, 'timestamp', instant_text(at), 'data', data)::text,
         at, at, at + interval '3 days'
    from webhooks h
   where h.workspace_id = workspace and h.is_active and h.disabled_at is null and kind = any (h.event_types);
  select pg_notify('cuebird_webhooks', '');
$$;
revoke all on function workspaces_with_webhooks, has_webhooks, store_webhook_event from public;

create function report_delivery(workspace uuid, delivery uuid, job uuid, channel text, recipient text, status text, reason text, reason_code text,
                                attempts integer, at timestamptz) returns void
  language sql security definer set search_path = public, pg_temp
as $$
  select store_webhook_event(workspace, 'delivery.' || report_delivery.status, coalesce(at, now()), json_build_object(
           'delivery_id', delivery, 'job_id', job, 'reminder_id', j.reminder_id, 'name', left(j.name, 200), 'channel', channel,
           'recipient', recipient, 'status', report_delivery.status, 'reason', left(reason, 500), 'reason_code', report_delivery.reason_code,
           'attempts', report_delivery.attempts, 'scheduled_for', instant_text(j.scheduled_for), 'is_test', j.type = 'test_reminder'))
    from jobs j
   where j.id = job and j.workspace_id = workspace
$$;

-- Deliveries and jobs report row by row. The tables of changed rows that a statement's trigger reads copy each row, before and after, also
-- while no workspace has a webhook. Who writes many rows asks once for all of them whether a workspace has a webhook, and sets
-- `cuebird.has_no_webhooks` for its transaction if none has.
create function report_deliveries() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if has_webhooks(new.workspace_id) then
    perform report_delivery(new.workspace_id, new.id, new.job_id, new.channel, new.recipient, new.status, new.reason, new.reason_code,
                            new.attempts, new.completed_at);
  end if;
  return null;
end
$$;
create trigger deliveries_inserted_reported after insert on deliveries
  for each row
  when (new.status in ('accepted', 'delivered', 'failed', 'skipped', 'unknown')
        and coalesce(current_setting('cuebird.has_no_webhooks', true), '') <> 'on')
  execute function report_deliveries();
create trigger deliveries_updated_reported after update on deliveries
  for each row
  when (new.status in ('accepted', 'delivered', 'failed', 'skipped', 'unknown') and old.status <> new.status
        and coalesce(current_setting('cuebird.has_no_webhooks', true), '') <> 'on')
  execute function report_deliveries();

create function report_jobs() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if has_webhooks(new.workspace_id) then
    perform store_webhook_event(new.workspace_id, 'job.' || new.status, coalesce(new.completed_at, new.paused_at, new.updated_at),
              json_build_object(
                'job_id', new.id, 'reminder_id', new.reminder_id, 'name', left(new.name, 200), 'status', new.status,
                'reason', left(new.error_message, 500), 'reason_code', new.reason_code,
                'scheduled_for', instant_text(new.scheduled_for), 'is_test', new.type = 'test_reminder'));
  end if;
  return null;
end
$$;
create trigger jobs_reported after update on jobs
  for each row
  when (new.status in ('completed', 'failed', 'cancelled', 'paused') and old.status <> new.status
        and coalesce(current_setting('cuebird.has_no_webhooks', true), '') <> 'on')
  execute function report_jobs();
revoke all on function report_deliveries, report_delivery, report_jobs from public;

create function report_notices() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  listening uuid[] := workspaces_with_webhooks();
begin
  if cardinality(listening) = 0 then
    return null;
  end if;
  perform store_webhook_event(n.workspace_id, 'job.missed', n.created_at, json_build_object(
            'job_id', n.job_id, 'reminder_id', j.reminder_id, 'name', left(n.name, 200), 'kind', n.kind, 'reason', left(n.reason, 500),
            'scheduled_for', instant_text(n.scheduled_for)))
     from added n
     left join jobs j on j.id = n.job_id
    where n.workspace_id = any (listening);
  return null;
end
$$;
revoke all on function report_notices from public;
create trigger notices_reported after insert on notices
  referencing new table as added for each statement execute function report_notices();

create function report_suppressions() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  listening uuid[] := workspaces_with_webhooks();
begin
  if cardinality(listening) = 0 then
    return null;
  end if;
  perform store_webhook_event(n.workspace_id,
            case when n.reason in ('unsubscribed', 'stopped') then 'recipient.unsubscribed' else 'recipient.suppressed' end,
            n.created_at, json_build_object('channel', n.channel, 'recipient', n.recipient, 'reason', n.reason))
     from added n
    where n.workspace_id = any (listening);
  return null;
end
$$;
revoke all on function report_suppressions from public;
create trigger suppressions_reported after insert on suppressions
  referencing new table as added for each statement execute function report_suppressions();
