-- What somebody wishes of the messages to their address or number: the hours in which they come. The wish belongs to the address, as entries of the suppression list do.

create table preferences (
  workspace_id uuid not null references workspaces on delete cascade,
  -- As the suppression list has it; a number is one for SMS and WhatsApp.
  address text not null check (address <> '' and char_length(address) <= 2000),
  hours jsonb not null check (jsonb_typeof(hours) = 'object' and octet_length(hours::text) <= 1000),
  -- When the wish was made: narrower hours make it no younger.
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, address)
);
comment on table preferences is 'What somebody wishes of the messages to their address or number.';
comment on column preferences.hours is 'When messages come: days, from, to and timezone. They wait outside of these hours.';
alter table preferences enable row level security, force row level security;
create policy app_workspace on preferences to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_read on preferences for select to cuebird_engine using (true);
create policy follow_workspace on preferences for delete to current_user using (is_workspace_over(workspace_id));
create policy owner_erases_person on preferences to current_user using (workspace_id = erasing_workspace())
  with check (workspace_id = erasing_workspace());
grant select, insert, delete on preferences to cuebird_app;
grant update (hours, created_at, updated_at) on preferences to cuebird_app;
grant select on preferences to cuebird_engine;
