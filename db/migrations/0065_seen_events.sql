-- What the lists of events and of a hook's calls show.

alter table events
  add column api_key_id uuid,
  -- The event that a person sent again. Without a foreign key: it may be deleted before its repeat.
  add column repeated_event_id uuid,
  -- What its sender was told where it set off nothing, or less than expected.
  add column hint text check (char_length(hint) <= 300),
  add foreign key (workspace_id, api_key_id) references api_keys (workspace_id, id) on delete set null (api_key_id);
comment on column events.api_key_id is 'The key that reported it; null where a hook or a person did.';
grant update (hint) on events to cuebird_app;
-- By the beginning of the name, whatever the collation of the database.
create index events_by_name on events (workspace_id, event collate "C", created_at);

alter table reminder_hooks add column calls bigint not null default 0 check (calls >= 0);
comment on column reminder_hooks.calls is 'How many calls were answered; numbers the rows of hook_calls.';
grant update (calls) on reminder_hooks to cuebird_app;

-- A call takes the row of the tenth call before it, so that there are never more.
create table hook_calls (
  workspace_id uuid not null,
  reminder_id uuid not null,
  slot smallint not null check (slot between 0 and 9),
  called_at timestamptz not null,
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
grant update (called_at, status, problem, event_id) on hook_calls to cuebird_app;
