-- A calendar that somebody subscribes to: what a workspace will send, at a secret address. It ends with the membership of its person.
create table calendar_feeds (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null,
  user_id uuid not null,
  shows text not null check (shows in ('workspace', 'own')),
  token_hash text not null unique,
  created_at timestamptz not null,
  last_read_at timestamptz,
  unique (workspace_id, id),
  unique (workspace_id, user_id, shows),
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade
);
comment on table calendar_feeds is 'A feed of what a workspace will send, for the calendar of a member. Its address is kept as a hash.';
comment on column calendar_feeds.shows is 'own: only the reminders that this member made.';
alter table calendar_feeds enable row level security, force row level security;
create policy app_workspace on calendar_feeds to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert, delete on calendar_feeds to cuebird_app;
grant update (last_read_at) on calendar_feeds to cuebird_app;
