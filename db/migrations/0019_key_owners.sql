-- An API key belongs to a member, and ends with the right to create keys: whoever no longer belongs to a workspace must not act in it.

alter table api_keys add column owned_by uuid;
comment on column api_keys.owned_by is 'The member whose key it is: who made it, or to whom it was transferred. Null only for a key that was revoked.';

-- The policies bind this file too.
alter table api_keys no force row level security;
alter table workspace_members no force row level security;
alter table profiles no force row level security;
alter table audit_log no force row level security;

update api_keys k set owned_by = k.created_by
 where exists (select from workspace_members m join profiles p on p.id = m.user_id
                where m.workspace_id = k.workspace_id and m.user_id = k.created_by and m.role in ('owner', 'admin')
                  and p.suspended_at is null);
-- Keys of those who have left, or may no longer create any, end now.
with ended as (
  update api_keys set revoked_at = now() where owned_by is null and revoked_at is null
  returning id, workspace_id, name, prefix, expires_at
)
insert into audit_log (workspace_id, action, target, details)
select workspace_id, 'api_key.ended', id::text, jsonb_build_object('name', name, 'prefix', prefix)
  from ended where expires_at is null or expires_at > now();

alter table api_keys force row level security;
alter table workspace_members force row level security;
alter table profiles force row level security;
alter table audit_log force row level security;

alter table api_keys add foreign key (workspace_id, owned_by) references workspace_members (workspace_id, user_id)
  on delete set null (owned_by);
alter table api_keys add constraint api_keys_have_an_owner check (owned_by is not null or revoked_at is not null);
create index on api_keys (workspace_id, owned_by) where owned_by is not null;
create index on api_keys (owned_by) where owned_by is not null;
grant insert (owned_by), update (owned_by) on api_keys to cuebird_app;
create policy owner_revokes on api_keys for update to current_user using (true);

-- Ends the keys of a person, in one workspace or in all, and writes it into the audit log of each. A workspace that is being deleted
-- keeps no log. Only who acts in the workspace is named, with the address: an administrator who suspends somebody does not act there.
create function end_api_keys_of(person uuid, workspace uuid default null) returns void
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  client_address text := current_setting('app.client_address', true);
begin
  if workspace is null or current_workspace_id() is distinct from workspace then
    perform set_config('app.client_address', '', true);
  end if;
  with ended as (
    update api_keys set revoked_at = now()
     where owned_by = person and (workspace is null or workspace_id = workspace) and revoked_at is null
    returning id, workspace_id, name, prefix, expires_at
  )
  insert into audit_log (workspace_id, actor_id, account_id, action, target, details)
  select workspace_id, case when workspace_id = current_workspace_id() then current_user_id() end, person, 'api_key.ended', id::text,
         jsonb_build_object('name', name, 'prefix', prefix)
    from ended
   where (expires_at is null or expires_at > now()) and workspace_exists(workspace_id);
  perform set_config('app.client_address', coalesce(client_address, ''), true);
end
$$;
revoke all on function end_api_keys_of from public;

create function end_api_keys_of_member() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform end_api_keys_of(old.user_id, old.workspace_id);
  return case tg_op when 'DELETE' then old else new end;
end
$$;
revoke all on function end_api_keys_of_member from public;
-- Before the row is gone, and with it the one whose keys they are.
create trigger end_api_keys_of_removed before delete on workspace_members for each row execute function end_api_keys_of_member();
create trigger end_api_keys_of_demoted before update of role on workspace_members for each row
  when (new.role = 'member' and old.role <> 'member') execute function end_api_keys_of_member();

create function end_api_keys_of_suspended() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  perform end_api_keys_of(new.id);
  return null;
end
$$;
revoke all on function end_api_keys_of_suspended from public;
create trigger end_api_keys_of_suspended after update of suspended_at on profiles for each row
  when (old.suspended_at is null and new.suspended_at is not null) execute function end_api_keys_of_suspended();

-- For administrators of the installation, who see no keys.
create or replace function live_api_keys_of(person uuid) returns integer
  language sql stable security definer set search_path = public, pg_temp
as $$
  select count(*)::integer from api_keys
   where owned_by = person and revoked_at is null and (expires_at is null or expires_at > now())
$$;
