-- Changes of a person's address and password, and how long a session lasts.

create table auth_email_changes (
  -- One per person: a later one replaces it.
  user_id uuid primary key references profiles on delete cascade,
  email text not null check (email = lower(email) and char_length(email) between 3 and 320),
  token_hash text not null unique,
  expires_at timestamptz not null
);
comment on table auth_email_changes is 'An address that a person wants to sign in with, and that is not confirmed yet.';
create index auth_email_changes_by_expiry on auth_email_changes (expires_at);
alter table auth_email_changes enable row level security, force row level security;
create policy auth_all on auth_email_changes to cuebird_auth using (true) with check (true);
grant select, insert, update, delete on auth_email_changes to cuebird_auth;

-- Whoever sets a password, by whatever path: every session of the person ends with the old one, and every other reset link and a
-- change of address that waits. Only the session in which the person changes it goes on: it is named for one transaction.
create or replace function revoke_access_of_old_password() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  -- A session that is being made locks this row by its foreign key: it is committed before this goes on, and deleted below,
  -- or it waits for this to commit.
  perform from profiles where id = new.user_id for update;
  delete from auth_sessions
   where user_id = new.user_id and id is distinct from nullif(current_setting('cuebird.kept_session', true), '')::uuid;
  delete from auth_verifications where value = new.user_id::text;
  delete from auth_email_changes where user_id = new.user_id;
  return null;
end
$$;

-- 90 days after its beginning a session ends, however much it is used. Hours, since a day may have 23 of them.
alter table auth_sessions no force row level security;
update auth_sessions set expires_at = least(expires_at, created_at + interval '2160 hours');
alter table auth_sessions force row level security;
