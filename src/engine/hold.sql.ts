/** Two processes that start together must not both find the database new. */
export const lockHold = 'select pg_advisory_xact_lock(726_005)';

/** The cluster can be asked for by everybody, unless an administrator has said otherwise. */
export const mayAskCluster = "select has_function_privilege('pg_control_system()', 'execute') as may";
export const clusterId = 'select system_identifier::text as id from pg_control_system()';
export const databaseId = 'select oid::text as id from pg_database where datname = current_database()';

export const setting = 'select value from app_settings where key = $1';

export const remember = `
  insert into app_settings (key, value, updated_at) values ($1, $2, $3)
  on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`;

/** $1 who, null at the terminal, $2 what became of what was overdue, $3 how much of it, $4 now. */
export const auditRelease = `
  insert into audit_log (actor_id, action, target, details, created_at)
  values ($1, 'engine.released', 'deliveries', jsonb_build_object('overdue', $2::text, 'missed', $3::int), $4)`;

/** Dispatchers that wait look again. */
export const wakeDispatchers = "select pg_notify('cuebird_due', '')";

/** What waits in each workspace, $1 now; the whole in each row. */
export const waitingByWorkspace = `
  select w.id as workspace_id, w.name, q.due, q.later, (sum(q.due) over ())::int as all_due, (sum(q.later) over ())::int as all_later
    from (select workspace_id, count(*) filter (where run_at <= $1)::int as due, count(*) filter (where run_at > $1)::int as later
            from queue group by workspace_id) q
    join workspaces w on w.id = q.workspace_id
   order by q.due desc, q.later desc, w.name limit 200`;

export const namesOfWorkspaces = 'select id, name from workspaces where id = any ($1::uuid[])';

/** Few are in a hurry here, so the table's own triggers may keep the queue. */
export const leaveQueueToTriggers = "select set_config('cuebird.keeps_queue', 'off', true)";

/** Ends at most $2 of what is due at $1 as missed. */
export const missOverdue = `
  with overdue as (
    select j.id from queue q join jobs j on j.id = q.job_id
     where q.run_at <= $1 and j.status = 'pending' and j.run_at = q.run_at
     order by q.run_at limit $2
       for no key update of j
  )
  update jobs j
     set status = 'cancelled', completed_at = $1, updated_at = $1,
         error_message = 'Missed: it was due at ' || to_char(j.scheduled_for at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
           || ', while deliveries were held'
   where j.id = any (array(select id from overdue))
  returning j.id, j.workspace_id`;

/** Whom they had not reached yet. */
export const skipTheirDeliveries = `
  update deliveries d
     set status = 'skipped', reason = j.error_message, completed_at = $2, next_attempt_at = null, past = past_of(d)
    from jobs j
   where j.id = any ($1::uuid[]) and d.job_id = j.id and d.scheduled_for = j.scheduled_for and d.status in ('queued', 'waiting')`;
