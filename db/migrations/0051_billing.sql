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

create or replace function expiring_tables() returns table (name text, instant text, kept_for interval)
  language sql immutable set search_path = public, pg_temp
as $$
  values ('idempotency_keys', 'created_at', interval '1 day'),
         ('contact_import_changes', 'imported_at', interval '1 day'),
         ('received_reports', 'received_at', interval '365 days'),
         ('billing_events', 'received_at', interval '60 days'),
         ('auth_sessions', 'expires_at', interval '0'),
         ('auth_verifications', 'expires_at', interval '0'),
         ('auth_email_changes', 'expires_at', interval '0'),
         ('request_counts', 'expires_at', interval '0')
$$;

alter table workspaces add column plan_ends_at timestamptz;
comment on column workspaces.plan_ends_at is 'From when on it is Free: a payment stays due, or its subscription was cancelled. Null while its plan goes on.';
create index workspaces_by_plan_end on workspaces (plan_ends_at) where plan_ends_at is not null;
create policy engine_sets_plan on workspaces for update to cuebird_engine using (true) with check (true);
grant update (subscription_tier, subscription_status, subscription_end_date, plan_ends_at) on workspaces to cuebird_engine;

create function owner_ids_of(workspace uuid) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
as $$
  select m.user_id from workspace_members m where m.workspace_id = workspace and m.role = 'owner'
$$;
revoke all on function owner_ids_of from public;
grant execute on function owner_ids_of to cuebird_engine;

create table sandbox_payments (
  id text primary key,
  kind text not null,
  customer_id text,
  -- Seconds since 1970, as in the object.
  created bigint not null,
  period_end bigint,
  body jsonb not null
);
comment on table sandbox_payments is 'What the payment provider of the sandbox stores.';
create index on sandbox_payments (customer_id, kind, created desc);
create index sandbox_payments_due on sandbox_payments (period_end) where period_end is not null;
alter table sandbox_payments enable row level security, force row level security;
create policy engine_all on sandbox_payments to cuebird_engine using (true) with check (true);
grant select, insert, update on sandbox_payments to cuebird_engine;
