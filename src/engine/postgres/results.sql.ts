import { jobWasCancelled } from '#domain/ledger-reasons.ts';
import { durationMs } from '#engine/postgres/duration.sql.ts';
import { endUnsent } from '#engine/postgres/unsent.sql.ts';

/** Read by the triggers that report to webhooks (0010_events.sql). $1 the workspaces of all rows that the transaction writes. */
export const withoutWebhooks = {
  name: 'without-webhooks',
  text: `
  select set_config('cuebird.has_no_webhooks', 'on', true)
   where not exists (select from webhooks where workspace_id = any ($1::uuid[]) and is_active and disabled_at is null)`,
};

/**
 * Writes the outcomes of a batch. A first attempt inserts its row; a later one updates it, and only for the attempt it
 * belongs to: a worker that was thought lost and comes back finds a higher attempt number. A message that it did
 * deliver counts as long as nobody has tried again. An attempt whose beginning the database has lost is taken from who owns the job. Otherwise an outcome from a worker that no longer owns the job is
 * ignored, and so is a batch that arrives twice. Nobody owns a cancelled job: its reporter must not have lost its
 * claim, because a retry resets the attempts. When no attempt was made the row counts one less. A deleted job leaves no
 * row.
 */
export const recordOutcomes = {
  name: 'record-outcomes',
  text: `
  insert into deliveries as d (id, workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, attempts, unknowns,
                               reason, reason_code, reason_params, channel_id, provider, provider_id, provider_answer, content_hash, first_attempt_at,
                               last_attempt_at, next_attempt_at, completed_at, answered_at)
  select u.id, j.workspace_id, j.id, j.scheduled_for, u.channel, u.recipient, u.recipient_name, u.status,
         u.attempt - (u.began_at is null)::int, u.unknowns, u.reason, u.code, u.params, u.channel_id, u.provider, u.provider_id, u.provider_answer,
         u.content_hash, u.began_at, u.began_at, u.next_attempt_at, case u.status when 'waiting' then null else $1::timestamptz end,
         case u.status when 'waiting' then $1 end
    from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::int[], $8::text[], $9::text[], $10::uuid[], $11::text[],
                $12::text[], $13::text[], $14::text[], $15::timestamptz[], $16::timestamptz[], $17::int[], $18::uuid[], $19::text[], $20::jsonb[])
      as u (id, job_id, channel, recipient, recipient_name, attempt, status, reason, channel_id, provider, provider_id, provider_answer,
            content_hash, began_at, next_attempt_at, unknowns, claim_id, code, params)
    join jobs j on j.id = u.job_id
     and (j.claim_id = u.claim_id or u.status in ('accepted', 'delivered')
          or j.status = 'cancelled' and exists (select from claims c where c.id = u.claim_id))
  on conflict (job_id, scheduled_for, channel, recipient) do update
     set status = excluded.status, attempts = excluded.attempts,
         first_attempt_at = case when excluded.attempts = 0 then null else coalesce(d.first_attempt_at, excluded.first_attempt_at) end,
         last_attempt_at = case when d.attempts < excluded.attempts then excluded.last_attempt_at else d.last_attempt_at end, reason = excluded.reason,
         reason_code = excluded.reason_code, reason_params = excluded.reason_params, channel_id = excluded.channel_id,
         provider = excluded.provider, provider_id = excluded.provider_id, provider_answer = excluded.provider_answer,
         content_hash = excluded.content_hash, next_attempt_at = excluded.next_attempt_at, unknowns = d.unknowns + excluded.unknowns,
         completed_at = excluded.completed_at, answered_at = excluded.answered_at, attempt_history = attempt_history_of(d)
   where d.attempts = excluded.attempts + (excluded.last_attempt_at is null)::int
     and (d.status = 'sending' or d.status = 'unknown' and excluded.status not in ('unknown', 'waiting')
          or d.status = 'waiting' and excluded.status in ('accepted', 'delivered'))
      or d.attempts = excluded.attempts - 1 and d.status in ('queued', 'waiting') and excluded.last_attempt_at is not null
         and (select j.id from jobs j where j.id = d.job_id and j.claim_id = any ($18::uuid[])) is not null`,
};

/** A report has failed one of its deliveries since the run began (`claimAgain`), which the run may have counted before. */
const hasFailedLate = 'j.run_at > u.run_started_at';
const isReported = `(${hasFailedLate} and j.stop_reason is null)`;

/**
 * Ends or postpones the jobs that their claim still owns, and writes their execution unless nothing was done. A stopped
 * job is not postponed: it ends with the words and the code of the stop, and its waiting rows are skipped. Otherwise the code is
 * that of the message, which only a cancelled job has. A run whose job was taken over leaves no execution,
 * because the rescuer wrote it. A job of which a report has failed a delivery meanwhile is claimed once more, when that report has set: that claim counts what the ledger says by then. One
 * that is stopped has failed.
 * A run whose outcomes the database has lost, such as in a fail-over, ends nothing: a row is still open, or missing, and
 * the rescuer settles it.
 */
export const finishJobs = {
  name: 'finish-jobs',
  text: `
  with finished as (
    update jobs j
       set status = case when ${isReported} then 'pending' when ${hasFailedLate} then 'failed'
                         when u.status = 'pending' and j.stop_reason is not null then u.if_stopped else u.status end,
           run_at = case when ${isReported} then greatest(least(u.run_at, j.run_at), $8::timestamptz)
                         when u.status = 'pending' and j.stop_reason is null then u.run_at else j.run_at end,
           error_message = case when u.status = 'pending' then coalesce(j.stop_reason, u.message) else u.message end,
           reason_code = case when u.status = 'pending' and j.stop_reason is not null then j.reason_code when ${isReported} then null else u.code end,
           claim_id = null,
           completed_at = case when ${isReported} or u.status = 'pending' and j.stop_reason is null then null else $8::timestamptz end, updated_at = $8
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[], $6::timestamptz[], $7::jsonb[], $9::text[], $10::text[],
                  $11::int[])
        as u (id, claim_id, status, run_at, message, run_started_at, logs, if_stopped, code, rows)
     where j.id = u.id and j.claim_id = u.claim_id and j.status = 'running'
       and (select count(*) >= u.rows
                   and count(*) filter (where d.status = 'sending' or u.status <> 'pending' and d.status in ('queued', 'waiting')) = 0
              from deliveries d
             where d.job_id = j.id and d.scheduled_for = j.scheduled_for)
    returning j.id, j.workspace_id, j.scheduled_for, j.run_at, j.status, j.error_message as message, j.reason_code, u.run_started_at, u.logs,
              u.status = 'pending' and j.status <> 'pending' as is_stopped,
              case when u.status = 'pending' then j.status else u.status end as run_status,
              j.status = 'pending' and j.run_at is distinct from u.run_at as is_sooner
  ), queued as (
    insert into queue (job_id, workspace_id, run_at) select id, workspace_id, run_at from finished where status = 'pending'
  ), skipped as (
    update deliveries d
       set ${endUnsent({ code: 'f.reason_code', reason: 'f.message' }, '$8')}
      from finished f
     where f.is_stopped and d.job_id = f.id and d.scheduled_for = f.scheduled_for and d.status in ('queued', 'waiting')
  ), recorded as (
    insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms, error_message, logs)
    select workspace_id, id, case run_status when 'completed' then 'completed' else 'failed' end, run_started_at, $8,
           ${durationMs({ from: 'run_started_at', to: '$8' })}, message, logs
      from finished
     where logs is not null
  )
  select id, case when is_sooner then pg_notify('cuebird_due', '') end from finished`,
};

/**
 * Ends claims that no job names, and of whose cancelled jobs no attempt is under way. Where there is one, the database has lost a transaction in which its
 * worker ended it, such as in a fail-over: the claim stays, nobody extends its lease any more, and its jobs are rescued. Written as single values, because
 * `exists` could be planned as a join over all jobs.
 */
export const endClaims = {
  name: 'end-claims',
  text: `
  delete from claims c
   where c.id = any ($1::uuid[])
     and (select j.id from jobs j
           where j.id = any (c.job_ids)
             and (j.claim_id = c.id
                  or j.status = 'cancelled'
                     and (select d.id from deliveries d
                           where d.job_id = j.id and d.scheduled_for = j.scheduled_for and d.status = 'sending' limit 1) is not null)
           limit 1) is null`,
};

/**
 * Skips the waiting rows of a cancelled job, with the job's reason. Jobs that a version without codes cancelled have only the sentence, and so do
 * their rows. $1 jobs, $2 now.
 */
export const skipCancelled = {
  name: 'skip-cancelled',
  text: `
  update deliveries d
     set ${endUnsent(
       {
         code: `case when j.error_message is null then '${jobWasCancelled.code}' else j.reason_code end`,
         reason: `coalesce(j.error_message, '${jobWasCancelled.reason}')`,
       },
       '$2',
     )}
    from jobs j
   where j.id = any ($1::uuid[]) and j.status = 'cancelled' and d.job_id = j.id and d.scheduled_for = j.scheduled_for
     and d.status in ('queued', 'waiting')`,
};
