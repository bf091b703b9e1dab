-- What people set for themselves, and the pictures of people and workspaces.

alter table profiles
  -- The zone of their new reminders, as IANA names it; null for the browser's.
  add column time_zone text check (char_length(time_zone) between 1 and 64),
  -- Which mails they want as the owner of a workspace.
  add column notify_missed boolean not null default true,
  add column notify_over_plan boolean not null default true;

-- Addresses of pictures elsewhere are not loaded, and no longer stored. The owner is bound by the policies, none of which lets it
-- change a person.
alter table profiles no force row level security;
update profiles set avatar_url = null where avatar_url is not null;
alter table profiles force row level security;

-- Everybody changes and deletes themselves only, and the demo's account stays as it is.
create policy app_update_own on profiles for update to cuebird_app using (id = current_user_id() and not is_demo)
  with check (id = current_user_id());
create policy app_delete_own on profiles for delete to cuebird_app using (id = current_user_id() and not is_demo);
grant select (time_zone, notify_missed, notify_over_plan) on profiles to cuebird_app;
grant update (full_name, avatar_url, time_zone, notify_missed, notify_over_plan, updated_at) on profiles to cuebird_app;
grant delete on profiles to cuebird_app;

create table pictures (
  id uuid primary key default uuidv7(),
  user_id uuid unique references profiles on delete cascade,
  workspace_id uuid unique references workspaces on delete cascade,
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  -- Of the bytes: it is part of the picture's address.
  sha256 text not null check (char_length(sha256) = 64),
  bytes bytea not null check (octet_length(bytes) between 1 and 262144),
  created_at timestamptz not null default now(),
  check (num_nonnulls(user_id, workspace_id) = 1)
);
comment on table pictures is 'The picture of a person or a workspace: bytes that were checked, without whatever does not draw it.';
alter table pictures enable row level security, force row level security;
-- A person's is seen by who shares the current workspace with them, a workspace's by its members.
create policy app_read on pictures for select to cuebird_app
  using (user_id = current_user_id() or workspace_id = current_workspace_id()
    or exists (select from workspace_members m where m.user_id = pictures.user_id and m.workspace_id = current_workspace_id()));
create policy app_insert on pictures for insert to cuebird_app
  with check (user_id = current_user_id() or workspace_id = current_workspace_id());
create policy app_update on pictures for update to cuebird_app
  using (user_id = current_user_id() or workspace_id = current_workspace_id())
  with check (user_id = current_user_id() or workspace_id = current_workspace_id());
create policy app_delete on pictures for delete to cuebird_app
  using (user_id = current_user_id() or workspace_id = current_workspace_id());
grant select, insert, update, delete on pictures to cuebird_app;

-- Which of the mails a notice belongs to.
alter table notices add column kind text not null default 'missed' check (kind in ('missed', 'over_plan'));
