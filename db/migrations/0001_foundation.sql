-- The tenant boundary, people, reminders, the queue and the ledger.
--
-- Three roles, none of which owns a table or passes row-level security:
--   cuebird_app     what HTTP requests run as; sees the workspace and user that the transaction names, nothing else
--   cuebird_engine  what the delivery actors run as; crosses workspaces, on the tables it needs only
--   cuebird_auth    what sign-in runs as; people and their sessions only
-- They are NOLOGIN groups, created before this file runs; each database has login roles of its own that belong to one of them.

-- PostgreSQL 18 brings uuidv7(); 17 gets the same: 48 bits of milliseconds, then random bits (RFC 9562, section 5.7).
do $$
begin
  if current_setting('server_version_num')::integer < 180000 then
    create function uuidv7() returns uuid language sql volatile parallel safe as $f$
      select encode(
        set_bit(set_bit(
          overlay(uuid_send(gen_random_uuid())
            placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
          52, 1), 53, 1), 'hex')::uuid
    $f$;
  end if;
end
$$;

create function current_workspace_id() returns uuid
  language sql stable parallel safe
  -- After a transaction that set it, an unset setting reads as '' and not as null.
  return nullif(current_setting('app.workspace_id', true), '')::uuid;

create function current_user_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.user_id', true), '')::uuid;

---------------------------------------------------------------------------------------------------------------- people

create table profiles (
  id uuid primary key default uuidv7(),
  email text not null check (email = lower(email)),
  email_verified boolean not null default false,
  full_name text not null default '',
  avatar_url text,
  is_system_admin boolean not null default false,
  is_demo boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (email),
  -- The demo account's link is printed on a terminal; it must never open the whole installation.
  check (not (is_demo and is_system_admin))
);

create table auth_sessions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references profiles on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on auth_sessions (user_id);

create table auth_accounts (
  id uuid primary key default uuidv7(),
  user_id uuid not null references profiles on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index on auth_accounts (user_id);

create table auth_verifications (
  id uuid primary key default uuidv7(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on auth_verifications (identifier);

------------------------------------------------------------------------------------------------------------ workspaces

create table workspaces (
  id uuid primary key default uuidv7(),
  name text not null check (btrim(name) <> ''),
  slug text not null unique,
  description text not null default '',
  avatar_url text,
  settings jsonb not null default '{}',
  subscription_status text not null default 'active',
  subscription_tier text not null default 'free' check (subscription_tier in ('free', 'basic', 'premium', 'enterprise')),
  subscription_end_date timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table workspace_members (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  user_id uuid not null references profiles on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  joined_at timestamptz not null default now(),
  unique (workspace_id, user_id)
);
create index on workspace_members (user_id);

------------------------------------------------------------------------------------------------- channels and reminders

create table channels (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (btrim(name) <> ''),
  type text not null check (type in ('email', 'sms', 'whatsapp', 'webhook', 'slack')),
  is_active boolean not null default true,
  is_verified boolean not null default false,
  configuration jsonb not null default '{}',
  -- Sealed one by one under the workspace and channel; never selected by what answers the API.
  sealed_secrets jsonb not null default '{}',
  created_by uuid references profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, id)
);

create table reminders (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (btrim(name) <> '' and char_length(name) <= 100),
  description text check (char_length(description) <= 500),
  status text not null check (status in ('active', 'paused', 'draft')),
  -- Read whole with every claim and never searched: json is handed out as it came in, jsonb would be written anew.
  schedule_config json not null,
  content json not null,
  metadata json not null,
  -- Raised by every edit: what was prepared from an older revision does not go out.
  revision integer not null default 1,
  created_by uuid references profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, id)
);
create index reminders_by_age on reminders (workspace_id, created_at desc, id desc);

--------------------------------------------------------------------------------------------------------------- the queue

create table jobs (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null,
  reminder_id uuid,
  name text not null,
  type text not null check (type in ('reminder', 'event_reminder', 'test_reminder', 'api_notification')),
  status text not null default 'pending' check (status in ('pending', 'running', 'completed', 'failed', 'cancelled', 'paused')),
  scheduled_for timestamptz not null,
  -- When the dispatcher may take it: scheduled_for at first, later while a retry waits.
  run_at timestamptz not null,
  expires_at timestamptz,
  attempts integer not null default 0,
  max_attempts integer not null default 8,
  -- The reminder's revision that this occurrence was computed from.
  revision integer not null default 1,
  payload jsonb not null default '{}',
  error_message text,
  -- Why no further attempt of a running job may start.
  stop_reason text,
  -- Raised by every claim: whoever holds an older fence no longer speaks for the job.
  fence integer not null default 0,
  lease_until timestamptz,
  worker text,
  started_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'running') = (lease_until is not null))
) with (fillfactor = 80);

-- One occurrence per reminder and time, whatever races.
create unique index one_job_per_occurrence on jobs (reminder_id, scheduled_for) where type = 'reminder';
create index jobs_of_reminder on jobs (reminder_id) where type <> 'reminder';
create index jobs_paused on jobs (scheduled_for) where status = 'paused';
create index jobs_due on jobs (run_at) where status = 'pending';
create index jobs_due_by_workspace on jobs (workspace_id, run_at) where status = 'pending';
create index jobs_leased on jobs (lease_until) where status = 'running';
create index jobs_by_age on jobs (workspace_id, created_at desc, id desc);
create index jobs_by_time on jobs (workspace_id, scheduled_for);

-------------------------------------------------------------------------------------------------------------- the ledger

create table deliveries (
  id uuid not null default uuidv7(),
  workspace_id uuid not null,
  job_id uuid not null,
  scheduled_for timestamptz not null,
  channel text not null check (channel in ('email', 'sms', 'whatsapp', 'webhook', 'slack', 'push')),
  -- Part of the key: an index entry takes 2,704 bytes at the most.
  recipient text not null check (octet_length(recipient) <= 2048),
  recipient_name text,
  status text not null check (status in ('queued', 'sending', 'waiting', 'accepted', 'delivered', 'failed', 'skipped', 'unknown')),
  attempts integer not null default 0,
  -- How many of the attempts ended without an answer.
  unknowns integer not null default 0,
  reason text,
  channel_id uuid,
  provider text,
  provider_id text,
  provider_answer text,
  content_hash text,
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  next_attempt_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (job_id, scheduled_for, channel, recipient),
  check (status <> 'sending' or attempts > 0)
) partition by range (scheduled_for);

create table job_executions (
  id uuid not null default uuidv7(),
  workspace_id uuid not null,
  job_id uuid not null,
  status text not null check (status in ('pending', 'running', 'completed', 'failed')),
  started_at timestamptz not null,
  completed_at timestamptz,
  duration_ms integer,
  error_message text,
  logs jsonb not null default '{}',
  primary key (job_id, started_at, id)
) partition by range (started_at);
create index job_executions_by_age on job_executions (workspace_id, started_at desc, id desc);

-- The queue and the ledger follow what they belong to without foreign keys. A key would check every row against a parent
-- that the same transaction has just read, and lock that parent: half of what a delivery costs the database. What the
-- keys would do on a deletion is done here; a job whose reminder is gone is refused when it is claimed.
create function let_go_of_reminders() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  -- Apart, because each has an index of its own.
  update jobs j set reminder_id = null from gone where j.reminder_id = gone.id and j.type = 'reminder';
  update jobs j set reminder_id = null from gone where j.reminder_id = gone.id and j.type <> 'reminder';
  return null;
end
$$;
create trigger jobs_outlive_reminders after delete on reminders
  referencing old table as gone for each statement execute function let_go_of_reminders();

create function delete_jobs_of_workspaces() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from jobs j using gone where j.workspace_id = gone.id;
  return null;
end
$$;
create trigger jobs_follow_workspaces after delete on workspaces
  referencing old table as gone for each statement execute function delete_jobs_of_workspaces();

create function delete_ledger_of_jobs() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from deliveries d using gone where d.job_id = gone.id;
  delete from job_executions e using gone where e.job_id = gone.id;
  return null;
end
$$;
create trigger ledger_follows_jobs after delete on jobs
  referencing old table as gone for each statement execute function delete_ledger_of_jobs();

-- Rows outside the months made ahead are kept all the same.
create table deliveries_other partition of deliveries default with (fillfactor = 80);
create table job_executions_other partition of job_executions default;
alter table deliveries_other enable row level security;
alter table job_executions_other enable row level security;

-- The engine's role cannot create tables; this owner's function makes the months it names, and nothing else.
create function ensure_month_partitions(first_month date, months integer) returns void
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  parent text;
  options text;
  month_start date;
begin
  if months < 1 or months > 120 then
    raise exception 'months must be between 1 and 120, not %', months;
  end if;
  for i in 0 .. months - 1 loop
    month_start := date_trunc('month', first_month)::date + make_interval(months => i);
    foreach parent in array array['deliveries', 'job_executions'] loop
      options := case parent when 'deliveries' then ' with (fillfactor = 80)' else '' end;
      if to_regclass(format('%I', parent || to_char(month_start, '_YYYY_MM'))) is null then
        begin
          execute format('create table %I partition of %I for values from (%L) to (%L)%s',
            parent || to_char(month_start, '_YYYY_MM'), parent,
            to_char(month_start, 'YYYY-MM-DD') || ' 00:00:00+00',
            to_char(month_start + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00', options);
          execute format('alter table %I enable row level security', parent || to_char(month_start, '_YYYY_MM'));
          execute format('alter table %I force row level security', parent || to_char(month_start, '_YYYY_MM'));
        exception when check_violation then
          -- Rows of this month came before their partition did; they stay with the others, where they are found as well.
          null;
        end;
      end if;
    end loop;
  end loop;
end
$$;
revoke all on function ensure_month_partitions from public;

------------------------------------------------------------------------------------------------------------ the house

-- What the installation must remember about itself. Never tenant data.
create table app_settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

create table idempotency_keys (
  workspace_id uuid references workspaces on delete cascade,
  user_id uuid not null,
  key text not null check (char_length(key) between 1 and 200),
  request_hash text not null,
  -- Null while the first request is in flight.
  status integer,
  answer text,
  created_at timestamptz not null default now(),
  unique nulls not distinct (workspace_id, user_id, key)
);

create table audit_log (
  id uuid primary key default uuidv7(),
  workspace_id uuid references workspaces on delete cascade,
  actor_id uuid,
  action text not null,
  target text,
  details jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index on audit_log (workspace_id, created_at desc);

create table sandbox_messages (
  id uuid primary key default uuidv7(),
  -- Null for account mail (verification, reset), which belongs to no workspace.
  workspace_id uuid references workspaces on delete cascade,
  channel text not null check (channel in ('email', 'webhook')),
  sender text not null,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text,
  headers jsonb not null default '{}',
  raw_size integer not null,
  received_at timestamptz not null default now()
);
create index sandbox_messages_by_age on sandbox_messages (workspace_id, received_at desc, id desc);

----------------------------------------------------------------------------------------------------- row-level security

do $$
declare
  name text;
begin
  foreach name in array array['profiles', 'auth_sessions', 'auth_accounts', 'auth_verifications', 'workspaces', 'workspace_members',
    'channels', 'reminders', 'jobs', 'deliveries', 'job_executions', 'deliveries_other', 'job_executions_other', 'app_settings',
    'idempotency_keys', 'audit_log', 'sandbox_messages']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
  end loop;

  -- Tables of which a request sees just the rows of its workspace.
  foreach name in array array['channels', 'reminders', 'deliveries', 'job_executions']
  loop
    execute format('create policy app_workspace on %I to cuebird_app using (workspace_id = current_workspace_id())
      with check (workspace_id = current_workspace_id())', name);
    execute format('grant select, insert, update, delete on %I to cuebird_app', name);
  end loop;

  foreach name in array array['jobs', 'deliveries', 'job_executions', 'sandbox_messages']
  loop
    execute format('create policy engine_all on %I to cuebird_engine using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to cuebird_engine', name);
  end loop;

  foreach name in array array['workspaces', 'reminders', 'channels', 'profiles']
  loop
    execute format('create policy engine_read on %I for select to cuebird_engine using (true)', name);
    execute format('grant select on %I to cuebird_engine', name);
  end loop;

  foreach name in array array['profiles', 'auth_sessions', 'auth_accounts', 'auth_verifications', 'app_settings']
  loop
    execute format('create policy auth_all on %I to cuebird_auth using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to cuebird_auth', name);
  end loop;
end
$$;

-- What a request writes into the queue may not point at another workspace's reminder either.
create policy app_workspace on jobs to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id()
    and (reminder_id is null or exists (select from reminders r where r.id = reminder_id and r.workspace_id = jobs.workspace_id)));
grant select, insert, update, delete on jobs to cuebird_app;

-- Forced policies bind the owner too, as whom the functions above run.
do $$
begin
  execute format('create policy follow_parents on jobs to %I using (true) with check (true)', current_user);
  execute format('create policy follow_parents on deliveries to %I using (true)', current_user);
  execute format('create policy follow_parents on job_executions to %I using (true)', current_user);
end
$$;

create policy app_workspace on workspaces to cuebird_app
  using (id = current_workspace_id()
    or exists (select from workspace_members m where m.workspace_id = workspaces.id and m.user_id = current_user_id()))
  with check (id = current_workspace_id());
grant select, insert, update, delete on workspaces to cuebird_app;

create policy app_workspace on workspace_members to cuebird_app
  using (workspace_id = current_workspace_id() or user_id = current_user_id())
  with check (workspace_id = current_workspace_id());
grant select, insert, update, delete on workspace_members to cuebird_app;

-- A person is seen by those who share the current workspace.
create policy app_members on profiles for select to cuebird_app
  using (id = current_user_id()
    or exists (select from workspace_members m where m.user_id = profiles.id and m.workspace_id = current_workspace_id()));
grant select (id, email, full_name, avatar_url, created_at, is_system_admin, is_demo) on profiles to cuebird_app;

create policy app_workspace on idempotency_keys to cuebird_app
  using (user_id = current_user_id() and workspace_id is not distinct from current_workspace_id())
  with check (user_id = current_user_id() and workspace_id is not distinct from current_workspace_id());
grant select, insert, update, delete on idempotency_keys to cuebird_app;

-- Append-only: no role may change or remove what was logged.
create policy app_append on audit_log for insert to cuebird_app with check (workspace_id = current_workspace_id());
create policy app_read on audit_log for select to cuebird_app using (workspace_id = current_workspace_id());
grant select, insert on audit_log to cuebird_app;
create policy auth_append on audit_log for insert to cuebird_auth with check (workspace_id is null);
grant insert on audit_log to cuebird_auth;
create policy engine_append on audit_log for insert to cuebird_engine with check (true);
grant insert on audit_log to cuebird_engine;

create policy app_workspace on sandbox_messages for select to cuebird_app using (workspace_id = current_workspace_id());
grant select on sandbox_messages to cuebird_app;
create policy auth_account_mail on sandbox_messages for select to cuebird_auth using (workspace_id is null);
grant select on sandbox_messages to cuebird_auth;

create policy engine_settings on app_settings to cuebird_engine using (key like 'engine.%') with check (key like 'engine.%');
grant select, insert, update on app_settings to cuebird_engine;

grant execute on function ensure_month_partitions to cuebird_engine;
