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
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['send', 'read', 'manage']),
  unique (workspace_id, id)
);
comment on table api_keys is 'How a program calls the API for a workspace. A key is revoked, never deleted.';
comment on column api_keys.role is 'The rank up to which a key is let in: admin for those that may manage, but for keys from before there were scopes.';
create index api_keys_by_age on api_keys (workspace_id, created_at desc, id desc);
create index on api_keys (created_by) where created_by is not null;
alter table api_keys enable row level security, force row level security;
create policy app_workspace on api_keys to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
-- A key is never given another role: it is revoked.
grant select on api_keys to cuebird_app;
grant insert (workspace_id, name, role, prefix, token_hash, created_by, created_at, expires_at, scopes) on api_keys to cuebird_app;
grant update (expires_at, revoked_at, last_used_at) on api_keys to cuebird_app;

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

-- A replaced key ends after some hours: an end may come nearer, never move away.
create function refuse_later_end() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  raise exception 'an API key cannot be given a later end' using errcode = 'check_violation';
end
$$;
create trigger api_keys_end_no_later before update of expires_at on api_keys for each row
  when (new.expires_at is null and old.expires_at is not null or new.expires_at > old.expires_at)
  execute function refuse_later_end();

-- For administrators of the installation, who see no keys: a suspension does not revoke them, as they belong to their workspaces.
create function live_api_keys_of(person uuid) returns integer
  language sql stable security definer set search_path = public, pg_temp
as $$
  select count(*)::integer from api_keys
   where created_by = person and revoked_at is null and (expires_at is null or expires_at > now())
$$;
revoke all on function live_api_keys_of from public;
grant execute on function live_api_keys_of to cuebird_auth;

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
create index on request_counts (user_id) where user_id is not null;
alter table request_counts enable row level security, force row level security;
create policy app_workspace on request_counts to cuebird_app
  using (workspace_id = current_workspace_id() or user_id = current_user_id())
  with check (workspace_id = current_workspace_id() or user_id = current_user_id());
create policy auth_subjects on request_counts to cuebird_auth using (subject is not null) with check (subject is not null);
create policy owner_deletes on request_counts for delete to current_user using (expires_at < now());
grant select, insert on request_counts to cuebird_app;
grant update (used, expires_at) on request_counts to cuebird_app;
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
create policy owner_reseals on idempotency_keys for update to current_user using (true);
grant select, insert, delete on idempotency_keys to cuebird_app;
grant update (status, answer) on idempotency_keys to cuebird_app;

-------------------------------------------------------------------------------------------------------------- audit log

-- A row stays when its workspace is deleted: whoever runs the installation can still read it.
create table audit_log (
  id uuid primary key default uuidv7(),
  workspace_id uuid,
  actor_id uuid,
  action text not null,
  target text,
  details jsonb not null default '{}',
  created_at timestamptz not null default now(),
  -- Who it was at the time, so that the row stays readable when the account or the key is gone. Filled in by the trigger below.
  actor_kind text not null default 'system' check (actor_kind in ('person', 'api_key', 'stranger', 'administrator', 'system')),
  actor_name text,
  actor_email text,
  -- Whose account it is about, where it is about one: a sign-in, a reset.
  account_id uuid,
  -- The address that the request came from; null for what no request did.
  client_address text check (char_length(client_address) <= 64),
  -- The noun of the action: `api_key` of `api_key.created`.
  kind text not null generated always as (split_part(action, '.', 1)) stored,
  -- Under whom it is found: who acted, or whose account somebody unknown tried.
  who_id uuid generated always as (coalesce(actor_id, account_id)) stored
);
comment on table audit_log is 'Who did what, and from where. It only grows: rows are never changed, and deleted after 400 days.';
create index audit_log_by_age on audit_log (created_at);
create index audit_log_of_workspace on audit_log (workspace_id, created_at desc, id desc);
create index audit_log_by_who on audit_log (workspace_id, who_id, created_at desc, id desc);
create index audit_log_by_kind on audit_log (workspace_id, kind, created_at desc, id desc);
create index audit_log_of_deletions on audit_log (created_at desc, id desc) where action = 'workspace.deleted';
-- Who changed a reminder, and when, is read by the reminder's page.
create index audit_log_of_reminder on audit_log (workspace_id, target, created_at desc, id desc) where kind = 'reminder';

-- Administrators of the installation read what has no reader else: acts that belong to no workspace, and those of workspaces that are
-- gone. A workspace that exists shows its log to its owners and admins only.
create function workspace_exists(workspace uuid) returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$
  select exists (select from workspaces where id = workspace)
$$;
revoke all on function workspace_exists from public;
grant execute on function workspace_exists to cuebird_app;

alter table audit_log enable row level security, force row level security;
-- Nobody writes in the name of another one.
create policy app_append on audit_log for insert to cuebird_app with check (
  workspace_id = current_workspace_id() and (actor_id is null or actor_id in (current_user_id(), current_api_key_id())));
create policy app_read on audit_log for select to cuebird_app using (workspace_id = current_workspace_id());
create policy app_administrator_reads on audit_log for select to cuebird_app
  using ((workspace_id is null or not workspace_exists(workspace_id))
    and exists (select from profiles p where p.id = current_user_id() and p.is_system_admin));
create policy auth_append on audit_log for insert to cuebird_auth with check (workspace_id is null);
create policy engine_append on audit_log for insert to cuebird_engine with check (true);
create policy owner_appends on audit_log for insert to current_user with check (account_id is not null);
create policy owner_appends_administration on audit_log for insert to current_user
  with check (action like 'admin.%' or (is_administrator() and actor_kind = 'administrator'));
create policy owner_deletes on audit_log for delete to current_user using (created_at < now() - interval '400 days');
grant select on audit_log to cuebird_app;
grant insert (workspace_id, actor_id, action, target, details, created_at) on audit_log to cuebird_app, cuebird_auth;
grant insert (workspace_id, actor_id, actor_kind, action, target, details, created_at) on audit_log to cuebird_engine;

-- The database says who acted, not the statement that inserts: names and address cannot be made up, nor forgotten.
create function name_actor() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  new.client_address := coalesce(new.client_address, nullif(left(current_setting('app.client_address', true), 64), ''));
  if new.actor_id is null then
    return new;
  end if;
  select 'person', full_name, email into new.actor_kind, new.actor_name, new.actor_email from profiles where id = new.actor_id;
  if found then
    return new;
  end if;
  select 'api_key', name, null into new.actor_kind, new.actor_name, new.actor_email
    from api_keys where workspace_id = new.workspace_id and id = new.actor_id;
  if not found then
    new.actor_kind := 'person';
  end if;
  return new;
end
$$;
revoke all on function name_actor from public;
create trigger name_actor before insert on audit_log for each row execute function name_actor();

create function refuse_to_rewrite_audit_log() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  raise exception 'The audit log only grows: % is refused', lower(tg_op) using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_log_not_updated before update on audit_log for each row execute function refuse_to_rewrite_audit_log();
-- What is older may go: that is all `delete_old_acts` does.
create trigger audit_log_not_deleted before delete on audit_log for each row
  when (old.created_at >= now() - interval '400 days') execute function refuse_to_rewrite_audit_log();
create trigger audit_log_not_truncated before truncate on audit_log for each statement execute function refuse_to_rewrite_audit_log();

-- An act on an account belongs to no workspace. It is written once without one, and once into each workspace that the person belongs to
-- at this moment: who joins later brings no past along, and who leaves takes none away.
-- `by_owner`: whether the account's owner did it; a wrong password is anybody's.
create function record_account_act(account uuid, by_owner boolean, action text, details jsonb, address text, at timestamptz) returns void
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if action !~ '^(account|sign_in)\.' then
    raise exception '% is not an act on an account', action;
  end if;
  insert into audit_log (workspace_id, actor_id, actor_kind, account_id, action, target, details, client_address, created_at)
  select w.id, case when by_owner then p.id end, case when by_owner then 'person' else 'stranger' end, p.id, action, p.id::text,
         details || jsonb_build_object('name', p.full_name, 'email', p.email), left(address, 64), at
    from profiles p
   cross join lateral (select null::uuid as id
                        union all
                       select m.workspace_id from workspace_members m where m.user_id = p.id) w
   where p.id = account;
end
$$;
revoke all on function record_account_act from public;
grant execute on function record_account_act to cuebird_auth;

-- The same for a request, which acts on the account of its own person only.
create function record_own_act(action text, details jsonb, at timestamptz) returns void
  language sql security definer set search_path = public, pg_temp
as $$
  select record_account_act(current_user_id(), true, action, details, nullif(current_setting('app.client_address', true), ''), at)
$$;
revoke all on function record_own_act from public;
grant execute on function record_own_act to cuebird_app;
