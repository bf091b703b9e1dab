-- A browser that takes push messages belongs to the session in which it was subscribed, and says which one it is and when it was last used.

alter table push_subscriptions
  -- Its User-Agent, by which its owner recognizes it.
  add column user_agent text check (char_length(user_agent) <= 400),
  -- When its push service last accepted a message.
  add column last_used_at timestamptz,
  -- Null once that session has expired.
  add column session_id uuid references auth_sessions on delete set null;
create index on push_subscriptions (session_id);

grant update (session_id, user_agent, last_used_at) on push_subscriptions to cuebird_app;
create policy engine_update on push_subscriptions for update to cuebird_engine using (true) with check (true);
grant update (last_used_at) on push_subscriptions to cuebird_engine;

-- Sign-in ends what belonged to a session that it ends. It cannot read where a browser is reached.
create policy auth_read on push_subscriptions for select to cuebird_auth using (true);
create policy auth_delete on push_subscriptions for delete to cuebird_auth using (true);
grant select (id, user_id, session_id), delete on push_subscriptions to cuebird_auth;

-- Whoever signs out of a browser is not written to there any more. A session that merely expires changes nothing: a browser that is seldom
-- opened still takes reminders.
create function end_push_of_session() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  delete from push_subscriptions where session_id = old.id;
  return old;
end
$$;
create trigger end_push_of_session before delete on auth_sessions for each row
  when (old.expires_at > now()) execute function end_push_of_session();

-- For whoever signs out everywhere: the browsers of the person whose session has expired.
create function end_push_without_session(person uuid) returns void
  language sql set search_path = public, pg_temp
as $$
  delete from push_subscriptions where user_id = person and session_id is null
$$;
revoke all on function end_push_without_session from public;
grant execute on function end_push_without_session to cuebird_auth;

create or replace function revoke_access(person uuid, kept_session uuid default null) returns void
  language plpgsql set search_path = public, pg_temp
as $$
begin
  -- A session that is being made locks this row by its foreign key: it is committed before this goes on, and deleted below,
  -- or it waits for this to commit.
  perform from profiles where id = person for update;
  delete from auth_sessions where user_id = person and id is distinct from kept_session;
  delete from auth_verifications where value = person::text;
  delete from auth_email_changes where user_id = person;
  perform end_push_without_session(person);
end
$$;
