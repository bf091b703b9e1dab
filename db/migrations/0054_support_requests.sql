-- What people ask of support, with or without an account. It belongs to no workspace. Only the login of sign-in reads and writes it.

create table support_requests (
  id uuid primary key default uuidv7(),
  email text not null check (char_length(email) <= 320),
  category text not null check (char_length(category) <= 40),
  subject text not null check (char_length(subject) <= 200),
  message text not null check (char_length(message) <= 5000),
  created_at timestamptz not null,
  mailed_at timestamptz,
  closed_at timestamptz
);
comment on table support_requests is 'A request of the form at /support; deleted a year after it came.';
comment on column support_requests.mailed_at is 'Null until SUPPORT_EMAIL has accepted its mail.';
create index support_requests_open on support_requests (id) where closed_at is null;
create index on support_requests (created_at);

create table support_answers (
  id uuid primary key default uuidv7(),
  request_id uuid not null references support_requests (id) on delete cascade,
  -- As it was then: the account may be gone.
  author text not null,
  message text not null check (char_length(message) <= 10000),
  created_at timestamptz not null
);
comment on table support_answers is 'A mail by which an administrator answered a request.';
create index on support_answers (request_id, id);

do $$
declare
  name text;
begin
  foreach name in array array['support_requests', 'support_answers']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy auth_all on %I to cuebird_auth using (true) with check (true)', name);
  end loop;
end
$$;
grant select, insert, update on support_requests to cuebird_auth;
grant select, insert on support_answers to cuebird_auth;

create policy owner_deletes on support_requests for delete to current_user using (created_at < now() - interval '365 days');
create policy owner_reads_expired on support_requests for select to current_user using (created_at < now() - interval '365 days');

create function delete_old_support_requests(before timestamptz, batch integer) returns integer
  language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from support_requests
     where id = any (array(select id from support_requests
                            where created_at < least(before, now() - interval '365 days') order by created_at limit batch))
    returning 1
  )
  select count(*)::integer from gone
$$;
revoke all on function delete_old_support_requests from public;
grant execute on function delete_old_support_requests to cuebird_engine;
