-- A workspace as a file. What an import made remembers what the file called it, so that a second import makes nothing twice and an export
-- calls it the same again.

alter table template_categories add column external_id uuid;
alter table templates add column external_id uuid;
alter table contact_groups add column external_id uuid;
alter table contacts add column external_id uuid;
alter table reminders add column external_id uuid;
-- Not unique: a deleted reminder keeps its own for a day.
create index template_categories_imported on template_categories (workspace_id, external_id) where external_id is not null;
create index templates_imported on templates (workspace_id, external_id) where external_id is not null;
create index contact_groups_imported on contact_groups (workspace_id, external_id) where external_id is not null;
create index contacts_imported on contacts (workspace_id, external_id) where external_id is not null;
create index reminders_imported on reminders (workspace_id, external_id) where external_id is not null;

create table workspace_imports (
  workspace_id uuid primary key references workspaces on delete cascade,
  import_id uuid not null,
  began_at timestamptz not null,
  -- An import writes all or nothing. One that no longer reports its progress has died with its process.
  status text not null default 'running' check (status in ('running', 'completed', 'failed')),
  items integer not null check (items >= 0),
  items_done integer not null default 0 check (items_done between 0 and items),
  reported_at timestamptz not null
);
comment on table workspace_imports is 'How far the latest import of a workspace file is.';
alter table workspace_imports enable row level security, force row level security;
create policy app_workspace on workspace_imports to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert on workspace_imports to cuebird_app;
grant update (import_id, began_at, status, items, items_done, reported_at) on workspace_imports to cuebird_app;
