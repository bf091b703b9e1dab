-- How the installation was on each day, and which paths people asked for in vain. Only the engine's login reads and writes both.

create table health_days (
  day date not null,
  component text not null check (component in ('web', 'deliveries', 'database')),
  operational integer not null,
  degraded integer not null,
  first_minute timestamptz not null,
  last_minute timestamptz not null,
  primary key (day, component)
) with (fillfactor = 50);
comment on table health_days is 'The minutes of a day (UTC) in which a component was operational or degraded, as any process found it; it was down in the others. Of the last 90 days.';
comment on column health_days.last_minute is 'The last minute that was looked at: of several processes one counts it.';

create table unknown_paths (
  path text primary key check (char_length(path) <= 200),
  count bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null
) with (fillfactor = 50);
comment on table unknown_paths is 'Paths without a page that browsers asked for in the last 90 days: the latest 500.';
create index on unknown_paths (last_at);

do $$
declare
  name text;
begin
  foreach name in array array['health_days', 'unknown_paths']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy engine_all on %I to cuebird_engine using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to cuebird_engine', name);
  end loop;
end
$$;
