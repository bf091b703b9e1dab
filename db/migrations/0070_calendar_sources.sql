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
-- As in 0044_rotation_of_the_key.sql.
create policy owner_reseals on calendar_sources for update to current_user using (true);

-- An event of a calendar may move, change its text, and come back after it was cancelled.
grant update (request_hash, occurred_at) on events to cuebird_app;
grant update (payload) on event_payloads to cuebird_app;
