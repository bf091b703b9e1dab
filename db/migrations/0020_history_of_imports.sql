-- The latest imports of contacts of each workspace: for their progress, their undo, and the country that the next one begins with.

create table contact_imports (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  -- Null for an import by a program.
  imported_by uuid references profiles on delete set null,
  file_name text check (char_length(file_name) between 1 and 255),
  default_country text check (default_country ~ '^[A-Z]{2}$'),
  imported_at timestamptz not null,
  -- An import writes all or nothing. One that no longer reports its progress has died with its process.
  status text not null default 'running' check (status in ('running', 'completed', 'failed')),
  lines integer not null check (lines >= 0),
  lines_done integer not null default 0 check (lines_done between 0 and lines),
  reported_at timestamptz not null,
  -- Of lines, as in ImportCounts of src/contract/contacts.ts.
  counts jsonb check (octet_length(counts::text) <= 1000),
  undone_at timestamptz,
  undone_by uuid references profiles on delete set null,
  -- Of contacts: {"deleted", "restored", "kept"}.
  undo jsonb check (octet_length(undo::text) <= 1000),
  check ((status = 'completed') = (counts is not null)),
  check ((undone_at is null) = (undo is null))
);
comment on table contact_imports is 'The latest imports of contacts.';
create index contact_imports_of_workspace on contact_imports (workspace_id, id);
alter table contact_imports enable row level security, force row level security;
create policy app_workspace on contact_imports to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert, update, delete on contact_imports to cuebird_app;
