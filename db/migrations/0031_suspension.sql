-- A person whom an administrator of the installation has suspended: signed out everywhere, and not let in again until it is lifted.

alter table profiles
  add column suspended_at timestamptz,
  add column suspended_by uuid references profiles on delete set null;
comment on column profiles.suspended_at is 'Since when an administrator of the installation keeps the person out; null for everybody else.';
create index on profiles (suspended_by) where suspended_by is not null;

-- Deleted sessions are announced (`announce_ended_sessions`): every process forgets them and closes their streams.
create function end_sessions_of_suspended() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  -- A session that is being made locks this row by its foreign key: it is committed before this goes on, and deleted below, or it
  -- waits for this to commit, and is refused.
  perform from profiles where id = new.id for update;
  delete from auth_sessions where user_id = new.id;
  delete from auth_verifications where value = new.id::text;
  return null;
end
$$;
create trigger end_sessions_of_suspended after update of suspended_at on profiles for each row
  when (old.suspended_at is null and new.suspended_at is not null) execute function end_sessions_of_suspended();

-- Every way of signing in makes a session, so this refuses all of them. The code is read by sign-in.
create function refuse_session_of_suspended() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
declare
  since timestamptz;
begin
  select suspended_at into since from profiles where id = new.user_id for key share;
  if since is not null then
    raise exception 'the person is suspended' using errcode = 'CB001';
  end if;
  return new;
end
$$;
create trigger refuse_session_of_suspended before insert on auth_sessions for each row
  execute function refuse_session_of_suspended();

drop trigger announce_changed_person on profiles;
create trigger announce_changed_person
  after update of email, full_name, is_system_admin, is_demo, email_verified, suspended_at on profiles for each row
  when ((old.email, old.full_name, old.is_system_admin, old.is_demo, old.email_verified, old.suspended_at)
    is distinct from (new.email, new.full_name, new.is_system_admin, new.is_demo, new.email_verified, new.suspended_at))
  execute function announce_changed_person();

-- Mails about missed and over-plan occurrences say what a workspace does.
create or replace function owners_of(workspace uuid) returns table (email text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select p.email
    from workspace_members m
    join profiles p on p.id = m.user_id
   where m.workspace_id = workspace and m.role = 'owner' and not p.is_demo and p.suspended_at is null
   order by m.joined_at
$$;

-- For administrators of the installation, who see no keys: a suspension does not revoke them, as they belong to their workspaces.
create index on api_keys (created_by) where created_by is not null;
create function live_api_keys_of(person uuid) returns integer
  language sql stable security definer set search_path = public, pg_temp
as $$
  select count(*)::integer from api_keys
   where created_by = person and revoked_at is null and (expires_at is null or expires_at > now())
$$;
revoke all on function live_api_keys_of from public;
grant execute on function live_api_keys_of to cuebird_auth;
