/** Workspaces that want their completed jobs archived. */
export const workspacesThatArchive = `
  select id from workspaces where settings -> 'autoArchiveJobs' = 'true'::jsonb order by id`;

/** Workspaces that let go of what is old, with the days they keep it; never fewer than 30, whatever is written there. */
export const workspacesThatForget = `
  select id, greatest(30, least(36500, (settings ->> 'retentionDays')::numeric))::int as days
    from workspaces
   where jsonb_typeof(settings -> 'retentionDays') = 'number'
   order by id`;

/**
 * Looks at the next $5 jobs of workspace $1 after $2 that were made before $3, and archives those completed before $4.
 * Identifiers rise with time: what was made later cannot have been completed earlier. $6 now.
 */
export const archiveSome = `
  with page as (
    select id, status, completed_at from jobs
     where workspace_id = $1 and archived_at is null and id > $2 and id < $3
     order by id limit $5
  ), archived as (
    update jobs j set archived_at = $6
     where j.id = any (array(select id from page where status = 'completed' and completed_at < $4))
       and j.status = 'completed' and j.archived_at is null
    returning 1
  )
  select (select count(*)::int from page) as seen, (select id from page order by id desc limit 1) as last,
         (select count(*)::int from archived) as archived`;

/**
 * Deletes at most $4 jobs of workspace $1 whose time, from $2 on, and whose end lie before $3. An occurrence that was
 * cancelled ahead of its time stays until then: its row keeps it from being planned again. The ledger goes with its jobs.
 */
export const deleteSome = `
  with gone as (
    delete from jobs
     where id = any (array(
       select id from jobs
        where workspace_id = $1 and scheduled_for >= $2 and scheduled_for < $3
          and status in ('completed', 'failed', 'cancelled') and coalesce(completed_at, updated_at) < $3
        order by scheduled_for limit $4
          for update skip locked))
    returning scheduled_for
  )
  select count(*)::int as gone, max(scheduled_for) as last from gone`;

export const deleteOldEvents = 'select forget_old_events($1, $2, $3) as gone';
export const deleteDeletedReminders = 'select forget_deleted_reminders($1, $2) as gone';
export const deleteRepeatedRequests = 'select forget_repeated_requests($1, $2) as gone';
export const deleteOldActs = 'select forget_old_acts($1, $2) as gone';

/** Messages that the sandbox has caught before $1. */
export const deleteOldMessages = `
  with gone as (
    delete from sandbox_messages
     where id = any (array(select id from sandbox_messages where received_at < $1 order by received_at limit $2))
    returning 1
  )
  select count(*)::int as gone from gone`;

/** Of every workspace what is older than its newest $1 messages. */
export const deleteMessagesBeyond = `
  with gone as (
    delete from sandbox_messages
     where id = any (array(
       select m.id
         from workspaces w
        cross join lateral (select received_at from sandbox_messages
                             where workspace_id = w.id order by workspace_id, received_at desc, id desc offset $1 limit 1) oldest
         join sandbox_messages m on m.workspace_id = w.id and m.received_at <= oldest.received_at
        limit $2))
    returning 1
  )
  select count(*)::int as gone from gone`;

export const makeMonth = 'select make_month_partition($1, $2) as made';
export const dropEmptyMonths = 'select drop_empty_months($1) as dropped';
