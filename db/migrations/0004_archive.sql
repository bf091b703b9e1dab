-- What grows old: jobs that are archived, what a workspace lets go of, the months of the ledger; and the owner's view of
-- the whole, which a backup needs.

-------------------------------------------------------------------------------------------------------------- archived jobs

-- Completed jobs leave the lists for the archive, where the workspace wants that. They count like any other.
alter table jobs add column archived_at timestamptz;
alter table jobs add check (archived_at is null or status = 'completed');

-- One index in two parts: a new job is entered in the first alone, and neither part knows of anything that a claim or a
-- result changes.
drop index jobs_by_age;
create index jobs_by_age on jobs (workspace_id, id) where archived_at is null;
create index jobs_archived on jobs (workspace_id, id) where archived_at is not null;

---------------------------------------------------------------------------------------------------- the months of the ledger

-- Makes the month of `deliveries` or `job_executions` that holds this day. Rows that came before their month stand in the
-- default partition; they move with it while they are few, and are found there as well while they are not.
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
  -- To read it whole, as must be done under the lock, would hold everybody up.
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

create or replace function ensure_month_partitions(first_month date, months integer) returns void
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

-------------------------------------------------------------------------------------------------- what is let go of with time

create index idempotency_keys_by_age on idempotency_keys (created_at);
create index audit_log_by_age on audit_log (created_at);
create index sandbox_messages_by_arrival on sandbox_messages (received_at);
create index events_by_age on events (workspace_id, created_at);

-- The engine may not read these tables. Whatever it asks for, what is young stays.
create function forget_repeated_requests(before timestamptz, batch integer) returns integer
  language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from idempotency_keys
     where ctid = any (array(select ctid from idempotency_keys where created_at < least(before, now() - interval '1 day') limit batch))
    returning 1
  )
  select count(*)::integer from gone
$$;

create function forget_old_acts(before timestamptz, batch integer) returns integer
  language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from audit_log
     where ctid = any (array(select ctid from audit_log where created_at < least(before, now() - interval '365 days') limit batch))
    returning 1
  )
  select count(*)::integer from gone
$$;

-- Events of which no job is left. Their keys can be used again from then on.
create function forget_old_events(workspace uuid, before timestamptz, batch integer) returns integer
  language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from events
     where ctid = any (array(select e.ctid from events e
                              where e.workspace_id = workspace and e.created_at < least(before, now() - interval '30 days')
                                and not exists (select from jobs j where j.event_id = e.id)
                              limit batch))
    returning 1
  )
  select count(*)::integer from gone
$$;

do $$
declare
  name text;
begin
  foreach name in array array['forget_repeated_requests', 'forget_old_acts', 'forget_old_events'] loop
    execute format('revoke all on function %I from public', name);
    execute format('grant execute on function %I to cuebird_engine', name);
  end loop;
  -- Forced policies bind the owner too, as whom the functions run.
  foreach name in array array['idempotency_keys', 'audit_log', 'events'] loop
    execute format('create policy forget_the_old on %I for delete to %I using (true)', name, current_user);
  end loop;
end
$$;

-------------------------------------------------------------------------------------------------------- the whole, for a backup

-- Without a policy of its own the owner, where it is no superuser, sees no row of a table that forces row-level security.
-- Run after every migration, so that no table is left out of a backup.
create function let_owner_read() returns void
  language plpgsql set search_path = public, pg_temp
as $$
declare
  name text;
begin
  for name in
    select c.relname from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relforcerowsecurity
       and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'owner_reads')
  loop
    execute format('create policy owner_reads on %I for select to %I using (true)', name, current_user);
  end loop;
end
$$;
revoke all on function let_owner_read from public;
