import { sql } from 'kysely';
import type { DeliveryStatus } from '#contract/deliveries.ts';
import type { JobStatus } from '#contract/job-states.ts';
import type { JobType } from '#contract/job-types.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import type { Reason } from '#domain/ledger-reasons.ts';
import type { Db } from '#platform/database.ts';

export const findCallbackChannel = (db: Db, { workspaceId, id }: { workspaceId: string; id: string }) =>
  db.selectFrom('channels').where('workspace_id', '=', workspaceId).where('id', '=', id).selectAll().executeTakeFirst();

/** A message, by its provider's id or by the delivery's id, which may not be a UUID when a request contains it. */
export type Named = {
  workspaceId: string;
  channel: string;
  id: string;
  deliveryId: string | null;
  jobId: string | null;
  now: string;
};

export type Reported = { job_id: string; scheduled_for: string; recipient: string };

/** A delivery as it was found: what is being sent has no outcome yet that a report could change. */
export type Found = Reported & { is_sending: boolean };

/** A delivery that a report has changed. `was_uncertain`: what its job came to may differ now. */
export type Settled = Reported & { was_uncertain: boolean };

/**
 * The deliveries that a report is about. Found by job where the report contains it, as a bounce does: ids of messages are indexed only for channels
 * whose reports do not.
 */
const linesOf = ({ workspaceId, channel, id, deliveryId, jobId }: Omit<Named, 'now'>) =>
  jobId === null
    ? sql<boolean>`d.workspace_id = ${workspaceId} and d.channel in ('sms', 'whatsapp') and d.channel = ${channel}
       and (d.provider_id = ${id} or d.id = ${deliveryId}::uuid)`
    : sql<boolean>`d.workspace_id = ${workspaceId} and d.channel = ${channel} and d.job_id = ${jobId}::uuid
       and d.id = ${deliveryId}::uuid`;

/**
 * The deliveries of a message that was reported. None yet where the report comes before the first attempt's outcome, with which the row is written.
 */
export async function findReported(db: Db, named: Omit<Named, 'now'>): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select d.job_id, d.scheduled_for, d.recipient, d.status = 'sending' as is_sending
      from deliveries d
     where ${linesOf(named)}`.execute(db);
  return rows;
}

/** Locks jobs before their deliveries, as every writer of both does. Skips a job that is running. */
export const lockEnded = (db: Db, { workspaceId, ids }: { workspaceId: string; ids: readonly string[] }) =>
  db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .where('status', 'in', ['completed', 'failed'])
    .select('id')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

/** Marks a delivery as delivered, also while a retry waits after a lost answer. One with another final status keeps it. */
export async function markDelivered(db: Db, named: Named): Promise<Settled[]> {
  const { id, now } = named;
  const { rows } = await sql<Settled>`
    update deliveries d
       set status = 'delivered', reason = null, reason_code = null, reason_params = null, provider_id = coalesce(d.provider_id, ${id}), completed_at = ${now}, next_attempt_at = null, attempt_history = attempt_history_of(d)
     where ${linesOf(named)} and (d.status in ('accepted', 'unknown') or d.status = 'waiting' and d.unknowns > 0)
    returning d.job_id, d.scheduled_for, d.recipient, d.unknowns > 0 as was_uncertain`.execute(db);
  return rows;
}

/**
 * Marks an accepted delivery as failed. A report of an earlier attempt does not affect a later one; a bounce counts for
 * any attempt.
 */
export async function markFailed(db: Db, named: Named & Reason): Promise<Settled[]> {
  const { id, jobId, code, reason, now } = named;
  const { rows } = await sql<Settled>`
    update deliveries d
       set status = 'failed', reason = ${reason}, reason_code = ${code}, reason_params = null, provider_id = coalesce(d.provider_id, ${id}), completed_at = ${now}, next_attempt_at = null, attempt_history = attempt_history_of(d)
     where ${linesOf(named)} and (d.provider_id = ${id} or d.provider_id is null or ${jobId !== null}::boolean)
       and d.status in ('accepted', 'unknown')
    returning d.job_id, d.scheduled_for, d.recipient, true as was_uncertain`.execute(db);
  return rows;
}

/** Stores the report's text for a delivery that is still in progress. */
export async function noteDelay(db: Db, named: Named & { words: string }): Promise<Settled[]> {
  const { rows } = await sql<Settled>`
    update deliveries d
       set provider_answer = ${named.words}, answered_at = ${named.now}, attempt_history = attempt_history_of(d)
     where ${linesOf(named)} and d.status in ('accepted', 'unknown')
    returning d.job_id, d.scheduled_for, d.recipient, false as was_uncertain`.execute(db);
  return rows;
}

type OfJob = Omit<Reported, 'recipient'> & { workspaceId: string };

/** What decides whether a job that has begun may still send: null where it may not, or where its channels are not tried in order. */
export async function findInOrder(
  db: Db,
  { workspaceId, job_id, scheduled_for, now }: OfJob & { now: string },
): Promise<InOrder | null> {
  const { rows } = await sql<InOrder>`
    select j.type, j.scheduled_for, j.started_at as begun_at, j.expires_at, r.schedule_config
      from jobs j
      join reminders r on r.workspace_id = j.workspace_id and r.id = j.reminder_id
      join workspaces w on w.id = j.workspace_id
     where j.workspace_id = ${workspaceId} and j.id = ${job_id} and j.scheduled_for = ${scheduled_for} and j.type in ('reminder', 'event_reminder') and j.stop_reason is null
       and r.status = 'active' and r.revision = j.revision and r.metadata ->> 'channel_mode' = 'in_order'
       and coalesce(w.reminders_paused_until, '-infinity') <= ${now}::timestamptz`.execute(db);
  return rows[0] ?? null;
}

type InOrder = {
  type: JobType;
  scheduled_for: string;
  begun_at: string | null;
  expires_at: string | null;
  schedule_config: ScheduleConfig;
};

/**
 * Has a job claimed again at `at`, or once its run has ended; at an earlier time that an earlier report has set, or that the job waits for. One update, so that
 * no run that begins or ends meanwhile is missed. That claim decides what follows. Later than the claim that the job is in, by which `finishJobs` sees it. A
 * paused job, or a cancelled one, is left alone. Returns whether the job is claimed earlier than before.
 */
export async function claimAgain(
  db: Db,
  {
    workspaceId,
    job_id,
    scheduled_for,
    from,
    message,
    at,
    now,
  }: OfJob & { from: readonly JobStatus[]; message: string; at: string; now: string },
): Promise<boolean> {
  const isEnded = sql`status in ('completed', 'failed')`;
  // After the claim of the run: an earlier report has set this already.
  const isReported = sql`status = 'running' and run_at > updated_at`;
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({
      status: sql`case when ${isEnded} then 'pending' else status end`,
      run_at: sql`case when status = 'running' then greatest(${at}::timestamptz, updated_at + interval '1 millisecond') else ${at}::timestamptz end`,
      error_message: sql`case when ${isEnded} then ${message} else error_message end`,
      reason_code: sql`case when status = 'running' then reason_code end`,
      completed_at: null,
      archived_at: null,
      updated_at: sql`case when status = 'running' then updated_at else ${now}::timestamptz end`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', job_id)
    .where('scheduled_for', '=', scheduled_for)
    .where('status', 'in', [...from])
    .where(sql<boolean>`(${isEnded} or run_at > ${at}::timestamptz or status = 'running' and not (${isReported}))`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * How many deliveries of a run have each status, with the text of a failure. Of a person for whom channels were tried in order the last one alone: not what
 * continued over another channel, and not what was not needed.
 */
export async function tallyOf(db: Db, { workspaceId, job_id, scheduled_for }: OfJob) {
  const { rows } = await sql<{ status: DeliveryStatus; count: number; reason: string | null }>`
    with line as materialized (
      select d.id, d.channel, d.status, d.reason, d.reason_params ->> 'next' as next, d.reason_code is not distinct from 'sent_over_another_channel' as is_unneeded,
             coalesce(d.contact_id::text, d.through, d.recipient) as person
        from deliveries d
       where d.workspace_id = ${workspaceId} and d.job_id = ${job_id} and d.scheduled_for = ${scheduled_for}
    )
    select d.status, count(*)::int as count, max(d.reason) as reason
      from line d
     where not exists (select from line o
                        where o.person = d.person and o.id <> d.id and (o.channel = d.next or d.is_unneeded and not o.is_unneeded))
     group by d.status
     order by d.status`.execute(db);
  return rows;
}

/**
 * Corrects the status of a job that has ended and stays ended. A stopped one keeps the words and code of its stop while its status stays; otherwise
 * the message counts deliveries, and has no code.
 */
export const correctResult = (
  db: Db,
  {
    workspaceId,
    job_id,
    scheduled_for,
    status,
    message,
    now,
  }: OfJob & { status: 'completed' | 'failed' | 'cancelled'; message: string | null; now: string },
) =>
  db
    .updateTable('jobs')
    .set({
      status,
      error_message: sql`case when status = ${status} and reason_code is not null then error_message else ${message} end`,
      reason_code: sql`case when status = ${status} then reason_code end`,
      // Only what has completed is archived.
      archived_at: sql`case when ${status} = 'completed' then archived_at end`,
      updated_at: now,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', job_id)
    .where('scheduled_for', '=', scheduled_for)
    .where('status', 'in', ['completed', 'failed'])
    .execute();
