-- What providers report of messages, and the browsers that members have subscribed to push notifications.

-- Reports name a message by its provider's id, or by ours. Only these channels are reported on: the others pay nothing.
create index deliveries_by_receipt on deliveries (workspace_id, provider_id) where channel in ('sms', 'whatsapp');
create index deliveries_by_id on deliveries (id) where channel in ('sms', 'whatsapp');

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
  -- Whoever leaves the workspace hears no more of it.
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade
);
create index on push_subscriptions (workspace_id, user_id);

alter table push_subscriptions enable row level security;
alter table push_subscriptions force row level security;
create policy app_workspace on push_subscriptions to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert, update, delete on push_subscriptions to cuebird_app;
create policy engine_read on push_subscriptions for select to cuebird_engine using (true);
create policy engine_forget on push_subscriptions for delete to cuebird_engine using (true);
grant select, delete on push_subscriptions to cuebird_engine;
