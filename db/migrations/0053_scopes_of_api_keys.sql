-- An API key may do what its scopes say. Those of before keep what they could do: all of it, within the role that they were made with.
alter table api_keys
  add column scopes text[] not null default '{send,read,manage}'
    check (cardinality(scopes) > 0 and scopes <@ array['send', 'read', 'manage']);
alter table api_keys alter column scopes drop default;
comment on column api_keys.role is 'The rank up to which a key is let in: admin for those that may manage, but for keys from before there were scopes.';

-- A replaced key ends after some hours: an end may come nearer, never move away.
grant insert (scopes) on api_keys to cuebird_app;
grant update (expires_at) on api_keys to cuebird_app;
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
