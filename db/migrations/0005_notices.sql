-- Occurrences that were not sent although nobody wished so: missed while nothing ran, or over the plan. The owners are
-- told by mail, once a day at most; what they were told of goes.
create table notices (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  job_id uuid not null,
  name text not null,
  scheduled_for timestamptz not null,
  timezone text not null,
  reason text not null,
  -- The day (UTC) of the mail that tells of it; it stays where that mail was not finished.
  told_on date,
  created_at timestamptz not null
);
create index on notices (workspace_id, scheduled_for);

-- The last day (UTC) on which a workspace's owners were told.
create table notice_days (
  workspace_id uuid primary key references workspaces on delete cascade,
  day date not null
);

alter table notices enable row level security;
alter table notices force row level security;
alter table notice_days enable row level security;
alter table notice_days force row level security;
create policy engine_all on notices to cuebird_engine using (true) with check (true);
create policy engine_all on notice_days to cuebird_engine using (true) with check (true);
grant select, insert, update, delete on notices, notice_days to cuebird_engine;

-- The engine does not read who belongs to a workspace; whom to tell is all it may ask. Forced policies bind the owner
-- as well, as whom this runs.
do $$
begin
  execute format('create policy find_owners on workspace_members for select to %I using (true)', current_user);
  execute format('create policy find_owners on profiles for select to %I using (true)', current_user);
end
$$;
create function owners_of(workspace uuid) returns table (email text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select p.email
    from workspace_members m
    join profiles p on p.id = m.user_id
   where m.workspace_id = workspace and m.role = 'owner' and not p.is_demo
   order by m.joined_at
$$;
revoke all on function owners_of from public;
grant execute on function owners_of to cuebird_engine;
