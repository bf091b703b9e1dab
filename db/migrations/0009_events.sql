-- What happened outside, reported by the API or a hook.

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
  unique nulls not distinct (workspace_id, reminder_id, key),
  foreign key (workspace_id, reminder_id) references reminders (workspace_id, id) on delete cascade,
  unique (workspace_id, id)
);
comment on table events is 'An event, once per key. It is cancelled, never deleted by a request.';
create index events_by_age on events (workspace_id, created_at);
alter table events enable row level security, force row level security;
create policy app_workspace on events to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy owner_deletes on events for delete to current_user using (true);
grant select, insert, update on events to cuebird_app;

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
grant select, insert on event_payloads to cuebird_app;
grant select on event_payloads to cuebird_engine;
