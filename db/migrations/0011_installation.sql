-- What belongs to no workspace: processes with their figures, logs and alerts, what strangers ask for, and who pays for which workspace.
-- Requests see none of it but their workspace's subscription; what administrators see of it goes through the engine's login and sign-in's.

-------------------------------------------------------------------------------------------------- processes and figures

create table processes (
  id uuid primary key,
  role text not null check (role in ('web', 'worker', 'all')),
  version text not null,
  host text not null,
  pid integer not null,
  started_at timestamptz not null,
  -- The last sign of life.
  seen_at timestamptz not null,
  -- Set by a process that ends in order.
  stopped_at timestamptz,
  -- Of the last 15 seconds: processors in use, and the 99th percentile of the delay of the event loop.
  cpu real not null,
  memory_bytes bigint not null,
  event_loop_delay_ms real not null
) with (fillfactor = 50);
comment on table processes is 'A row for each process that runs, or has ended within the hour.';
alter table processes enable row level security, force row level security;
create policy engine_all on processes to cuebird_engine using (true) with check (true);
grant select, insert, update, delete on processes to cuebird_engine;

-- Threads share nothing but the database, so each has its own row.
create table process_figures (
  process_id uuid not null,
  thread text not null check (thread in ('main', 'deliveries')),
  seen_at timestamptz not null,
  figures jsonb not null,
  primary key (process_id, thread)
);
comment on table process_figures is 'The figures of a thread since it started. Counters of ended threads are added up in app_settings, engine.retired_figures.';
alter table process_figures enable row level security, force row level security;
create policy engine_all on process_figures to cuebird_engine using (true) with check (true);
grant select, insert, update, delete on process_figures to cuebird_engine;

create table minute_figures (
  minute timestamptz not null,
  kind text not null check (kind in ('responses', 'lateness', 'deliveries', 'sign_in_failures')),
  -- Of a duration one count for each bucket; of deliveries how many were sent and how many failed.
  counts bigint[] not null,
  primary key (minute, kind)
);
comment on table minute_figures is 'What all processes counted in a minute, of the last 24 hours.';
alter table minute_figures enable row level security, force row level security;
create policy engine_all on minute_figures to cuebird_engine using (true) with check (true);
grant select, insert, update, delete on minute_figures to cuebird_engine;

create table delivery_days (
  day date not null,
  channel text not null,
  outcome text not null check (outcome in ('accepted', 'failed', 'skipped', 'unknown')),
  count bigint not null,
  primary key (day, channel, outcome)
) with (fillfactor = 50);
comment on table delivery_days is 'Deliveries of all workspaces by the day (UTC) on which they were due; tests of reminders are left out.';
alter table delivery_days enable row level security, force row level security;
create policy engine_all on delivery_days to cuebird_engine using (true) with check (true);
grant select, insert, update, delete on delivery_days to cuebird_engine;

create table health_days (
  day date not null,
  component text not null check (component in ('web', 'deliveries', 'database')),
  operational integer not null,
  degraded integer not null,
  first_minute timestamptz not null,
  last_minute timestamptz not null,
  primary key (day, component)
) with (fillfactor = 50);
comment on table health_days is 'The minutes of a day (UTC) in which a component was operational or degraded, as any process found it; it was down in the others. Of the last 90 days.';
comment on column health_days.last_minute is 'The last minute that was looked at: of several processes one counts it.';
alter table health_days enable row level security, force row level security;
create policy engine_all on health_days to cuebird_engine using (true) with check (true);
grant select, insert, update, delete on health_days to cuebird_engine;

create table alerts (
  cause text not null,
  day date not null,
  detail text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- Null until a mail to the administrators was accepted.
  mailed_at timestamptz,
  resolved_at timestamptz,
  dismissed_at timestamptz,
  primary key (cause, day)
);
comment on table alerts is 'What administrators of the installation were told: at most once for each cause and day (UTC).';
comment on column alerts.resolved_at is 'Since when the cause was not seen any more; null while it goes on.';
comment on column alerts.dismissed_at is 'When an administrator took it from the console; null again once the cause is back after it was gone.';
alter table alerts enable row level security, force row level security;
create policy engine_all on alerts to cuebird_engine using (true) with check (true);
grant select, insert, update, delete on alerts to cuebird_engine;

create table log_entries (
  id bigint primary key generated always as identity,
  created_at timestamptz not null,
  level text not null check (level in ('trace', 'debug', 'info', 'warn', 'error', 'fatal')),
  process text not null check (char_length(process) <= 200),
  message text not null check (char_length(message) <= 2000),
  details jsonb not null default '{}'
);
comment on table log_entries is 'The newest lines of the log of every process. Whoever writes deletes what is older than the newest 20,000.';
alter table log_entries enable row level security, force row level security;
create policy engine_all on log_entries to cuebird_engine using (true) with check (true);
grant select, insert, delete on log_entries to cuebird_engine;

-------------------------------------------------------------------------------------------------------------- strangers

create table unknown_paths (
  path text primary key check (char_length(path) <= 200),
  count bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null
) with (fillfactor = 50);
comment on table unknown_paths is 'Paths without a page that browsers asked for in the last 90 days: the latest 500.';
create index on unknown_paths (last_at);
alter table unknown_paths enable row level security, force row level security;
create policy engine_all on unknown_paths to cuebird_engine using (true) with check (true);
grant select, insert, update, delete on unknown_paths to cuebird_engine;

-- What people ask of support, with or without an account. Only the login of sign-in reads and writes it.
create table support_requests (
  id uuid primary key default uuidv7(),
  email text not null check (char_length(email) <= 320),
  category text not null check (char_length(category) <= 40),
  subject text not null check (char_length(subject) <= 200),
  message text not null check (char_length(message) <= 5000),
  created_at timestamptz not null,
  mailed_at timestamptz,
  closed_at timestamptz
);
comment on table support_requests is 'A request of the form at /support; deleted a year after it came.';
comment on column support_requests.mailed_at is 'Null until SUPPORT_EMAIL has accepted its mail.';
create index support_requests_open on support_requests (id) where closed_at is null;
create index on support_requests (created_at);
alter table support_requests enable row level security, force row level security;
create policy auth_all on support_requests to cuebird_auth using (true) with check (true);
create policy owner_deletes on support_requests for delete to current_user using (created_at < now() - interval '365 days');
create policy owner_reads_expired on support_requests for select to current_user using (created_at < now() - interval '365 days');
grant select, insert, update on support_requests to cuebird_auth;

create table support_answers (
  id uuid primary key default uuidv7(),
  request_id uuid not null references support_requests (id) on delete cascade,
  -- As it was then: the account may be gone.
  author text not null,
  message text not null check (char_length(message) <= 10000),
  created_at timestamptz not null
);
comment on table support_answers is 'A mail by which an administrator answered a request.';
create index on support_answers (request_id, id);
alter table support_answers enable row level security, force row level security;
create policy auth_all on support_answers to cuebird_auth using (true) with check (true);
grant select, insert on support_answers to cuebird_auth;

-- Who asked on the landing page to be shown around.
create table demo_requests (
  id uuid primary key default uuidv7(),
  name text not null check (char_length(name) <= 100),
  email text not null check (char_length(email) <= 320),
  message text not null check (char_length(message) <= 2000),
  created_at timestamptz not null
);
comment on table demo_requests is 'A request for a demo, from the landing page: the newest 200, for a year.';
create index on demo_requests (created_at);
alter table demo_requests enable row level security, force row level security;
create policy auth_all on demo_requests to cuebird_auth using (true) with check (true);
grant select, insert, delete on demo_requests to cuebird_auth;

---------------------------------------------------------------------------------------------------------------- billing

-- Who pays for which workspace, as the payment provider says. Requests read it; what the provider says is written by the engine's role.
create table billing_customers (
  user_id uuid primary key references profiles on delete cascade,
  customer_id text not null unique check (length(customer_id) between 1 and 255),
  created_at timestamptz not null,
  checked_at timestamptz not null
);
comment on table billing_customers is 'A person as the payment provider knows them.';
alter table billing_customers enable row level security, force row level security;
create policy engine_all on billing_customers to cuebird_engine using (true) with check (true);
create index on billing_customers (checked_at);
grant select, insert, update on billing_customers to cuebird_engine;

create table subscriptions (
  id text primary key check (length(id) between 1 and 255),
  workspace_id uuid not null references workspaces on delete cascade,
  customer_id text not null,
  tier text not null check (tier in ('basic', 'premium', 'enterprise')),
  status text not null check (status in ('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused')),
  current_period_end timestamptz,
  cancels_at timestamptz,
  failed_at timestamptz,
  created_at timestamptz not null,
  checked_at timestamptz not null
);
comment on table subscriptions is 'What the payment provider said last about a subscription of a workspace.';
comment on column subscriptions.cancels_at is 'When it ends, once it is cancelled; null while it renews itself.';
comment on column subscriptions.failed_at is 'Since when its payment is due; null when it is paid.';
create index on subscriptions (workspace_id);
alter table subscriptions enable row level security, force row level security;
create policy app_workspace on subscriptions for select to cuebird_app using (workspace_id = current_workspace_id());
create policy engine_all on subscriptions to cuebird_engine using (true) with check (true);
grant select on subscriptions to cuebird_app;
grant select, insert, update on subscriptions to cuebird_engine;

create table billing_events (
  id text primary key check (length(id) between 1 and 255),
  type text not null,
  received_at timestamptz not null
);
comment on table billing_events is 'Events of the payment provider that were handled, so that each is handled once; kept for 60 days.';
create index billing_events_by_age on billing_events (received_at);
alter table billing_events enable row level security, force row level security;
create policy engine_all on billing_events to cuebird_engine using (true) with check (true);
create policy owner_deletes on billing_events for delete to current_user using (received_at < now() - interval '60 days');
grant select, insert on billing_events to cuebird_engine;
