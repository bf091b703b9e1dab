-- The ledger, by month: what became of each recipient, and each run of a job.

------------------------------------------------------------------------------------------------------------- deliveries

create table deliveries (
  id uuid not null default uuidv7(),
  workspace_id uuid not null,
  job_id uuid not null,
  scheduled_for timestamptz not null,
  channel text not null check (channel in ('email', 'sms', 'whatsapp', 'webhook', 'slack', 'push')),
  -- Part of the key: an index entry takes 2,704 bytes at the most.
  recipient text not null check (octet_length(recipient) <= 2048),
  recipient_name text,
  status text not null check (status in ('queued', 'sending', 'waiting', 'accepted', 'delivered', 'failed', 'skipped', 'unknown')),
  attempts integer not null default 0,
  -- How many of the attempts ended without an answer.
  unknowns integer not null default 0,
  reason text,
  channel_id uuid,
  provider text,
  provider_id text,
  provider_answer text,
  content_hash text,
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  next_attempt_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null default now(),
  -- When the outcome of an attempt came that was not the last; of every other one that is `completed_at`.
  answered_at timestamptz,
  -- What the row said before, oldest first; `attempt_history_of` makes the entries.
  attempt_history jsonb,
  primary key (job_id, scheduled_for, channel, recipient),
  check (status <> 'sending' or attempts > 0)
) partition by range (scheduled_for);
comment on table deliveries is 'The ledger: one job, one channel, one recipient.';
-- Reports name a message by its provider's id, or by ours. Only these channels are reported on: the others pay nothing.
create index deliveries_by_receipt on deliveries (workspace_id, provider_id) where channel in ('sms', 'whatsapp');
create index deliveries_by_id on deliveries (id) where channel in ('sms', 'whatsapp');
alter table deliveries enable row level security, force row level security;
create policy app_workspace on deliveries to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_all on deliveries to cuebird_engine using (true) with check (true);
create policy follow_parents on deliveries to current_user using (true);
grant select, insert, update, delete on deliveries to cuebird_app;
grant select, insert, update, delete on deliveries to cuebird_engine;

-- The history of a row that is about to change. A row that only waits, and was not tried since, adds nothing; a row that is
-- retried without end keeps the beginning.
create function attempt_history_of(d deliveries) returns jsonb
  language sql stable
as $$
  select case
    when d.status in ('queued', 'sending')
      or d.status = 'waiting' and d.attempts = coalesce((d.attempt_history -> -1 ->> 'attempt')::int, 0)
      or jsonb_array_length(d.attempt_history) >= 60 then d.attempt_history
    else coalesce(d.attempt_history, '[]') || jsonb_strip_nulls(jsonb_build_object(
      'attempt', d.attempts, 'status', d.status, 'began', d.last_attempt_at, 'answered', greatest(d.answered_at, d.completed_at),
      'reason', d.reason, 'channel', d.channel_id, 'provider', d.provider, 'answer', d.provider_answer, 'next', d.next_attempt_at))
    end
$$;

-- The first attempts of a job that have no ledger row yet. A claim spans workspaces, so a request sees its own through this alone.
create function running_attempts(job uuid) returns table (id uuid, channel text, recipient text, recipient_name text, began_at timestamptz)
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
revoke all on function running_attempts from public;
grant execute on function running_attempts to cuebird_app;

--------------------------------------------------------------------------------------------------------- job_executions

create table job_executions (
  id uuid not null default uuidv7(),
  workspace_id uuid not null,
  job_id uuid not null,
  status text not null check (status in ('pending', 'running', 'completed', 'failed')),
  started_at timestamptz not null,
  completed_at timestamptz,
  duration_ms integer,
  error_message text,
  logs jsonb not null default '{}',
  primary key (job_id, started_at, id)
) partition by range (started_at);
comment on table job_executions is 'One run of a job, from its claim to its result.';
create index job_executions_by_age on job_executions (workspace_id, started_at desc, id desc);
alter table job_executions enable row level security, force row level security;
create policy app_workspace on job_executions to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_all on job_executions to cuebird_engine using (true) with check (true);
create policy follow_parents on job_executions to current_user using (true);
grant select, insert, update, delete on job_executions to cuebird_app;
grant select, insert, update, delete on job_executions to cuebird_engine;

create function delete_ledger_of_jobs() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from deliveries d using gone where d.job_id = gone.id;
  delete from job_executions e using gone where e.job_id = gone.id;
  return null;
end
$$;
create trigger ledger_follows_jobs after delete on jobs
  referencing old table as gone for each statement execute function delete_ledger_of_jobs();

----------------------------------------------------------------------------------------------------------------- months

-- Rows outside the months made ahead are kept all the same.
create table deliveries_other partition of deliveries default with (fillfactor = 80);
create table job_executions_other partition of job_executions default;
alter table deliveries_other enable row level security, force row level security;
alter table job_executions_other enable row level security, force row level security;

-- The engine's role cannot create tables; these functions of the owner make and drop months, and nothing else.

-- Makes the month of `deliveries` or `job_executions` that holds this day. Rows that came before their month are in the
-- default partition; they move to it while they are few, and are found there as well while they are not.
-- Attached, not created in place: only the default partition is locked against everybody, and only for an instant.
create function make_month_partition(parent text, day date) returns boolean
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '500ms'
as $$
declare
  instant text := case parent when 'deliveries' then 'scheduled_for' when 'job_executions' then 'started_at' end;
  first_day date := date_trunc('month', day)::date;
  child text := parent || to_char(first_day, '_YYYY_MM');
  others text := parent || '_other';
  starts timestamptz := first_day::timestamp at time zone 'UTC';
  ends timestamptz := (first_day + interval '1 month') at time zone 'UTC';
  strays bigint;
begin
  if instant is null then
    raise exception '% is not kept by months', parent;
  end if;
  if to_regclass(quote_ident(child)) is not null then
    return false;
  end if;
  perform pg_advisory_xact_lock(7263409152);
  -- To read it whole, as must be done under the lock, would block everybody.
  if to_regclass(quote_ident(child)) is not null or pg_relation_size(others) > 256 * 1024 * 1024 then
    return false;
  end if;
  execute format('lock table %I in access exclusive mode', others);
  -- Through the parent, whose policy lets the owner see the rows; the partition itself has none.
  execute format('select count(*) from (select from %I where %I >= $1 and %I < $2 limit 50001) as few', parent, instant, instant)
    into strays using starts, ends;
  if strays > 50000 then
    return false;
  end if;
  execute format('create table %I (like %I including all)%s', child, parent,
    case parent when 'deliveries' then ' with (fillfactor = 80)' else '' end);
  if strays > 0 then
    execute format('alter table %I no force row level security', others);
    execute format('with moved as (delete from %I where %I >= $1 and %I < $2 returning *) insert into %I select * from moved',
      others, instant, instant, child) using starts, ends;
    execute format('alter table %I force row level security', others);
  end if;
  execute format('alter table %I enable row level security', child);
  execute format('alter table %I force row level security', child);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, child, starts, ends);
  return true;
end
$$;
revoke all on function make_month_partition from public;
grant execute on function make_month_partition to cuebird_engine;

create function ensure_month_partitions(first_month date, months integer) returns void
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  parent text;
begin
  if months < 1 or months > 120 then
    raise exception 'months must be between 1 and 120, not %', months;
  end if;
  foreach parent in array array['deliveries', 'job_executions'] loop
    for i in 0 .. months - 1 loop
      begin
        perform make_month_partition(parent, (date_trunc('month', first_month) + make_interval(months => i))::date);
      exception when lock_not_available then
        -- Somebody reads the ledger at length, a backup perhaps: the archiver tries again.
        null;
      end;
    end loop;
  end loop;
end
$$;
revoke all on function ensure_month_partitions from public;
grant execute on function ensure_month_partitions to cuebird_engine;

-- Drops the months that ended before this day and have no row left.
create function drop_empty_months(before date) returns integer
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '500ms'
as $$
declare
  month record;
  is_empty boolean;
  dropped integer := 0;
begin
  for month in
    select p.relname as parent, c.relname as child, case p.relname when 'deliveries' then 'scheduled_for' else 'started_at' end as instant,
           to_date(right(c.relname, 7), 'YYYY_MM')::timestamp at time zone 'UTC' as starts,
           (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') at time zone 'UTC' as ends
      from pg_inherits i
      join pg_class c on c.oid = i.inhrelid
      join pg_class p on p.oid = i.inhparent
     where p.oid in ('deliveries'::regclass, 'job_executions'::regclass) and c.relname ~ '_\d{4}_\d{2}$'
     order by c.relname
  loop
    continue when month.ends > before::timestamp at time zone 'UTC';
    execute format('select not exists (select from %I where %I >= $1 and %I < $2)', month.parent, month.instant, month.instant)
      into is_empty using month.starts, month.ends;
    continue when not is_empty;
    begin
      execute format('lock table only %I in access exclusive mode', month.parent);
      -- Asked again under the lock, and with no policy that could hide a row.
      execute format('alter table %I no force row level security', month.child);
      execute format('select not exists (select from %I)', month.child) into is_empty;
      if is_empty then
        execute format('drop table %I', month.child);
        dropped := dropped + 1;
      else
        execute format('alter table %I force row level security', month.child);
      end if;
    exception when lock_not_available then
      null;
    end;
  end loop;
  return dropped;
end
$$;
revoke all on function drop_empty_months from public;
grant execute on function drop_empty_months to cuebird_engine;
