-- Invitations into a workspace: each is for one address, and its link holds a token of which only the hash is kept.

create table workspace_invitations (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  -- In lower case, as the addresses of profiles.
  email text not null check (email = lower(email) and char_length(email) between 3 and 320),
  role text not null check (role in ('admin', 'member')),
  token_hash text not null unique,
  invited_by uuid references profiles on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Whoever has the link may decline it; it stays in the list for those who invited.
  declined_at timestamptz,
  unique (workspace_id, email)
);
comment on table workspace_invitations is 'Somebody who was invited and has not accepted yet.';
create index on workspace_invitations (invited_by);
alter table workspace_invitations enable row level security, force row level security;
create policy app_workspace on workspace_invitations to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert, update, delete on workspace_invitations to cuebird_app;
