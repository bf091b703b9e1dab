-- What requests leave behind: API keys, counts of what is limited, answers to repeated requests, the audit log.

create table api_keys (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (btrim(name) <> '' and char_length(name) <= 100),
  role text not null check (role in ('admin', 'member')),
  -- The beginning of the key, for a person to recognise it by; the key itself is not kept.
  prefix text not null,
  token_hash text not null unique,
  created_by uuid references profiles on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  unique (workspace_id, id)
);
comment on table api_keys is 'How a program calls the API for a workspace. A key is revoked, never deleted.';
create index api_keys_by_age on api_keys (workspace_id, created_at desc, id desc);
alter table api_keys enable row level security, force row level security;
create policy app_workspace on api_keys to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert, update on api_keys to cuebird_app;

create function announce_revoked_api_key() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  perform pg_notify('cuebird_access', json_build_object('api_key', new.id)::text);
  return null;
end
$$;
create trigger announce_revoked_api_key after update of revoked_at on api_keys for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function announce_revoked_api_key();

create table request_counts (
  workspace_id uuid references workspaces on delete cascade,
  bucket text not null,
  used integer not null,
  user_id uuid references profiles on delete cascade,
  subject text check (char_length(subject) <= 100),
  -- When the count begins anew.
  expires_at timestamptz not null,
  check (char_length(bucket) between 1 and 50),
  check (num_nonnulls(workspace_id, user_id, subject) = 1),
  unique nulls not distinct (workspace_id, user_id, subject, bucket)
) with (fillfactor = 50);
comment on table request_counts is 'How often something limited was done: by a workspace, a person, or a subject of sign-in, which is the hash of an address, a mailbox, or both.';
create index request_counts_by_expiry on request_counts (expires_at);
alter table request_counts enable row level security, force row level security;
create policy app_workspace on request_counts to cuebird_app
  using (workspace_id = current_workspace_id() or user_id = current_user_id())
  with check (workspace_id = current_workspace_id() or user_id = current_user_id());
create policy auth_subjects on request_counts to cuebird_auth using (subject is not null) with check (subject is not null);
create policy owner_deletes on request_counts for delete to current_user using (expires_at < now());
grant select, insert, update on request_counts to cuebird_app;
grant select, insert, update, delete on request_counts to cuebird_auth;

create table idempotency_keys (
  workspace_id uuid references workspaces on delete cascade,
  user_id uuid,
  key text not null check (char_length(key) between 1 and 200),
  request_hash text not null,
  -- Null while the first request is in flight.
  status integer,
  answer text,
  created_at timestamptz not null default now(),
  api_key_id uuid,
  foreign key (workspace_id, api_key_id) references api_keys (workspace_id, id) on delete cascade,
  check (num_nonnulls(user_id, api_key_id) = 1),
  unique nulls not distinct (workspace_id, user_id, api_key_id, key)
);
comment on table idempotency_keys is 'A POST and its answer, for the same request again: of a person or of an API key.';
create index idempotency_keys_by_age on idempotency_keys (created_at);
alter table idempotency_keys enable row level security, force row level security;
create policy app_workspace on idempotency_keys to cuebird_app
  using ((user_id = current_user_id() or api_key_id = current_api_key_id()) and workspace_id is not distinct from current_workspace_id())
  with check ((user_id = current_user_id() or api_key_id = current_api_key_id()) and workspace_id is not distinct from current_workspace_id());
create policy owner_deletes on idempotency_keys for delete to current_user using (true);
grant select, insert, update, delete on idempotency_keys to cuebird_app;

create table audit_log (
  id uuid primary key default uuidv7(),
  workspace_id uuid references workspaces on delete cascade,
  actor_id uuid,
  action text not null,
  target text,
  details jsonb not null default '{}',
  created_at timestamptz not null default now()
);
comment on table audit_log is 'Who did what. Append-only: no role may change or remove what was logged, but for what is old enough.';
create index on audit_log (workspace_id, created_at desc);
create index audit_log_by_age on audit_log (created_at);
alter table audit_log enable row level security, force row level security;
create policy app_append on audit_log for insert to cuebird_app with check (workspace_id = current_workspace_id());
create policy app_read on audit_log for select to cuebird_app using (workspace_id = current_workspace_id());
create policy auth_append on audit_log for insert to cuebird_auth with check (workspace_id is null);
create policy engine_append on audit_log for insert to cuebird_engine with check (true);
create policy owner_deletes on audit_log for delete to current_user using (true);
grant select, insert on audit_log to cuebird_app;
grant insert on audit_log to cuebird_auth;
grant insert on audit_log to cuebird_engine;
