-- How messages leave: channels with their rate limits, browsers that take push messages, what signs webhooks; what providers report; and the
-- sandbox, which simulates every provider.

--------------------------------------------------------------------------------------------------------------- channels

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
create policy owner_reseals on channels for update to current_user using (true);
grant select, insert, delete on channels to cuebird_app;
grant update (name, type, is_active, is_verified, configuration, sealed_secrets, updated_at,
              rate_limit_per_second) on channels to cuebird_app;
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

-- The secret that signs a workspace's webhooks, sealed with the installation's key.
create table signing_secrets (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  sealed_secret text not null,
  -- Signs beside the newer one until it ends, so that receivers have time to change theirs.
  sealed_previous text,
  previous_ends_at timestamptz,
  changed_at timestamptz not null default now(),
  check ((sealed_previous is null) = (previous_ends_at is null))
);
comment on table signing_secrets is 'No row: nobody has asked for the secret yet, so nobody could check a signature, and none is sent.';
alter table signing_secrets enable row level security, force row level security;
create policy app_workspace on signing_secrets to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_read on signing_secrets for select to cuebird_engine using (true);
create policy owner_reseals on signing_secrets for update to current_user using (true);
grant select, insert on signing_secrets to cuebird_app;
grant update (sealed_secret, sealed_previous, previous_ends_at, changed_at) on signing_secrets to cuebird_app;
grant select on signing_secrets to cuebird_engine;

------------------------------------------------------------------------------------------------------------------- push

-- A browser belongs to the session in which it was subscribed, and says which one it is and when it was last used.
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
  -- Its User-Agent, by which its owner recognizes it.
  user_agent text check (char_length(user_agent) <= 400),
  -- When its push service last accepted a message.
  last_used_at timestamptz,
  -- Null once that session has expired.
  session_id uuid references auth_sessions on delete set null,
  unique (workspace_id, endpoint),
  -- It ends with the membership.
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade
);
comment on table push_subscriptions is 'A member''s browser that takes push messages.';
create index on push_subscriptions (workspace_id, user_id);
create index on push_subscriptions (session_id);
alter table push_subscriptions enable row level security, force row level security;
create policy app_workspace on push_subscriptions to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_read on push_subscriptions for select to cuebird_engine using (true);
create policy engine_delete on push_subscriptions for delete to cuebird_engine using (true);
create policy engine_update on push_subscriptions for update to cuebird_engine using (true) with check (true);
create policy auth_read on push_subscriptions for select to cuebird_auth using (true);
create policy auth_delete on push_subscriptions for delete to cuebird_auth using (true);
grant select, insert, delete on push_subscriptions to cuebird_app;
grant update (user_id, p256dh, auth, created_at, user_agent, last_used_at, session_id) on push_subscriptions to cuebird_app;
grant select, delete, update (last_used_at) on push_subscriptions to cuebird_engine;
-- Sign-in ends what belonged to a session that it ends. It cannot read where a browser is reached.
grant select (id, user_id, session_id), delete on push_subscriptions to cuebird_auth;

-- Whoever signs out of a browser is not written to there any more. A session that merely expires changes nothing: a browser that is seldom
-- opened still takes reminders.
create function end_push_of_session() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  delete from push_subscriptions where session_id = old.id;
  return old;
end
$$;
create trigger end_push_of_session before delete on auth_sessions for each row
  when (old.expires_at > now()) execute function end_push_of_session();

-- For whoever signs out everywhere: the browsers of the person whose session has expired.
create function end_push_without_session(person uuid) returns void
  language sql set search_path = public, pg_temp
as $$
  delete from push_subscriptions where user_id = person and session_id is null
$$;
revoke all on function end_push_without_session from public;
grant execute on function end_push_without_session to cuebird_auth;

---------------------------------------------------------------------------------------------------------------- reports

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

---------------------------------------------------------------------------------------------------------------- sandbox

create table sandbox_messages (
  id uuid primary key default uuidv7(),
  -- Null for account mail (verification, reset), which belongs to no workspace.
  workspace_id uuid references workspaces on delete cascade,
  channel text not null check (channel in ('email', 'sms', 'whatsapp', 'webhook', 'slack', 'push')),
  sender text not null,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text,
  headers jsonb not null default '{}',
  raw_size integer not null,
  received_at timestamptz not null default now(),
  -- Which provider the sandbox simulated; null for mail and webhook calls.
  provider text,
  -- The request as it came, where body_text is only a part of it.
  body_raw text,
  segments integer,
  -- The address to which the provider is to report, and to bring replies.
  callback_url text,
  -- The message to which this one is a reply: it was written in the Inbox, as the recipient.
  reply_to uuid references sandbox_messages on delete cascade,
  -- What was reported last, and what Cuebird answered.
  report_status text check (report_status in ('sent', 'delivered', 'failed')),
  report_answer text,
  check ((report_status is null) = (report_answer is null))
);
comment on table sandbox_messages is 'A message that the sandbox received in place of a provider, or a reply to one.';
create index sandbox_messages_by_age on sandbox_messages (workspace_id, received_at desc, id desc);
create index sandbox_messages_by_arrival on sandbox_messages (received_at);
-- For the cascade, and for whether a number has opted out.
create index sandbox_messages_replies on sandbox_messages (reply_to) where reply_to is not null;
create index sandbox_messages_answers on sandbox_messages (workspace_id, sender, received_at desc) where reply_to is not null;
alter table sandbox_messages enable row level security, force row level security;
create policy app_workspace on sandbox_messages for select to cuebird_app using (workspace_id = current_workspace_id());
create policy auth_account_mail on sandbox_messages for select to cuebird_auth using (workspace_id is null);
create policy engine_all on sandbox_messages to cuebird_engine using (true) with check (true);
grant select on sandbox_messages to cuebird_app;
grant select on sandbox_messages to cuebird_auth;
grant select, insert, update, delete on sandbox_messages to cuebird_engine;

create table sandbox_simulated_failures (
  workspace_id uuid not null references workspaces on delete cascade,
  channel text not null check (channel in ('email', 'sms', 'whatsapp', 'webhook', 'slack', 'push')),
  failure jsonb not null,
  -- How many messages still fail; null: until it is removed.
  times integer check (times > 0),
  primary key (workspace_id, channel)
);
comment on table sandbox_simulated_failures is 'How the sandbox answers the next messages of a channel.';
alter table sandbox_simulated_failures enable row level security, force row level security;
create policy app_workspace on sandbox_simulated_failures to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_all on sandbox_simulated_failures to cuebird_engine using (true) with check (true);
grant select, insert, delete on sandbox_simulated_failures to cuebird_app;
grant update (channel, failure, times) on sandbox_simulated_failures to cuebird_app;
grant select, update, delete on sandbox_simulated_failures to cuebird_engine;

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
