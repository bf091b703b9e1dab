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

---------------------------------------------------------------------------------------------------- what becomes an event

-- The workspaces that have asked for events: nearly none, so that whoever writes outcomes pays one look at a small table.
create function workspaces_with_webhooks() returns uuid[]
  language sql stable security definer set search_path = public, pg_temp
as $$
  select array(select distinct workspace_id from webhooks where is_active and disabled_at is null)
$$;

create function instant_text(at timestamptz) returns text
  language sql immutable parallel safe
  return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

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
revoke all on function workspaces_with_webhooks, store_webhook_event from public;

create function report_deliveries() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  listening uuid[] := workspaces_with_webhooks();
begin
  if cardinality(listening) = 0 then
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform report_delivery(n.workspace_id, n.id, n.job_id, n.channel, n.recipient, n.status, n.reason, n.attempts, n.completed_at)
       from changed n
      where n.workspace_id = any (listening) and n.status in ('accepted', 'delivered', 'failed', 'skipped', 'unknown');
  else
    perform report_delivery(n.workspace_id, n.id, n.job_id, n.channel, n.recipient, n.status, n.reason, n.attempts, n.completed_at)
       from changed n
       join before o on o.job_id = n.job_id and o.scheduled_for = n.scheduled_for and o.channel = n.channel and o.recipient = n.recipient
      where n.workspace_id = any (listening) and n.status in ('accepted', 'delivered', 'failed', 'skipped', 'unknown')
        and o.status <> n.status;
  end if;
  return null;
end
$$;

create function report_delivery(workspace uuid, delivery uuid, job uuid, channel text, recipient text, status text, reason text, attempts integer,
                                at timestamptz) returns void
  language sql security definer set search_path = public, pg_temp
as $$
  select store_webhook_event(workspace, 'delivery.' || report_delivery.status, coalesce(at, now()), json_build_object(
           'delivery_id', delivery, 'job_id', job, 'reminder_id', j.reminder_id, 'name', left(j.name, 200), 'channel', channel,
           'recipient', recipient, 'status', report_delivery.status, 'reason', left(reason, 500), 'attempts', report_delivery.attempts,
           'scheduled_for', instant_text(j.scheduled_for), 'is_test', j.type = 'test_reminder'))
    from jobs j
   where j.id = job and j.workspace_id = workspace
$$;
revoke all on function report_deliveries, report_delivery from public;
create trigger deliveries_inserted_reported after insert on deliveries
  referencing new table as changed for each statement execute function report_deliveries();
create trigger deliveries_updated_reported after update on deliveries
  referencing old table as before new table as changed for each statement execute function report_deliveries();

create function report_jobs() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  listening uuid[] := workspaces_with_webhooks();
begin
  if cardinality(listening) = 0 then
    return null;
  end if;
  perform store_webhook_event(n.workspace_id, 'job.' || n.status, coalesce(n.completed_at, n.paused_at, n.updated_at), json_build_object(
            'job_id', n.id, 'reminder_id', n.reminder_id, 'name', left(n.name, 200), 'status', n.status,
            'reason', left(n.error_message, 500), 'scheduled_for', instant_text(n.scheduled_for), 'is_test', n.type = 'test_reminder'))
     from changed n
     join before o on o.id = n.id
    where n.workspace_id = any (listening) and n.status in ('completed', 'failed', 'cancelled', 'paused') and o.status <> n.status;
  return null;
end
$$;
revoke all on function report_jobs from public;
create trigger jobs_reported after update on jobs
  referencing old table as before new table as changed for each statement execute function report_jobs();

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

--------------------------------------------------------------------------------------------------------------- deletion

-- As in 0027_settings_and_deletion_of_workspaces.sql, with the events of webhooks.
create or replace function delete_workspace(workspace uuid, batch integer) returns boolean
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  source text;
  gone integer;
begin
  if not is_workspace_over(workspace) then
    return null;
  end if;
  -- The ledger and the queue go with their jobs, payloads with their events, texts and hooks with their reminders.
  foreach source in array array['jobs', 'webhook_events', 'events', 'reminders', 'contact_import_changes', 'contacts', 'suppressions', 'templates',
                                'sandbox_messages', 'received_reports', 'idempotency_keys']
  loop
    execute format('delete from %I where workspace_id = $1 and ctid = any (array(select ctid from %I where workspace_id = $1 limit $2))',
                   source, source)
      using workspace, batch;
    get diagnostics gone = row_count;
    if gone > 0 then
      return true;
    end if;
  end loop;
  delete from workspaces where id = workspace;
  return false;
end
$$;
