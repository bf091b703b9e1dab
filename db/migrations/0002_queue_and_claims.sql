-- What waits stands in a narrow table of its own, and what is under way in one row for each claim. The state of a job
-- then changes without touching an index of `jobs`: PostgreSQL updates such a row within its page (HOT), and a claim of
-- five hundred jobs writes one lease, not five hundred.

------------------------------------------------------------------------------------------------------------- the queue

-- A row for every pending job, and for no other: `jobs.status = 'pending'` and a row here mean the same.
create table queue (
  job_id uuid not null,
  workspace_id uuid not null,
  run_at timestamptz not null,
  primary key (workspace_id, run_at, job_id)
);
create index queue_by_time on queue (run_at);

-- What a worker has taken and not yet finished.
create table claims (
  -- Also the fencing token: jobs.claim_id of what the claim holds. Whoever speaks for another claim is not heard.
  id uuid primary key,
  worker text not null,
  lease_until timestamptz not null,
  job_ids uuid[] not null,
  -- First attempts that began with the claim, one array each: delivery id, job id, channel, recipient, name. The ledger
  -- has their rows once they have an outcome.
  begun json not null,
  created_at timestamptz not null default now()
);
-- Read only after a crash: to compress it would cost each claim more than to write it.
alter table claims alter begun set storage external;

alter table jobs add claim_id uuid, add paused_at timestamptz;

-- Runs of the version before this one end here; what they had begun may have arrived.
update deliveries d
   set status = 'waiting', unknowns = d.unknowns + 1, next_attempt_at = now(), reason = 'The server was replaced during this attempt'
  from jobs j
 where j.status = 'running' and d.job_id = j.id and d.scheduled_for = j.scheduled_for and d.status = 'sending';
update jobs set status = 'pending', lease_until = null, run_at = now() where status = 'running';
update jobs set paused_at = updated_at where status = 'paused';
insert into queue (job_id, workspace_id, run_at) select id, workspace_id, run_at from jobs where status = 'pending';

drop index jobs_due, jobs_due_by_workspace, jobs_leased, jobs_paused, jobs_by_age;
alter table jobs drop fence, drop lease_until, drop worker;
alter table jobs add check ((status = 'running') = (claim_id is not null)), add check ((status = 'paused') = (paused_at is not null));
-- Room for a claim and its result beside each row.
alter table jobs set (fillfactor = 50);
-- In the order of their making: identifiers rise with time.
create index jobs_by_age on jobs (workspace_id, id);
create index jobs_paused on jobs (scheduled_for) where paused_at is not null;

-- Whoever changes a job keeps the queue with it, without knowing of it. The engine alone does both itself, in batches, and
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
      insert into queue (job_id, workspace_id, run_at) values (new.id, new.workspace_id, new.run_at) on conflict do nothing;
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

-- The first attempts of a job that have no ledger row yet. A claim spans workspaces, so a request sees its own through this alone.
create function attempts_under_way(job uuid) returns table (id uuid, channel text, recipient text, recipient_name text, began_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select (b ->> 0)::uuid, b ->> 2, b ->> 3, b ->> 4, c.created_at
    from jobs j
    join claims c on c.id = j.claim_id
   cross join lateral json_array_elements(c.begun) b
   where j.id = job and j.workspace_id = current_workspace_id() and b ->> 1 = job::text
     and not exists (select from deliveries d where d.job_id = j.id and d.scheduled_for = j.scheduled_for
                                                and d.channel = b ->> 2 and d.recipient = b ->> 3)
$$;
revoke all on function attempts_under_way from public;
grant execute on function attempts_under_way to cuebird_app;

------------------------------------------------------------------------------------ what is asked before anything is sent

-- Who does not want to hear from a workspace, or cannot be reached there.
create table suppressions (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  channel text not null check (channel in ('email', 'sms', 'whatsapp', 'webhook', 'slack', 'push')),
  -- As the ledger compares recipients: an address in lower case, a number as it is dialled.
  recipient text not null check (recipient <> '' and octet_length(recipient) <= 2048),
  reason text not null check (reason in ('unsubscribed', 'stopped', 'bounced', 'complained', 'manual')),
  created_by uuid references profiles on delete set null,
  created_at timestamptz not null default now(),
  unique (workspace_id, channel, recipient)
);

-- Occurrences of a month that count against the plan, by the month of their sending in UTC.
create table monthly_usage (
  workspace_id uuid not null references workspaces on delete cascade,
  month date not null check (extract(day from month) = 1),
  occurrences integer not null default 0 check (occurrences >= 0),
  primary key (workspace_id, month)
) with (fillfactor = 50);

----------------------------------------------------------------------------------------------------- row-level security

do $$
declare
  name text;
begin
  foreach name in array array['queue', 'claims', 'suppressions', 'monthly_usage'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
  end loop;
  foreach name in array array['queue', 'suppressions'] loop
    execute format('create policy app_workspace on %I to cuebird_app using (workspace_id = current_workspace_id())
      with check (workspace_id = current_workspace_id())', name);
    execute format('grant select, insert, update, delete on %I to cuebird_app', name);
  end loop;
  foreach name in array array['queue', 'claims', 'monthly_usage'] loop
    execute format('create policy engine_all on %I to cuebird_engine using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to cuebird_engine', name);
  end loop;
  -- The functions above run as the owner, whom forced policies bind too.
  execute format('create policy follow_parents on queue to %I using (true) with check (true)', current_user);
  execute format('create policy follow_parents on claims for select to %I using (true)', current_user);
end
$$;
create policy engine_read on suppressions for select to cuebird_engine using (true);
grant select on suppressions to cuebird_engine;
create policy app_read on monthly_usage for select to cuebird_app using (workspace_id = current_workspace_id());
grant select on monthly_usage to cuebird_app;
