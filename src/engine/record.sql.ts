import type { Change } from '#contract/realtime.ts';

/**
 * The recorder's writes, each a batch. An outcome counts only for the attempt it belongs to: a worker that was thought
 * dead and comes back finds a higher attempt number and changes nothing.
 */
export const recordOutcomes = {
  name: 'record-outcomes',
  text: `
  update deliveries d
     set status = u.status, reason = u.reason, channel_id = u.channel_id, provider = u.provider, provider_id = u.provider_id,
         provider_answer = u.provider_answer, content_hash = u.content_hash, next_attempt_at = u.next_attempt_at,
         unknowns = d.unknowns + u.unknowns, completed_at = case u.status when 'waiting' then null else $14::timestamptz end
    from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::int[], $6::text[], $7::text[], $8::uuid[], $9::text[], $10::text[],
                $11::text[], $12::text[], $13::timestamptz[], $15::int[])
      as u (job_id, scheduled_for, channel, recipient, attempt, status, reason, channel_id, provider, provider_id, provider_answer,
            content_hash, next_attempt_at, unknowns)
   where d.job_id = u.job_id and d.scheduled_for = u.scheduled_for and d.channel = u.channel and d.recipient = u.recipient
     and d.attempts = u.attempt and d.status in ('sending', 'unknown')`,
};

/**
 * Ends or postpones the jobs whose fence is still ours, and writes their execution. A run whose fence was taken leaves
 * none: the rescuer wrote it.
 */
export const finishJobs = {
  name: 'finish-jobs',
  text: `
  with finished as (
    update jobs j
       set status = u.status, run_at = coalesce(u.run_at, j.run_at), error_message = u.message, lease_until = null, worker = null,
           completed_at = case u.status when 'pending' then null else $8::timestamptz end, updated_at = $8
      from unnest($1::uuid[], $2::int[], $3::text[], $4::timestamptz[], $5::text[], $6::timestamptz[], $7::jsonb[])
        as u (id, fence, status, run_at, message, run_started_at, logs)
     where j.id = u.id and j.fence = u.fence and j.status = 'running'
    returning j.id, j.workspace_id, u.status, u.run_started_at, u.message, u.logs
  ), recorded as (
    insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms, error_message, logs)
    select workspace_id, id, case status when 'completed' then 'completed' else 'failed' end, run_started_at, $8,
           extract(epoch from $8 - run_started_at) * 1000, message, logs
      from finished
  )
  select id from finished`,
};

/** Runs that a worker left behind, for the rescuer to write. */
export const insertLostRuns = {
  name: 'insert-lost-runs',
  text: `
  insert into job_executions (workspace_id, job_id, status, started_at, completed_at, error_message, logs)
  select u.workspace_id, u.job_id, 'failed', u.started_at, $4, 'The worker stopped during this run', jsonb_build_object('attempt', u.attempt)
    from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $5::int[]) as u (workspace_id, job_id, started_at, attempt)`,
};

/** What a cancelled job still had waiting is not sent. $1 jobs, $2 now. */
export const skipCancelled = {
  name: 'skip-cancelled',
  text: `
  update deliveries d
     set status = 'skipped', reason = coalesce(j.error_message, 'The job was cancelled'), completed_at = $2, next_attempt_at = null
    from jobs j
   where j.id = any ($1::uuid[]) and j.status = 'cancelled' and d.job_id = j.id and d.scheduled_for = j.scheduled_for
     and d.status in ('queued', 'waiting')`,
};

/** Tells the screens of these workspaces, once the transaction commits, to fetch again what the engine changes. */
export const tellScreens = (workspaceIds: readonly string[]) => ({
  name: 'tell-screens',
  text: "select pg_notify('cuebird_changes', u.payload) from unnest($1::text[]) as u (payload)",
  values: [[...new Set(workspaceIds)].map((workspace) => JSON.stringify({ workspace, tables: engineTables }))],
});

const engineTables: Change['table'][] = ['jobs', 'deliveries', 'reminders'];

/** Running jobs whose lease has run out, $1 now (or the end of time, when every other worker is known to be gone). */
export const takeOverExpired = {
  name: 'take-over-expired',
  text: `
  update jobs j
     set status = 'pending', fence = fence + 1, lease_until = null, worker = null, run_at = $2, updated_at = $2,
         error_message = 'The worker stopped during this run; it is taken up again'
    from (select id from jobs where status = 'running' and lease_until < $1 order by lease_until limit 200 for update skip locked) expired
   where j.id = expired.id
  returning j.id, j.workspace_id, j.scheduled_for, j.started_at, j.attempts, j.expires_at`,
};

export const attemptsUnderWay = {
  name: 'attempts-under-way',
  text: `
  select d.job_id, d.workspace_id, d.scheduled_for, d.channel, d.recipient, d.attempts, d.unknowns
    from unnest($1::uuid[], $2::timestamptz[]) as u (job_id, scheduled_for)
    join deliveries d on d.job_id = u.job_id and d.scheduled_for = u.scheduled_for
   where d.status = 'sending'`,
};

/** A job taken over goes on when its first open delivery may. $1 jobs, $2 now. */
export const postponeToOpenDeliveries = {
  name: 'postpone-to-open-deliveries',
  text: `
  update jobs j
     set run_at = coalesce((
           select min(case d.status when 'queued' then $2::timestamptz else d.next_attempt_at end)
             from deliveries d
            where d.job_id = j.id and d.scheduled_for = j.scheduled_for and d.status in ('queued', 'waiting')), $2)
   where j.id = any ($1::uuid[]) and j.status = 'pending'`,
};
