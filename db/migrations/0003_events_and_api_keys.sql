-- API keys, how often they call, events from outside, and the addresses at which other systems report them.

create function current_api_key_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.api_key_id', true), '')::uuid;

--------------------------------------------------------------------------------------------------------------- API keys

create table api_keys (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (btrim(name) <> '' and char_length(name) <= 100),
  role text not null check (role in ('admin', 'member')),
  -- The beginning of the key, for a person to recognise it by; the key itself is not kept.
  prefix text not null,
  token_hash text not null unique,
  created_by uuid references profiles on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  unique (workspace_id, id)
);
create index api_keys_by_age on api_keys (workspace_id, created_at desc, id desc);

-- One row per workspace and kind of request, counted anew every hour.
create table request_counts (
  workspace_id uuid not null references workspaces on delete cascade,
  bucket text not null check (bucket in ('api', 'hooks')),
  window_start timestamptz not null,
  used integer not null,
  primary key (workspace_id, bucket)
) with (fillfactor = 50);

-- A repeated POST is known by who has sent it: a person or a key.
alter table idempotency_keys
  alter column user_id drop not null,
  add column api_key_id uuid,
  add foreign key (workspace_id, api_key_id) references api_keys (workspace_id, id) on delete cascade,
  add check (num_nonnulls(user_id, api_key_id) = 1),
  drop constraint idempotency_keys_workspace_id_user_id_key_key,
  add unique nulls not distinct (workspace_id, user_id, api_key_id, key);

alter policy app_workspace on idempotency_keys
  using ((user_id = current_user_id() or api_key_id = current_api_key_id()) and workspace_id is not distinct from current_workspace_id())
  with check ((user_id = current_user_id() or api_key_id = current_api_key_id()) and workspace_id is not distinct from current_workspace_id());

----------------------------------------------------------------------------------------------------------------- events

-- What has happened outside, once per key. What it brought is in its jobs.
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
  foreign key (workspace_id, reminder_id) references reminders (workspace_id, id) on delete cascade
);

alter table jobs add column event_id uuid;
-- An event sends a reminder once, whatever races.
create unique index one_job_per_event on jobs (event_id, reminder_id) where event_id is not null;

create index reminders_by_trigger on reminders (workspace_id, (schedule_config ->> 'eventTrigger'))
  where status = 'active' and schedule_config ->> 'type' = 'event-based';

-- The address of a reminder's hook is derived from these numbers and the installation's key. No row: the first address, no secret.
create table reminder_hooks (
  workspace_id uuid not null,
  reminder_id uuid not null,
  -- Raised to make the addresses before it worthless.
  generation integer not null default 0 check (generation >= 0),
  sealed_secret text,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, reminder_id),
  foreign key (workspace_id, reminder_id) references reminders (workspace_id, id) on delete cascade
);

----------------------------------------------------------------------------------------------------- row-level security

do $$
declare
  name text;
begin
  foreach name in array array['api_keys', 'request_counts', 'events', 'reminder_hooks']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy app_workspace on %I to cuebird_app using (workspace_id = current_workspace_id())
      with check (workspace_id = current_workspace_id())', name);
    -- None is ever removed by a request: a key is revoked, an event cancelled.
    execute format('grant select, insert, update on %I to cuebird_app', name);
  end loop;
end
$$;
