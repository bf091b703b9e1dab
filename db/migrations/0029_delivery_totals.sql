-- What became of the messages of a workspace, added up by quarters of an hour, so that nobody who asks for three months reads each message.
--
-- A quarter of an hour is the coarsest part of which the days of every time zone are made. Only quarters from before `totals_progress` are
-- added up, by the totaller, an actor of the engine; later ones are counted from the ledger. What changes messages that were due more than an
-- hour ago leaves a mark, and a quarter with a mark is counted from the ledger as well, until it is added up again. Decision 108 says why the
-- two together are never wrong.

create table totals_progress (
  workspace_id uuid primary key references workspaces on delete cascade,
  -- All messages that were due before are added up, but for quarters with marks.
  totalled_until timestamptz not null default '-infinity'
);
comment on table totals_progress is 'How far the messages of a workspace are added up.';

create table totals_marks (
  workspace_id uuid not null,
  quarter timestamptz not null
);
comment on table totals_marks is 'A quarter whose messages have changed since they were added up. Written by triggers, one row for each transaction and quarter, without a key: nobody waits for anybody.';
create index on totals_marks (workspace_id, quarter);

create table totals_channels (
  workspace_id uuid not null,
  quarter timestamptz not null,
  channel text not null,
  sent integer not null,
  failed integer not null,
  -- How long it took until a message was accepted, to two significant digits, and how many messages took so long.
  latency_ms bigint[] not null,
  latency_counts integer[] not null,
  primary key (workspace_id, quarter, channel)
);
comment on table totals_channels is 'The messages of a quarter of an hour over a channel.';

create table totals_reasons (
  workspace_id uuid not null,
  quarter timestamptz not null,
  channel text not null,
  reason text not null,
  failed integer not null
);
comment on table totals_reasons is 'Why messages of a quarter of an hour failed.';
create index on totals_reasons (workspace_id, quarter);

create table totals_people (
  workspace_id uuid not null,
  quarter timestamptz not null,
  reached integer not null,
  missed integer not null,
  primary key (workspace_id, quarter)
);
comment on table totals_people is 'How many people the runs of a quarter of an hour reached and missed; each counts once in a run.';

create table totals_misses (
  workspace_id uuid not null,
  quarter timestamptz not null,
  -- A person is a contact, or else an address of a channel.
  contact_id uuid,
  channel text,
  recipient text,
  missed integer not null,
  -- Messages that were sent, or wait.
  others integer not null,
  -- Of those that were missed.
  last_due timestamptz,
  check ((contact_id is null) = (channel is not null) and (channel is null) = (recipient is null))
);
comment on table totals_misses is 'Who missed messages of a quarter of an hour; and all who got some at addresses by which the ledger has no index.';
create index on totals_misses (workspace_id, quarter);

do $$
declare
  name text;
begin
  foreach name in array array['totals_progress', 'totals_marks', 'totals_channels', 'totals_reasons', 'totals_people', 'totals_misses'] loop
    execute format('alter table %I enable row level security, force row level security', name);
    execute format('create policy app_read on %I for select to cuebird_app using (workspace_id = current_workspace_id())', name);
    execute format('create policy engine_all on %I to cuebird_engine using (true) with check (true)', name);
    execute format('create policy follow_parents on %I to current_user using (true) with check (true)', name);
    execute format('grant select on %I to cuebird_app', name);
    execute format('grant select, insert, update, delete on %I to cuebird_engine', name);
  end loop;
end
$$;

create function quarter_of(instant timestamptz) returns timestamptz
  language sql immutable strict parallel safe
  return date_bin('15 minutes', instant, timestamptz '2000-01-01 00:00:00Z');

-- To two significant digits: at most five in a hundred more or less.
create function rounded_ms(ms double precision) returns bigint
  language sql immutable strict parallel safe
  return case when ms < 100 then greatest(round(ms), 0)
              else round(ms / 10 ^ (floor(log(ms)) - 1)) * 10 ^ (floor(log(ms)) - 1) end::bigint;

-- An address by which the ledger has no index.
create function is_unindexed_address(channel text, recipient text) returns boolean
  language sql immutable strict parallel safe
  return channel in ('slack', 'push') or recipient like 'http%://%';

-- The messages that were due in [since, until), without tests; each went to a person, who is a contact, or else an address of a channel. What counts them together and what counts them one by one reads them here.
-- A row of the ledger of a job that has moved to another time does not count.
--
-- Latency is from when a message was due until it was accepted. A delivery receipt comes later: the history says when it was accepted.
create function counted_messages(workspace uuid, since timestamptz, until timestamptz)
  returns table (quarter timestamptz, scheduled_for timestamptz, job_id uuid, channel text, contact_id uuid, address_channel text, address text,
                 outcome text, reason text, latency_ms bigint)
  language sql stable
as $$
  select quarter_of(d.scheduled_for), d.scheduled_for, d.job_id, d.channel,
         d.contact_id, case when d.contact_id is null then d.channel end, case when d.contact_id is null then d.recipient end,
         case when d.status in ('accepted', 'delivered') then 'sent'
              when d.status in ('failed', 'unknown') then 'failed'
              when d.status = 'skipped' then 'skipped'
              else 'open' end,
         case when d.status in ('failed', 'unknown') then coalesce(nullif(left(d.reason, 300), ''), 'No reason was given') end,
         case when d.status in ('accepted', 'delivered') then rounded_ms(1000 * date_part('epoch',
           coalesce(
             case when d.status = 'delivered' and d.attempt_history is not null then
               (select (h ->> 'answered')::timestamptz from jsonb_array_elements(d.attempt_history) h where h ->> 'status' = 'accepted' limit 1)
             end, d.completed_at) - d.scheduled_for)) end
    from jobs j
    join deliveries d on d.job_id = j.id and d.scheduled_for = j.scheduled_for
   where j.workspace_id = workspace and j.scheduled_for >= since and j.scheduled_for < until and j.type <> 'test_reminder'
     and d.workspace_id = workspace and d.scheduled_for >= since and d.scheduled_for < until
$$;
revoke all on function counted_messages from public;
grant execute on function counted_messages to cuebird_app, cuebird_engine;

----------------------------------------------------------------------------------------------------------------- marks

-- Whoever changes a message writes the mark: who may see the one may write the other.
create policy app_mark on totals_marks for insert to cuebird_app with check (workspace_id = current_workspace_id());
grant insert on totals_marks to cuebird_app;

create function mark_changed_quarters() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
declare
  due timestamptz;
  mark text;
begin
  foreach due in array case when tg_op = 'UPDATE' and old.scheduled_for <> new.scheduled_for then array[old.scheduled_for, new.scheduled_for]
                            else array[new.scheduled_for] end loop
    -- A transaction that writes many messages of one quarter marks it once. A savepoint that is rolled back takes both back.
    mark := new.workspace_id || ' ' || quarter_of(due);
    if current_setting('cuebird.marked_quarter', true) is distinct from mark then
      insert into totals_marks (workspace_id, quarter) values (new.workspace_id, quarter_of(due));
      perform set_config('cuebird.marked_quarter', mark, true);
    end if;
  end loop;
  return null;
end
$$;
revoke all on function mark_changed_quarters from public;

-- What is on time pays the comparison alone. The clock is read as the row is written, not as the transaction began: the totaller relies on it.
create trigger deliveries_inserted_marked after insert on deliveries for each row
  when (new.scheduled_for < clock_timestamp() - interval '1 hour')
  execute function mark_changed_quarters();
create trigger deliveries_updated_marked after update on deliveries for each row
  when (least(old.scheduled_for, new.scheduled_for) < clock_timestamp() - interval '1 hour')
  execute function mark_changed_quarters();
-- A job that moves takes its messages out of the count. The engine's own updates name no time.
create trigger jobs_moved_marked after update of scheduled_for on jobs for each row
  when (old.scheduled_for <> new.scheduled_for
    and least(old.scheduled_for, new.scheduled_for) < clock_timestamp() - interval '1 hour')
  execute function mark_changed_quarters();

create function mark_emptied_quarters() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  insert into totals_marks (workspace_id, quarter)
  select distinct workspace_id, quarter_of(scheduled_for) from gone where scheduled_for < clock_timestamp() - interval '1 hour';
  return null;
end
$$;
revoke all on function mark_emptied_quarters from public;
create trigger deliveries_deleted_marked after delete on deliveries
  referencing old table as gone for each statement execute function mark_emptied_quarters();

-- Triggers fire in the order of their names: `totals_progress` is gone by now, after a wait for a totaller that is at work, and so are the jobs.
create function delete_totals_of_workspaces() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from totals_marks t using gone where t.workspace_id = gone.id;
  delete from totals_channels t using gone where t.workspace_id = gone.id;
  delete from totals_reasons t using gone where t.workspace_id = gone.id;
  delete from totals_people t using gone where t.workspace_id = gone.id;
  delete from totals_misses t using gone where t.workspace_id = gone.id;
  return null;
end
$$;
revoke all on function delete_totals_of_workspaces from public;
create trigger totals_follow_workspaces after delete on workspaces
  referencing old table as gone for each statement execute function delete_totals_of_workspaces();

---------------------------------------------------------------------------------------------------------------- people

-- Whether a message to this person that was due in [since, until) was sent, or waits. Runs as the owner, because the policies of a request
-- rule out the index on a function; the workspace is that of the request. A person without a contact has an address, and no other.
create function has_other_message(contact uuid, over text, address text, since timestamptz, until timestamptz) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
begin
  if contact is not null then
    return exists (
      select from deliveries d join jobs j on j.id = d.job_id and j.scheduled_for = d.scheduled_for
       where d.workspace_id = current_workspace_id() and d.contact_id = contact
         and d.scheduled_for >= since and d.scheduled_for < until
         and d.status not in ('failed', 'unknown', 'skipped') and j.type <> 'test_reminder');
  end if;
  return exists (
    select from deliveries d join jobs j on j.id = d.job_id and j.scheduled_for = d.scheduled_for
     where d.workspace_id = current_workspace_id() and address_hash(d.recipient) = address_hash(address)
       and d.channel not in ('slack', 'push') and d.recipient not like 'http%://%'
       and d.channel = over and d.recipient = address and d.contact_id is null
       and d.scheduled_for >= since and d.scheduled_for < until
       and d.status not in ('failed', 'unknown', 'skipped') and j.type <> 'test_reminder');
end
$$;

-- The message that was due to this person at this time and that they missed. As the owner, for the same reason.
create function missed_message(contact uuid, over text, address text, due timestamptz)
  returns table (channel text, recipient text, name text, reason text)
  language plpgsql stable security definer set search_path = public, pg_temp rows 1
as $$
#variable_conflict use_column
begin
  if contact is not null then
    return query
      select d.channel, d.recipient, d.recipient_name, d.reason
        from deliveries d join jobs j on j.id = d.job_id and j.scheduled_for = d.scheduled_for
       where d.workspace_id = current_workspace_id() and d.contact_id = contact and d.scheduled_for = due
         and d.status in ('failed', 'unknown', 'skipped') and j.type <> 'test_reminder'
       order by d.id desc limit 1;
  elsif is_unindexed_address(over, address) then
    return query
      select d.channel, d.recipient, d.recipient_name, d.reason
        from jobs j join deliveries d on d.job_id = j.id and d.scheduled_for = j.scheduled_for
       where j.workspace_id = current_workspace_id() and j.scheduled_for = due and j.type <> 'test_reminder'
         and d.scheduled_for = due and d.channel = over and d.recipient = address and d.contact_id is null
         and d.status in ('failed', 'unknown', 'skipped')
       order by d.id desc limit 1;
  else
    return query
      select d.channel, d.recipient, d.recipient_name, d.reason
        from deliveries d join jobs j on j.id = d.job_id and j.scheduled_for = d.scheduled_for
       where d.workspace_id = current_workspace_id() and address_hash(d.recipient) = address_hash(address)
         and d.channel not in ('slack', 'push') and d.recipient not like 'http%://%'
         and d.channel = over and d.recipient = address and d.contact_id is null and d.scheduled_for = due
         and d.status in ('failed', 'unknown', 'skipped') and j.type <> 'test_reminder'
       order by d.id desc limit 1;
  end if;
end
$$;
revoke all on function has_other_message, missed_message from public;
grant execute on function has_other_message, missed_message to cuebird_app;
