-- What an installation does: its processes with their figures, figures of the last day by minute, deliveries by day, and alerts.
-- None of it belongs to a workspace. Only the engine's login reads and writes it; what administrators see of people and workspaces
-- goes through the function at the end.

create table processes (
  id uuid primary key,
  role text not null check (role in ('web', 'worker', 'all')),
  version text not null,
  host text not null,
  pid integer not null,
  started_at timestamptz not null,
  -- The last sign of life.
  seen_at timestamptz not null,
  -- Set by a process that ends in order.
  stopped_at timestamptz,
  -- Of the last 15 seconds: processors in use, and the 99th percentile of the delay of the event loop.
  cpu real not null,
  memory_bytes bigint not null,
  event_loop_delay_ms real not null
) with (fillfactor = 50);
comment on table processes is 'A row for each process that runs, or has ended within the hour.';

-- Threads share nothing but the database, so each has its own row.
create table process_figures (
  process_id uuid not null,
  thread text not null check (thread in ('main', 'deliveries')),
  seen_at timestamptz not null,
  figures jsonb not null,
  primary key (process_id, thread)
);
comment on table process_figures is 'The figures of a thread since it started. Counters of ended threads are added up in app_settings, engine.retired_figures.';

create table minute_figures (
  minute timestamptz not null,
  kind text not null check (kind in ('responses', 'lateness', 'deliveries', 'sign_in_failures')),
  -- Of a duration one count for each bucket; of deliveries how many were sent and how many failed.
  counts bigint[] not null,
  primary key (minute, kind)
);
comment on table minute_figures is 'What all processes counted in a minute, of the last 24 hours.';

create table delivery_days (
  day date not null,
  channel text not null,
  outcome text not null check (outcome in ('accepted', 'failed', 'skipped', 'unknown')),
  count bigint not null,
  primary key (day, channel, outcome)
) with (fillfactor = 50);
comment on table delivery_days is 'Deliveries of all workspaces by the day (UTC) of their outcome; tests of reminders are left out.';

create table alerts (
  cause text not null,
  day date not null,
  detail text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- Null until a mail to the administrators was accepted.
  mailed_at timestamptz,
  primary key (cause, day)
);
comment on table alerts is 'What administrators of the installation were told: at most once for each cause and day (UTC).';

do $$
declare
  name text;
begin
  foreach name in array array['processes', 'process_figures', 'minute_figures', 'delivery_days', 'alerts']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy engine_all on %I to cuebird_engine using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to cuebird_engine', name);
  end loop;
end
$$;

-- What was delivered before there were counters.
create policy fill_once on delivery_days for insert to current_user with check (true);
insert into delivery_days (day, channel, outcome, count)
select (d.completed_at at time zone 'UTC')::date, d.channel, case d.status when 'delivered' then 'accepted' else d.status end, count(*)
  from deliveries d
  join jobs j on j.id = d.job_id
 where d.status in ('accepted', 'delivered', 'failed', 'skipped', 'unknown') and d.completed_at is not null and j.type <> 'test_reminder'
 group by 1, 2, 3;
drop policy fill_once on delivery_days;

-- The people and workspaces that were new on each day (UTC) of a range. For administrators of the installation only.
create index on profiles (created_at);
create index on workspaces (created_at);
create function installation_growth(first_day date, last_day date) returns table (day date, people integer, workspaces integer)
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
declare
  starts timestamptz := first_day::timestamp at time zone 'UTC';
  ends timestamptz := (last_day + 1)::timestamp at time zone 'UTC';
begin
  if not exists (select from profiles p where p.id = current_user_id() and p.is_system_admin) then
    raise exception 'Only administrators of the installation may read this' using errcode = 'insufficient_privilege';
  end if;
  return query
    select n.day, count(*) filter (where n.is_person)::integer, count(*) filter (where not n.is_person)::integer
      from (select (p.created_at at time zone 'UTC')::date as day, true as is_person
              from profiles p where p.created_at >= starts and p.created_at < ends and not p.is_demo
            union all
            select (w.created_at at time zone 'UTC')::date, false
              from workspaces w where w.created_at >= starts and w.created_at < ends) n
     group by n.day
     order by n.day;
end
$$;
revoke all on function installation_growth from public;
grant execute on function installation_growth to cuebird_app;
