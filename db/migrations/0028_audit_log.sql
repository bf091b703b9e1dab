-- The audit log outlives its workspace and the accounts in it, names who did what and from where, and only grows.

-- A row stays when its workspace is deleted: whoever runs the installation can still read it.
alter table audit_log drop constraint audit_log_workspace_id_fkey;
alter table audit_log
  -- Who it was at the time, so that the row stays readable when the account or the key is gone. Filled in by the trigger below.
  add column actor_kind text not null default 'system'
    check (actor_kind in ('person', 'api_key', 'stranger', 'administrator', 'system')),
  add column actor_name text,
  add column actor_email text,
  -- Whose account it is about, where it is about one: a sign-in, a reset.
  add column account_id uuid,
  -- The address that the request came from; null for what no request did.
  add column client_address text check (char_length(client_address) <= 64),
  -- The noun of the action: `api_key` of `api_key.created`.
  add column kind text not null generated always as (split_part(action, '.', 1)) stored,
  -- Under whom it is found: who acted, or whose account somebody unknown tried.
  add column who_id uuid generated always as (coalesce(actor_id, account_id)) stored;
comment on table audit_log is 'Who did what, and from where. It only grows: rows are never changed, and deleted after 400 days.';

-- The owner is bound by the policies as well, and none of them lets it change a row.
alter table audit_log no force row level security;
update audit_log a
   set actor_kind = coalesce((select 'person' from profiles p where p.id = a.actor_id),
                             (select 'api_key' from api_keys k where k.id = a.actor_id),
                             case when a.actor_id is null then 'system' else 'person' end),
       actor_name = coalesce((select p.full_name from profiles p where p.id = a.actor_id),
                             (select k.name from api_keys k where k.id = a.actor_id)),
       actor_email = (select p.email from profiles p where p.id = a.actor_id);
alter table audit_log force row level security;

drop index audit_log_workspace_id_created_at_idx;
create index audit_log_of_workspace on audit_log (workspace_id, created_at desc, id desc);
create index audit_log_by_who on audit_log (workspace_id, who_id, created_at desc, id desc);
create index audit_log_by_kind on audit_log (workspace_id, kind, created_at desc, id desc);

-------------------------------------------------------------------------------------------------------- who and from where

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

---------------------------------------------------------------------------------------------------------------- append-only

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

drop policy owner_deletes on audit_log;
create policy owner_deletes on audit_log for delete to current_user using (created_at < now() - interval '400 days');

create function delete_old_acts(before timestamptz, batch integer) returns integer
  language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from audit_log
     where ctid = any (array(select ctid from audit_log
                              where created_at < least(before, now() - interval '400 days') limit batch))
    returning 1
  )
  select count(*)::integer from gone
$$;
revoke all on function delete_old_acts from public;
grant execute on function delete_old_acts to cuebird_engine;

------------------------------------------------------------------------------------------------------------------- rights

revoke all on audit_log from cuebird_app, cuebird_engine, cuebird_auth;
grant select on audit_log to cuebird_app;
grant insert (workspace_id, actor_id, action, target, details, created_at) on audit_log to cuebird_app, cuebird_auth;
grant insert (workspace_id, actor_id, actor_kind, action, target, details, created_at) on audit_log to cuebird_engine;

-- Nobody writes in the name of another one.
drop policy app_append on audit_log;
create policy app_append on audit_log for insert to cuebird_app with check (
  workspace_id = current_workspace_id() and (actor_id is null or actor_id in (current_user_id(), current_api_key_id())));

------------------------------------------------------------------------------------------------------------ acts on accounts

create policy owner_appends on audit_log for insert to current_user with check (account_id is not null);

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
