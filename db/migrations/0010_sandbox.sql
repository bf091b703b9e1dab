-- The sandbox, which simulates every provider: messages of all channels, replies, and the failures that it simulates.

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
grant select, insert, update, delete on sandbox_simulated_failures to cuebird_app;
grant select, update, delete on sandbox_simulated_failures to cuebird_engine;
