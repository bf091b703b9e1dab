-- Who asked on the landing page to be shown around. It belongs to no workspace. Only the login of sign-in reads and writes it.
create table demo_requests (
  id uuid primary key default uuidv7(),
  name text not null check (char_length(name) <= 100),
  email text not null check (char_length(email) <= 320),
  message text not null check (char_length(message) <= 2000),
  created_at timestamptz not null
);
comment on table demo_requests is 'A request for a demo, from the landing page: the newest 200, for a year.';
create index on demo_requests (created_at);
alter table demo_requests enable row level security, force row level security;
create policy auth_all on demo_requests to cuebird_auth using (true) with check (true);
grant select, insert, delete on demo_requests to cuebird_auth;
