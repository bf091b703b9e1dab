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
  -- Whose address this was, for people of an audience. Kept when the contact is deleted.
  contact_id uuid,
  -- The way in which they belonged to it: 'contact', 'group …', 'tag …' or 'everyone'. Null for a recipient that the reminder lists.
  through text,
  reason_code text,
  primary key (job_id, scheduled_for, channel, recipient),
  check (status <> 'sending' or attempts > 0)
) partition by range (scheduled_for);
comment on table deliveries is 'The ledger: one job, one channel, one recipient.';
comment on column deliveries.reason_code is 'What `reason` says, as a code; null without a reason, and in rows from before codes.';
-- Reports name a message by its provider's id, or by ours. Only these channels are reported on: the others pay nothing.
create index deliveries_by_receipt on deliveries (workspace_id, provider_id) where channel in ('sms', 'whatsapp');
create index deliveries_by_id on deliveries (id) where channel in ('sms', 'whatsapp');
create index deliveries_of_contact on deliveries (workspace_id, contact_id, id) where contact_id is not null;
create index deliveries_to_address on deliveries (workspace_id, address_hash(recipient), id)
  where channel not in ('slack', 'push') and recipient not like 'http%://%';
alter table deliveries enable row level security, force row level security;
create policy app_workspace on deliveries to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_all on deliveries to cuebird_engine using (true) with check (true);
create policy follow_parents on deliveries to current_user using (true);
grant select, insert, delete on deliveries to cuebird_app;
grant update (job_id, scheduled_for, channel, recipient, recipient_name, status, attempts, unknowns, reason, channel_id, provider,
              provider_id, provider_answer, content_hash, first_attempt_at, last_attempt_at, next_attempt_at, completed_at, answered_at,
              attempt_history, contact_id, through, reason_code) on deliveries to cuebird_app;
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
      'reason', d.reason, 'code', d.reason_code, 'channel', d.channel_id, 'provider', d.provider, 'answer', d.provider_answer,
      'next', d.next_attempt_at))
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

-- The deliveries to a person, newest first, before the one with this id: those of the contact, and those to one of these
-- addresses, unless they belong to another contact that is still there. Runs as the owner, because the policies of a request rule out the index on a
-- function; the workspace is that of the request.
create function deliveries_to_person(contact uuid, addresses text[], before uuid, only_over text, most integer)
  returns table (id uuid, job_id uuid, scheduled_for timestamptz, channel text, recipient text)
  language sql stable security definer set search_path = public, pg_temp rows 50
as $$
  select *
    from ((select d.id, d.job_id, d.scheduled_for, d.channel, d.recipient
             from deliveries d
            where d.workspace_id = current_workspace_id() and d.contact_id = contact
              and d.id < coalesce(before, 'ffffffff-ffff-ffff-ffff-ffffffffffff') and d.channel = coalesce(only_over, d.channel)
            order by d.id desc limit most)
          union all
          (select d.*
             from unnest(addresses) as own (address)
            cross join lateral (
              select d.id, d.job_id, d.scheduled_for, d.channel, d.recipient
                from deliveries d
               where d.workspace_id = current_workspace_id() and address_hash(d.recipient) = address_hash(own.address)
                 and lower(normalize(d.recipient, nfkc)) = lower(normalize(own.address, nfkc))
                 and d.channel not in ('slack', 'push') and d.recipient not like 'http%://%'
                 and (d.contact_id is null or d.contact_id <> contact and not exists (
                        select from contacts c where c.workspace_id = d.workspace_id and c.id = d.contact_id))
                 and d.id < coalesce(before, 'ffffffff-ffff-ffff-ffff-ffffffffffff') and d.channel = coalesce(only_over, d.channel)
               order by d.id desc limit most) d)) found
   order by id desc limit most
$$;
revoke all on function deliveries_to_person from public;
grant execute on function deliveries_to_person to cuebird_app;

-- The jobs that went to these contacts, and to these addresses; newest first. An address with an owner counts as that contact's: a
-- delivery to another contact that is still there is not found by it. Reads the latest `each` deliveries per contact and address. Runs
-- as the owner, as deliveries_to_person does and for its reason; the workspace is that of the request.
create function jobs_to_people(contacts uuid[], addresses text[], owners uuid[], since timestamptz, until timestamptz, each integer,
                               most integer)
  returns setof uuid
  language sql stable security definer set search_path = public, pg_temp rows 200
as $$
  select job_id
    from (select d.job_id
            from unnest(contacts) as own (id)
           cross join lateral (
             select d.job_id
               from deliveries d
              where d.workspace_id = current_workspace_id() and d.contact_id = own.id
                and d.scheduled_for >= coalesce(since, '-infinity') and d.scheduled_for < coalesce(until, 'infinity')
              order by d.id desc limit each) d
           union
          select d.job_id
            from unnest(addresses, owners) as own (address, owner)
           cross join lateral (
             select d.job_id
               from deliveries d
              where d.workspace_id = current_workspace_id() and address_hash(d.recipient) = address_hash(own.address)
                and lower(normalize(d.recipient, nfkc)) = lower(normalize(own.address, nfkc))
                and d.channel not in ('slack', 'push') and d.recipient not like 'http%://%'
                and (own.owner is null or d.contact_id is null or d.contact_id <> own.owner and not exists (
                       select from contacts c where c.workspace_id = d.workspace_id and c.id = d.contact_id))
                and d.scheduled_for >= coalesce(since, '-infinity') and d.scheduled_for < coalesce(until, 'infinity')
              order by d.id desc limit each) d) found
   order by job_id desc limit most
$$;
revoke all on function jobs_to_people from public;
grant execute on function jobs_to_people to cuebird_app;

--------------------------------------------------------------------------------------------------------- job_executions

-- A run that was one attempt, began on time and ended its job is on the row of the job, and has none here: with two indexes, such a row
-- takes an eighth of what PostgreSQL spends on a message, and says nothing that the job and its delivery do not say.
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
-- Runs that did not complete are rare among those that did.
create index job_executions_incomplete on job_executions (workspace_id, started_at desc, id desc) where status <> 'completed';
alter table job_executions enable row level security, force row level security;
create policy app_workspace on job_executions to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_all on job_executions to cuebird_engine using (true) with check (true);
create policy follow_parents on job_executions to current_user using (true);
grant select, insert, delete on job_executions to cuebird_app;
grant select, insert, update, delete on job_executions to cuebird_engine;

-- `listed_at` orders the runs. It is when a run began, or less than a minute before that. A clock that is corrected while a run lasts can
-- make it longer, or shorter than nothing, by more than the 24.8 days that its milliseconds have room for: then its duration is the most, or
-- the least, that there is.
create view executions with (security_invoker = true) as
select r.id, r.workspace_id, r.job_id, r.status, r.started_at, r.completed_at, r.duration_ms, r.error_message, r.logs, r.failed_at, r.listed_at,
       r.is_on_job
  from (select e.id, e.workspace_id, e.job_id, e.status, e.started_at, e.completed_at, e.duration_ms, e.error_message, e.logs,
               case when e.status <> 'completed' then coalesce(e.completed_at, e.started_at) end as failed_at, e.started_at as listed_at,
               false as is_on_job, '' as outcome
          from job_executions e
        union all
        -- Without a condition of its own: the planner could not read it in the order of an index.
        select j.id, j.workspace_id, j.id, j.status, j.started_at, j.completed_at,
               least(greatest(date_part('epoch', j.completed_at - j.started_at) * 1000, -2147483648), 2147483647)::integer, j.error_message,
               jsonb_build_object('attempt', 1, 'attempted', 1, coalesce(j.run_outcome, ''), 1), j.failed_at, j.scheduled_for, true,
               j.run_outcome
          from jobs j) r
 where r.outcome is not null;
comment on view executions is 'Every run of a job, on its own row or on that of the job. To be read; writers use the tables.';
grant select on executions to cuebird_app, cuebird_engine;

-- Whoever changes what the row of a job says of the run keeps the run first, without knowing of it. After the update: a trigger before it
-- locks each row once more.
create function keep_run() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  insert into job_executions (id, workspace_id, job_id, status, started_at, completed_at, duration_ms, error_message, logs)
  values (old.id, old.workspace_id, old.id, old.status, old.started_at, old.completed_at,
          least(greatest(date_part('epoch', old.completed_at - old.started_at) * 1000, -2147483648), 2147483647)::integer, old.error_message,
          jsonb_build_object('attempt', 1, 'attempted', 1, old.run_outcome, 1));
  update jobs set run_outcome = null where id = old.id;
  return null;
end
$$;
revoke all on function keep_run from public;
create trigger jobs_keep_run after update on jobs for each row
  when (old.run_outcome is not null
    and (old.status, old.scheduled_for, old.started_at, old.completed_at, old.error_message)
        is distinct from (new.status, new.scheduled_for, new.started_at, new.completed_at, new.error_message))
  execute function keep_run();

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

-- The latest runs of a workspace. What has no run yet is on the row of a job, and left out by its time, an hour ahead in case two clocks
-- differ; and so is what is older than enough runs, so that a workspace whose jobs have their runs in `job_executions` is not read to its
-- first job.
create function latest_executions(workspace uuid, since timestamptz, most integer)
  returns table (id uuid, workspace_id uuid, job_id uuid, status text, started_at timestamptz, duration_ms integer, error_message text,
                 listed_at timestamptz)
  language sql stable set search_path = public, pg_temp
as $$
  select e.id, e.workspace_id, e.job_id, e.status, e.started_at, e.duration_ms, e.error_message, e.listed_at
    from executions e
   where e.workspace_id = workspace and e.listed_at >= since and (not e.is_on_job or e.listed_at < now() + interval '1 hour')
     and e.listed_at >= (select coalesce((select x.started_at from job_executions x where x.workspace_id = workspace and x.started_at >= since
                                           order by x.started_at desc, x.id desc offset least(most, 100) - 1 limit 1), '-infinity'))
   order by e.listed_at desc, e.id desc limit least(most, 100)
$$;
revoke all on function latest_executions from public;
grant execute on function latest_executions to cuebird_app;

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
