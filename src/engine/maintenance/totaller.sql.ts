/** What time it is, which transactions have ended, at least all below `xmin`, and the number of this one: whoever began to write before has a lower one. */
export const readHorizon = `
  select now() as at, pg_snapshot_xmin(pg_current_snapshot())::text as xmin, pg_current_xact_id()::text as xid`;

/** Workspaces with messages from before $1 that are not added up, or with quarters that have changed since. */
export const workspacesToTotal = `
  select w.id
    from workspaces w
    left join totals_progress p on p.workspace_id = w.id
   where exists (select from jobs j
                  where j.workspace_id = w.id and j.scheduled_for >= coalesce(p.totalled_until, '-infinity') and j.scheduled_for < $1)
      or exists (select from totals_marks m where m.workspace_id = w.id and m.quarter < p.totalled_until)
   order by w.id`;

/** A transaction that ended after its workspace was deleted may have left marks. */
export const deleteMarksOfNobody = `
  delete from totals_marks m where not exists (select from workspaces w where w.id = m.workspace_id)`;

export const beginProgress = `
  insert into totals_progress (workspace_id) select id from workspaces where id = $1 on conflict do nothing`;

/** The lock keeps the workspace $1 from being deleted meanwhile. */
export const lockProgress = 'select from totals_progress where workspace_id = $1 for update';

/** The next quarters of workspace $1 to add up: the first that has changed, or else those with its next $3 jobs from before $2. */
export const nextQuarters = `
  with marked as (
    select m.quarter from totals_marks m join totals_progress p on p.workspace_id = m.workspace_id
     where m.workspace_id = $1 and m.quarter < p.totalled_until
     order by m.quarter limit 1
  )
  select quarter::text as since, (quarter + interval '15 minutes')::text as until, true as "isAgain" from marked
   union all
  select p.totalled_until::text,
         least($2::timestamptz, coalesce((select quarter_of(j.scheduled_for) + interval '15 minutes' from jobs j
                              where j.workspace_id = $1 and j.scheduled_for >= p.totalled_until and j.scheduled_for < $2
                              order by j.scheduled_for offset $3::integer - 1 limit 1), $2))::text,
         false
    from totals_progress p
   where p.workspace_id = $1 and p.totalled_until < $2 and not exists (select from marked)`;

/** Before the quarters are counted, by a statement of its own: a change that is not committed yet keeps its mark. */
export const deleteMarks = 'delete from totals_marks where workspace_id = $1 and quarter >= $2 and quarter < $3';

/** What is there of these quarters of workspace $1. */
export const deleteTotals = [
  'delete from totals_channels where workspace_id = $1 and quarter >= $2 and quarter < $3',
  'delete from totals_reasons where workspace_id = $1 and quarter >= $2 and quarter < $3',
  'delete from totals_people where workspace_id = $1 and quarter >= $2 and quarter < $3',
  'delete from totals_misses where workspace_id = $1 and quarter >= $2 and quarter < $3',
];

/** Adds up the messages of workspace $1 that were due in [$2, $3). Returns how many there were. */
export const addUp = `
  with message as materialized (
    select * from counted_messages($1, $2, $3)
  ), lasted as (
    select quarter, channel, latency_ms, count(*) filter (where outcome = 'sent')::integer as sent,
           count(*) filter (where outcome = 'failed')::integer as failed
      from message where outcome in ('sent', 'failed')
     group by 1, 2, 3
  ), channels as (
    insert into totals_channels (workspace_id, quarter, channel, sent, failed, latency_ms, latency_counts)
    select $1, quarter, channel, sum(sent), sum(failed),
           coalesce(array_agg(latency_ms) filter (where latency_ms is not null), '{}'),
           coalesce(array_agg(sent) filter (where latency_ms is not null), '{}')
      from lasted
     group by 2, 3
  ), reasons as (
    insert into totals_reasons (workspace_id, quarter, channel, reason, failed)
    select $1, quarter, channel, reason, count(*) from message where outcome = 'failed' group by 2, 3, 4
  ), person as (
    select quarter, bool_or(outcome = 'sent') as is_reached, bool_or(outcome = 'open') as is_open
      from message
     group by quarter, job_id, contact_id, address_channel, address
  ), people as (
    insert into totals_people (workspace_id, quarter, reached, missed)
    select $1, quarter, count(*) filter (where is_reached), count(*) filter (where not is_reached and not is_open)
      from person group by 2
  ), misses as (
    insert into totals_misses (workspace_id, quarter, contact_id, channel, recipient, missed, others, last_due)
    select $1, quarter, contact_id, address_channel, address, count(*) filter (where outcome in ('failed', 'skipped')),
           count(*) filter (where outcome in ('sent', 'open')), max(scheduled_for) filter (where outcome in ('failed', 'skipped'))
      from message
     group by 2, 3, 4, 5
    having bool_or(outcome in ('failed', 'skipped')) or is_unindexed_address(address_channel, address)
  )
  select count(*)::integer as messages from message`;

export const advanceProgress = `
  update totals_progress set totalled_until = greatest(totalled_until, $2) where workspace_id = $1`;
