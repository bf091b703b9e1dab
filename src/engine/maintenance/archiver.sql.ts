/** Workspaces that archive their completed jobs. */
export const workspacesThatArchive = `
  select id from workspaces where settings -> 'autoArchiveJobs' = 'true'::jsonb order by id`;

/** Workspaces with a retention setting, and its days; never fewer than 30, whatever is stored. */
export const workspacesWithRetention = `
  select id, greatest(30, least(36500, (settings ->> 'retentionDays')::numeric))::int as days
    from workspaces
   where jsonb_typeof(settings -> 'retentionDays') = 'number'
   order by id`;

/**
 * Checks the next $5 jobs of workspace $1 after id $2 that were created before id $3, and archives those completed
 * before $4. Identifiers rise with time: a job created later cannot have been completed earlier. $6 now.
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
 * Deletes at most $4 jobs of workspace $1 with a scheduled time from $2 on, where both that time and the end lie before
 * $3. An occurrence that was cancelled early stays until then: its row keeps it from being scheduled again. The ledger
 * rows go with the job.
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

export const deleteOldEvents = 'select delete_old_events($1, $2, $3) as gone';
/** Deletes those of the next $2 event payloads after $1 that no job needs any more. */
export const deleteUnusedPayloads = 'select seen, last, gone from delete_unused_payloads($1, $2)';
export const purgeDeletedReminders = 'select purge_deleted_reminders($1, $2) as gone';
/** Deletes at most $3 rows of table $1 that are older than $2, or expired before it. */
export const deleteExpired = 'select delete_expired($1, $2, $3) as gone';
/** Deletes at most $2 entries of the audit log from before $1, and none of the last 400 days. */
export const deleteOldActs = 'select delete_old_acts($1, $2) as gone';

export const deleteOldSupportRequests = 'select delete_old_support_requests($1, $2) as gone';

/** Deletes the sandbox's messages from before $1. */
export const deleteOldMessages = `
  with gone as (
    delete from sandbox_messages
     where id = any (array(select id from sandbox_messages where received_at < $1 order by received_at limit $2))
    returning 1
  )
  select count(*)::int as gone from gone`;

/** Deletes what is older than the newest $1 messages of each workspace. */
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

/** Workspaces that can no longer be restored, by the clocks of both the database and this process. */
export const workspacesToDelete = `
  select id, name, demo_until is not null as is_demo
    from workspaces where delete_after < least($1::timestamptz, now()) - interval '1 hour' order by id`;

/** Ends at most $2 demos that are over at $1. */
export const endDemos = 'select end_demos($1, $2) as gone';

/**
 * Deletes at most $2 rows of workspace $1, and at last the workspace itself. That is logged with its name $3, unless it is a demo ($4). Returns
 * whether there is more.
 */
export const deleteWorkspaceSome = `
  with step as materialized (
    select delete_workspace($1, $2) as more
  ), logged as (
    insert into audit_log (workspace_id, action, target, details)
    select $1, 'workspace.deleted', $1::uuid::text, jsonb_build_object('name', $3::text) from step where not more and not $4::boolean
  )
  select more from step`;

export const makeMonth = 'select make_month_partition($1, $2) as made';
export const dropEmptyMonths = 'select drop_empty_months($1) as dropped';
