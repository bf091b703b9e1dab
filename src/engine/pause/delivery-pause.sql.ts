import { advisoryLocks } from '#platform/advisory-locks.ts';
import { missedWhilePausedCode, missedWhilePausedSql } from '#domain/ledger-reasons.ts';
import { misfireRule } from '#engine/postgres/queue.sql.ts';

/** Serializes processes that start together: only one may find the database new. */
export const lockDeliveryPause = `select pg_advisory_xact_lock(${advisoryLocks.deliveryPause})`;

// Writes the pause into the audit log of the installation, and of each workspace: there without a name, and without the count of all.

/** $1 actor, null at the terminal; $2 what was done with overdue jobs; $3 how many; $4 now. */
export const auditRelease = `
  insert into audit_log (workspace_id, actor_id, actor_kind, action, target, details, created_at)
  select null, $1::uuid, 'administrator', 'engine.released', 'deliveries',
         jsonb_build_object('overdue', $2::text, 'missed', $3::int), $4::timestamptz
   union all
  select id, null, 'administrator', 'engine.released', 'deliveries', jsonb_build_object('overdue', $2::text), $4 from workspaces`;

/** Writes the pause into the audit logs. $1 its reason, $2 now. */
export const auditPause = `
  insert into audit_log (workspace_id, actor_kind, action, target, details, created_at)
  select null, 'system', 'engine.paused', 'deliveries', jsonb_build_object('reason', $1::text), $2::timestamptz
   union all
  select id, 'system', 'engine.paused', 'deliveries', jsonb_build_object('reason', $1::text), $2 from workspaces`;

/** Wakes the waiting dispatchers. */
export const wakeDispatchers = "select pg_notify('cuebird_due', '')";

/** Counts the occurrences that wait in each workspace; $1 now. Each row has the total too. */
export const waitingByWorkspace = `
  select w.id as workspace_id, w.name, q.due, q.later, (sum(q.due) over ())::int as all_due, (sum(q.later) over ())::int as all_later
    from (select workspace_id, count(*) filter (where run_at <= $1)::int as due, count(*) filter (where run_at > $1)::int as later
            from queue group by workspace_id) q
    join workspaces w on w.id = q.workspace_id and w.delete_after is null and w.suspended_at is null and w.demo_spent_at is null
   order by q.due desc, q.later desc, w.name limit 200`;

export const rulesOfWorkspaces = `select w.id, w.name, ${misfireRule} as misfire from workspaces w where w.id = any ($1::uuid[])`;

/** Ends at most $2 of the jobs due at $1 as missed. */
export const missOverdue = `
  with overdue as (
    select j.id from queue q join jobs j on j.id = q.job_id
     where q.run_at <= $1 and j.status = 'pending' and j.run_at = q.run_at
     order by q.run_at limit $2
       for no key update of j
  )
  update jobs j
     set status = 'cancelled', completed_at = $1, updated_at = $1,
         error_message = ${missedWhilePausedSql(`to_char(j.scheduled_for at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)},
         reason_code = '${missedWhilePausedCode}'
   where j.id = any (array(select id from overdue))
  returning j.id, j.workspace_id`;

/** Ends the ledger rows of those jobs that are still open. */
export const skipTheirDeliveries = `
  update deliveries d
     set status = 'skipped', reason = j.error_message, reason_code = j.reason_code, reason_params = null, completed_at = $2, next_attempt_at = null, attempt_history = attempt_history_of(d)
    from jobs j
   where j.id = any ($1::uuid[]) and d.job_id = j.id and d.scheduled_for = j.scheduled_for and d.status in ('queued', 'waiting')`;
