-- How fast a channel sends, and what workers agree on so that they keep to it together.

-- Messages per second, of all workers together; null where it is not limited.
alter table channels add rate_limit_per_second double precision
  check (rate_limit_per_second between 0.01 and 1000);

-- A row for each limited channel that has sent something.
create table channel_paces (
  channel_id uuid primary key,
  workspace_id uuid not null,
  -- When the next message may go out, after all those for which a time was taken already.
  next_free timestamptz not null,
  -- The provider asked for a rest until then.
  held_until timestamptz not null default '-infinity',
  foreign key (workspace_id, channel_id) references channels (workspace_id, id) on delete cascade
) with (fillfactor = 50);
create index on channel_paces (workspace_id, channel_id);

alter table channel_paces enable row level security;
alter table channel_paces force row level security;
create policy engine_all on channel_paces to cuebird_engine using (true) with check (true);
grant select, insert, update, delete on channel_paces to cuebird_engine;
