-- Revoking the access of a person in one place, and deleting an account while its workspaces change hands.

-- Ends every session of the person but the kept one, and voids the links that were mailed to them and the change of address that waits.
create function revoke_access(person uuid, kept_session uuid default null) returns void
  language plpgsql set search_path = public, pg_temp
as $$
begin
  -- A session that is being made locks this row by its foreign key: it is committed before this goes on, and deleted below,
  -- or it waits for this to commit.
  perform from profiles where id = person for update;
  delete from auth_sessions where user_id = person and id is distinct from kept_session;
  delete from auth_verifications where value = person::text;
  delete from auth_email_changes where user_id = person;
end
$$;
revoke all on function revoke_access from public;
grant execute on function revoke_access to cuebird_auth;

-- Whoever sets a password, by whatever path. Only the session in which the person changes it goes on: it is named for one transaction.
create or replace function revoke_access_of_old_password() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  perform revoke_access(new.user_id, nullif(current_setting('cuebird.kept_session', true), '')::uuid);
  return null;
end
$$;

-- Deleted sessions are announced (`announce_ended_sessions`): every process forgets them and closes their streams.
create or replace function end_sessions_of_suspended() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  perform revoke_access(new.id);
  return null;
end
$$;

drop function workspaces_owned_alone;

-- The workspaces of which the person is the only owner, but for those that are being deleted. It runs with the caller's rights and enters one
-- workspace after the other, as its requests do. With `locks`, nobody changes the members of any workspace of the person from here on, nor
-- makes the person the owner of one: what is returned stays true until the transaction ends. In one order for everybody, so that two owners
-- who leave at once wait for each other.
create function sole_owned_workspaces(locks boolean) returns table (id uuid, name text, other_members integer)
  language plpgsql set search_path = public, pg_temp
as $$
declare
  one uuid;
begin
  if locks then
    -- A workspace that the person is creating refers to this row.
    perform from profiles p where p.id = current_user_id() for update;
  end if;
  for one in
    select m.workspace_id from workspace_members m
     where m.user_id = current_user_id() and (locks or m.role = 'owner')
     order by m.workspace_id
  loop
    perform set_config('app.workspace_id', one::text, true);
    if locks then
      perform from workspaces w where w.id = one for no key update;
    end if;
    -- Read behind the lock: whoever had it may have made the person the owner, or have restored the workspace.
    return query
      select w.id, w.name, (count(*) - 1)::integer
        from workspaces w join workspace_members m on m.workspace_id = w.id
       where w.id = one and w.delete_after is null
       group by w.id
      having count(*) filter (where m.role = 'owner') = 1
         and bool_or(m.role = 'owner' and m.user_id = current_user_id());
  end loop;
  perform set_config('app.workspace_id', '', true);
end
$$;
revoke all on function sole_owned_workspaces from public;
grant execute on function sole_owned_workspaces to cuebird_app;
