-- How messages leave: channels with their rate limits, browsers that take push messages; and what providers report.

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
  -- Messages per second, of all workers together; null where it is not limited.
  rate_limit_per_second double precision check (rate_limit_per_second between 0.01 and 1000),
  unique (workspace_id, id)
);
comment on table channels is 'A provider that a workspace has configured.';
alter table channels enable row level security, force row level security;
create policy app_workspace on channels to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_read on channels for select to cuebird_engine using (true);
grant select, insert, update, delete on channels to cuebird_app;
grant select on channels to cuebird_engine;

create table channel_rate_limits (
  channel_id uuid primary key,
  workspace_id uuid not null,
  -- When the next message may go out, after all those for which a time was taken already.
  next_free timestamptz not null,
  -- The provider asked us to back off until then.
  backoff_until timestamptz not null default '-infinity',
  foreign key (workspace_id, channel_id) references channels (workspace_id, id) on delete cascade
) with (fillfactor = 50);
comment on table channel_rate_limits is 'The state of each limited channel that has sent something, which all workers share.';
create index on channel_rate_limits (workspace_id, channel_id);
alter table channel_rate_limits enable row level security, force row level security;
create policy engine_all on channel_rate_limits to cuebird_engine using (true) with check (true);
grant select, insert, update, delete on channel_rate_limits to cuebird_engine;

create table push_subscriptions (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null,
  user_id uuid not null,
  -- Where the browser's push service takes messages for it; part of the key, as in the ledger.
  endpoint text not null check (octet_length(endpoint) <= 2048),
  -- The browser's keys (RFC 8291): only it can read what is sent.
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default now(),
  unique (workspace_id, endpoint),
  -- It ends with the membership.
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade
);
comment on table push_subscriptions is 'A member''s browser that takes push messages.';
create index on push_subscriptions (workspace_id, user_id);
alter table push_subscriptions enable row level security, force row level security;
create policy app_workspace on push_subscriptions to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_read on push_subscriptions for select to cuebird_engine using (true);
create policy engine_delete on push_subscriptions for delete to cuebird_engine using (true);
grant select, insert, update, delete on push_subscriptions to cuebird_app;
grant select, delete on push_subscriptions to cuebird_engine;

create table received_reports (
  workspace_id uuid not null references workspaces on delete cascade,
  channel text not null,
  provider text not null,
  -- Which the provider gives it.
  name text not null check (octet_length(name) between 1 and 255),
  kind text not null check (kind in ('stopped', 'resumed', 'failed')),
  -- Who wrote, in E.164; null for a failure.
  sender text,
  -- By the provider's clock where it says so, never later than it came.
  sent_at timestamptz not null,
  received_at timestamptz not null,
  primary key (workspace_id, channel, provider, name),
  check ((sender is null) = (kind = 'failed'))
);
comment on table received_reports is 'What a provider has sent, so that the same again changes nothing. A STOP or START is kept with its sender, so that an older one changes nothing; a report of a failure, because the same delivery may be tried again.';
create index received_reports_by_sender on received_reports (workspace_id, channel, sender, kind, sent_at) where sender is not null;
create index received_reports_by_age on received_reports (received_at);
alter table received_reports enable row level security, force row level security;
create policy app_workspace on received_reports to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy owner_deletes on received_reports for delete to current_user using (true);
grant select, insert on received_reports to cuebird_app;
