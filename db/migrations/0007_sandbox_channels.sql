-- The sandbox plays every provider: messages of all channels, what their providers reported, answers, and rehearsed failures.

alter table sandbox_messages
  drop constraint sandbox_messages_channel_check,
  add constraint sandbox_messages_channel_check check (channel in ('email', 'sms', 'whatsapp', 'webhook', 'slack', 'push')),
  -- Whose part the sandbox played; null for mail and webhook calls.
  add column provider text,
  -- The request as it came, where body_text is only a part of it.
  add column body_raw text,
  add column segments integer,
  -- Where the provider was told to report, and to bring answers.
  add column callback_url text,
  -- The message that this one answers: it was written in the Inbox, as the recipient.
  add column reply_to uuid references sandbox_messages on delete cascade,
  -- What was reported last, and what Cuebird said to it.
  add column report_status text check (report_status in ('sent', 'delivered', 'failed')),
  add column report_answer text,
  add check ((report_status is null) = (report_answer is null));

-- For the cascade, and for whether a number has opted out.
create index sandbox_messages_replies on sandbox_messages (reply_to) where reply_to is not null;
create index sandbox_messages_answers on sandbox_messages (workspace_id, sender, received_at desc) where reply_to is not null;

create table sandbox_rehearsals (
  workspace_id uuid not null references workspaces on delete cascade,
  channel text not null check (channel in ('email', 'sms', 'whatsapp', 'webhook', 'slack', 'push')),
  failure jsonb not null,
  -- How many messages it still spoils; null until it is called off.
  times integer check (times > 0),
  primary key (workspace_id, channel)
);
alter table sandbox_rehearsals enable row level security;
alter table sandbox_rehearsals force row level security;
create policy app_workspace on sandbox_rehearsals to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert, update, delete on sandbox_rehearsals to cuebird_app;
create policy engine_all on sandbox_rehearsals to cuebird_engine using (true) with check (true);
grant select, update, delete on sandbox_rehearsals to cuebird_engine;
