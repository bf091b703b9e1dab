/**
 * Occurrences that are unchanged since they were scheduled: never claimed, not retried (which sets an expiry) and not
 * resumed late (which sets a later run_at). Paused ones are included.
 */
const waits = `
  j.type = 'reminder' and j.status in ('pending', 'paused') and j.attempts = 0 and j.started_at is null
  and j.expires_at is null and j.run_at = j.scheduled_for`;

/**
 * The pending occurrences of the next active scheduled reminders after $1, and one empty row for each reminder without
 * any.
 */
export const waitingOccurrences = `
  select r.id as reminder_id, r.schedule_config, j.id, j.scheduled_for, j.revision
    from (select id, workspace_id, schedule_config from reminders
           where status = 'active' and schedule_config ->> 'type' = 'scheduled' and id > $1
           order by id limit 500) r
    left join jobs j on j.workspace_id = r.workspace_id and j.reminder_id = r.id and j.scheduled_for > $2 and ${waits}
   order by r.id, j.scheduled_for`;

/** The times, among those given for reminders $1, for which a job exists in any state. */
export const timesWithJobs = `
  select reminder_id, scheduled_for from jobs where reminder_id = any ($1::uuid[]) and type = 'reminder' and scheduled_for > $2`;

/**
 * Moves unchanged occurrences and writes the audit log. $1 ids, $2 old times, $3 new times, $4 revisions of their reminders, $5 now, $6 and $7 the
 * versions of the data.
 */
export const moveAndAudit = `
  with moved as (
    update jobs j set scheduled_for = u.new::timestamptz, run_at = u.new::timestamptz, updated_at = $5
      from unnest($1::uuid[], $2::text[], $3::text[], $4::int[]) as u (id, old, new, revision)
     where j.id = u.id and j.scheduled_for = u.old::timestamptz and j.revision = u.revision and ${waits}
    returning j.id, j.workspace_id, j.reminder_id, u.old, u.new
  ), audited as (
    insert into audit_log (workspace_id, action, target, details, created_at)
    select workspace_id, 'schedule.tz_data_changed', reminder_id::text,
           jsonb_build_object('job_id', id, 'from', old, 'to', new, 'tz_from', $6::text, 'tz_to', $7::text), $5
      from moved
  )
  select workspace_id from moved`;
