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
grant select, insert on signing_secrets to cuebird_app;
grant update (sealed_secret, sealed_previous, previous_ends_at, changed_at) on signing_secrets to cuebird_app;
create policy engine_read on signing_secrets for select to cuebird_engine using (true);
grant select on signing_secrets to cuebird_engine;
-- As in 0044_rotation_of_the_key.sql.
create policy owner_reseals on signing_secrets for update to current_user using (true);
