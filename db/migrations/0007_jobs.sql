-- Jobs, the queue of those that wait, and the claims of those that run; what is counted against a plan, and what its owners are told.
--
-- What waits is in a narrow table of its own, and what runs in one row for each claim. The state of a job changes without
-- touching an index of `jobs`: PostgreSQL updates such a row within its page (HOT), and a claim of five hundred jobs writes one
-- lease, not five hundred.
--
-- Neither the queue nor the ledger has foreign keys. A key would check every row against a parent that the same transaction has
-- just read, and lock that parent: half of what a delivery costs the database. Triggers do on a deletion what the keys would.

------------------------------------------------------------------------------------------------------------------- jobs

create table jobs (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null,
  reminder_id uuid,
  name text not null,
  type text not null check (type in ('reminder', 'event_reminder', 'test_reminder', 'api_notification')),
  status text not null default 'pending' check (status in ('pending', 'running', 'completed', 'failed', 'cancelled', 'paused')),
  scheduled_for timestamptz not null,
  -- When the dispatcher may take it: scheduled_for at first, later while a retry waits.
  run_at timestamptz not null,
  expires_at timestamptz,
  attempts integer not null default 0,
  max_attempts integer not null default 8,
  -- The reminder's revision that this occurrence was computed from.
  revision integer not null default 1,
  payload jsonb not null default '{}',
  error_message text,
  -- Why no further attempt of a running job may start.
  stop_reason text,
  started_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The fence: a worker with another claim no longer writes for the job.
  claim_id uuid,
  paused_at timestamptz,
  event_id uuid,
  -- Completed jobs leave the lists for the archive, where the workspace wants that. They count like any other.
  archived_at timestamptz,
  -- Not by a trigger: one before each update locks every row once more than its update does.
  failed_at timestamptz generated always as (case when status = 'failed' then coalesce(completed_at, updated_at) end) stored,
  cancelled_at timestamptz generated always as (case when status = 'cancelled' then coalesce(completed_at, updated_at) end) stored,
  reason_code text,
  -- Null where the row has no run. Such a job had no other run, so its id is the run's id.
  run_outcome text check (run_outcome in ('accepted', 'delivered', 'failed', 'unknown')),
  check ((status = 'running') = (claim_id is not null)),
  check ((status = 'paused') = (paused_at is not null)),
  check (archived_at is null or status = 'completed')
)
-- Room for a claim and its result beside each row.
with (fillfactor = 50);
comment on table jobs is 'One occurrence of a reminder, one reminder of an event, one test or one API send.';
comment on column jobs.reason_code is 'Why it was stopped (`stop_reason`) or cancelled (`error_message`), as a code.';
comment on column jobs.run_outcome is 'What the delivery ended as in the run that this row describes; read through the view executions.';
-- No statement searches, joins or sorts by these columns. While deliveries are under way, jobs are analyzed every few seconds, and
-- each column adds to what that takes.
alter table jobs
  alter column name set statistics 0,
  alter column payload set statistics 0,
  alter column error_message set statistics 0,
  alter column stop_reason set statistics 0,
  alter column claim_id set statistics 0,
  alter column attempts set statistics 0,
  alter column max_attempts set statistics 0,
  alter column revision set statistics 0,
  alter column expires_at set statistics 0,
  alter column created_at set statistics 0;

-- One occurrence per reminder and time, and one reminder per event, whatever races.
create unique index one_job_per_occurrence on jobs (reminder_id, scheduled_for) where type = 'reminder';
create unique index one_job_per_event on jobs (event_id, reminder_id) where event_id is not null;
-- In the order of their making, for the runs of a reminder that waits for events.
create index jobs_of_reminder on jobs (reminder_id, id) where type <> 'reminder';
-- Runs are listed by the time that their job was planned for: when a run began or ended is in no index, because a run changes it.
create index jobs_by_time on jobs (workspace_id, scheduled_for, id);
create index jobs_failed_by_time on jobs (workspace_id, scheduled_for, id) where failed_at is not null;
-- Tests of reminders are left out of every count, and listed on their own. An engine's update changes none of these columns.
create index jobs_tests on jobs (workspace_id, id) where type = 'test_reminder';
-- In the order of their making, because identifiers rise with time. One index in two parts: a new job is entered in the first
-- alone, and a claim or a result changes neither.
create index jobs_by_age on jobs (workspace_id, id) where archived_at is null;
create index jobs_archived on jobs (workspace_id, id) where archived_at is not null;
-- The status itself is in no index: a claim and its result would have to touch it twice for each job. These ends are rare.
create index jobs_failed on jobs (workspace_id, id) where failed_at is not null;
create index jobs_cancelled on jobs (workspace_id, id) where cancelled_at is not null;
create index jobs_paused on jobs (scheduled_for) where paused_at is not null;
create index jobs_paused_by_workspace on jobs (workspace_id, id) where paused_at is not null;
alter table jobs enable row level security, force row level security;
-- What a request writes may not point at another workspace's reminder either.
create policy app_workspace on jobs to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id()
    and (reminder_id is null or exists (select from reminders r where r.id = reminder_id and r.workspace_id = jobs.workspace_id)));
create policy engine_all on jobs to cuebird_engine using (true) with check (true);
create policy follow_parents on jobs to current_user using (true) with check (true);
grant select, insert, delete on jobs to cuebird_app;
grant update (reminder_id, name, type, status, scheduled_for, run_at, expires_at, attempts, max_attempts, revision, payload,
              error_message, stop_reason, started_at, completed_at, updated_at, claim_id, paused_at, event_id, archived_at,
              reason_code) on jobs to cuebird_app;
grant select, insert, update, delete on jobs to cuebird_engine;

-- A job whose reminder is gone is refused when it is claimed.
create function detach_jobs_of_reminders() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  -- Apart, because each has an index of its own.
  update jobs j set reminder_id = null from gone where j.reminder_id = gone.id and j.type = 'reminder';
  update jobs j set reminder_id = null from gone where j.reminder_id = gone.id and j.type <> 'reminder';
  return null;
end
$$;
create trigger jobs_outlive_reminders after delete on reminders
  referencing old table as gone for each statement execute function detach_jobs_of_reminders();

create function delete_jobs_of_workspaces() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from jobs j using gone where j.workspace_id = gone.id;
  return null;
end
$$;
create trigger jobs_follow_workspaces after delete on workspaces
  referencing old table as gone for each statement execute function delete_jobs_of_workspaces();

------------------------------------------------------------------------------------------------------------------ queue

create table queue (
  job_id uuid not null,
  workspace_id uuid not null,
  run_at timestamptz not null,
  -- Of an occurrence that has not begun: by it the next occurrence of a reminder is found. A retry has none.
  reminder_id uuid,
  primary key (workspace_id, run_at, job_id)
);
comment on table queue is 'A row for every pending job, and for no other: jobs.status = pending and a row here mean the same. Kept by triggers.';
create index queue_by_time on queue (run_at);
create index queue_of_reminder on queue (reminder_id) where reminder_id is not null;
alter table queue enable row level security, force row level security;
create policy app_workspace on queue to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_all on queue to cuebird_engine using (true) with check (true);
create policy follow_parents on queue to current_user using (true) with check (true);
grant select, insert, delete on queue to cuebird_app;
grant update (job_id, run_at, reminder_id) on queue to cuebird_app;
grant select, insert, update, delete on queue to cuebird_engine;

-- Whoever changes a job changes the queue with it, without knowing of it. The engine alone writes both itself, in batches, and
-- says so with a setting of its connections.
create function keep_queue() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if tg_op <> 'INSERT' then
    if old.status = 'pending' then
      delete from queue where workspace_id = old.workspace_id and run_at = old.run_at and job_id = old.id;
    end if;
  end if;
  if tg_op <> 'DELETE' then
    if new.status = 'pending' then
      insert into queue (job_id, workspace_id, run_at, reminder_id)
      values (new.id, new.workspace_id, new.run_at, case when new.type = 'reminder' and new.attempts = 0 then new.reminder_id end)
      on conflict do nothing;
    end if;
  end if;
  return null;
end
$$;
create trigger jobs_enter_queue after insert on jobs for each row
  when (new.status = 'pending' and current_setting('cuebird.keeps_queue', true) is distinct from 'on')
  execute function keep_queue();
create trigger jobs_move_in_queue after update on jobs for each row
  when ((old.status = 'pending' or new.status = 'pending') and (old.status <> new.status or old.run_at <> new.run_at)
    and current_setting('cuebird.keeps_queue', true) is distinct from 'on')
  execute function keep_queue();
create trigger jobs_leave_queue after delete on jobs for each row
  when (old.status = 'pending') execute function keep_queue();

----------------------------------------------------------------------------------------------------------------- claims

create table claims (
  -- Also the fencing token: jobs.claim_id of the jobs that it holds.
  id uuid primary key,
  worker text not null,
  lease_until timestamptz not null,
  -- Both are read only after a crash: to compress them would cost each claim more than to write them.
  job_ids uuid[] storage external not null,
  -- First attempts that began with the claim, one array each: delivery id, job id, channel, recipient, name. The ledger
  -- has their rows once they have an outcome.
  begun json storage external not null,
  created_at timestamptz not null default now()
);
comment on table claims is 'What a worker has taken and not yet finished: its lease, its jobs, and the attempts that began.';
alter table claims enable row level security, force row level security;
create policy engine_all on claims to cuebird_engine using (true) with check (true);
create policy follow_parents on claims for select to current_user using (true);
grant select, insert, update, delete on claims to cuebird_engine;

-- A claim spans workspaces, so a request sees its own jobs through this alone.
create function running_jobs() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
as $$
  select j.id
    from claims c
   cross join lateral unnest(c.job_ids) as taken (id)
    join jobs j on j.id = taken.id
   where j.workspace_id = current_workspace_id() and j.status = 'running' and j.claim_id = c.id
$$;
revoke all on function running_jobs from public;
grant execute on function running_jobs to cuebird_app;

------------------------------------------------------------------------------------------------------ plans and notices

create table monthly_usage (
  workspace_id uuid not null references workspaces on delete cascade,
  month date not null check (extract(day from month) = 1),
  occurrences integer not null default 0 check (occurrences >= 0),
  primary key (workspace_id, month)
) with (fillfactor = 50);
comment on table monthly_usage is 'Occurrences that count against the plan, by the month (UTC) in which they were sent.';
alter table monthly_usage enable row level security, force row level security;
create policy app_read on monthly_usage for select to cuebird_app using (workspace_id = current_workspace_id());
create policy engine_all on monthly_usage to cuebird_engine using (true) with check (true);
grant select on monthly_usage to cuebird_app;
grant select, insert, update, delete on monthly_usage to cuebird_engine;

create table notices (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  job_id uuid not null,
  name text not null,
  scheduled_for timestamptz not null,
  timezone text not null,
  reason text not null,
  -- The day (UTC) of the mail that reports it; it stays where that mail was not finished.
  mailed_on date,
  created_at timestamptz not null,
  -- Which of the mails a notice belongs to.
  kind text not null default 'missed' check (kind in ('missed', 'over_plan'))
);
comment on table notices is 'An occurrence that was missed or over the plan, until its owners have had a mail about it.';
create index on notices (workspace_id, scheduled_for);
alter table notices enable row level security, force row level security;
create policy engine_all on notices to cuebird_engine using (true) with check (true);
grant select, insert, update, delete on notices to cuebird_engine;

create table notice_days (
  workspace_id uuid primary key references workspaces on delete cascade,
  day date not null
);
comment on table notice_days is 'The last day (UTC) on which a workspace''s owners had such a mail: one a day at the most.';
alter table notice_days enable row level security, force row level security;
create policy engine_all on notice_days to cuebird_engine using (true) with check (true);
grant select, insert, update, delete on notice_days to cuebird_engine;
