import { sql } from 'kysely';
import type { DeliveryStatus } from '#contract/deliveries.ts';
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
export async function findReported(db: Db, named: Omit<Named, 'now'>): Promise<Reported[]> {
  const { rows } = await sql<Reported>`
    select d.job_id, d.scheduled_for, d.recipient
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
export async function markDelivered(db: Db, named: Named): Promise<Reported[]> {
  const { id, now } = named;
  const { rows } = await sql<Reported>`
    update deliveries d
       set status = 'delivered', reason = null, reason_code = null, reason_params = null, provider_id = coalesce(d.provider_id, ${id}), completed_at = ${now}, next_attempt_at = null, attempt_history = attempt_history_of(d)
     where ${linesOf(named)} and (d.status in ('accepted', 'unknown') or d.status = 'waiting' and d.unknowns > 0)
    returning d.job_id, d.scheduled_for, d.recipient`.execute(db);
  return rows;
}

/**
 * Marks an accepted delivery as failed. A report of an earlier attempt does not affect a later one; a bounce counts for
 * any attempt.
 */
export async function markFailed(db: Db, named: Named & Reason): Promise<Reported[]> {
  const { id, jobId, code, reason, now } = named;
  const { rows } = await sql<Reported>`
    update deliveries d
       set status = 'failed', reason = ${reason}, reason_code = ${code}, reason_params = null, provider_id = coalesce(d.provider_id, ${id}), completed_at = ${now}, next_attempt_at = null, attempt_history = attempt_history_of(d)
     where ${linesOf(named)} and (d.provider_id = ${id} or d.provider_id is null or ${jobId !== null}::boolean)
       and d.status in ('accepted', 'unknown')
    returning d.job_id, d.scheduled_for, d.recipient`.execute(db);
  return rows;
}

/** Stores the report's text for a delivery that is still in progress. */
export async function noteDelay(db: Db, named: Named & { words: string }): Promise<Reported[]> {
  const { rows } = await sql<Reported>`
    update deliveries d
       set provider_answer = ${named.words}, answered_at = ${named.now}, attempt_history = attempt_history_of(d)
     where ${linesOf(named)} and d.status in ('accepted', 'unknown')
    returning d.job_id, d.scheduled_for, d.recipient`.execute(db);
  return rows;
}

type OfJob = Omit<Reported, 'recipient'> & { workspaceId: string };

/** How many deliveries of a job have each status, with the text of a failure. */
export async function tallyOf(db: Db, { workspaceId, job_id, scheduled_for }: OfJob) {
  const { rows } = await sql<{ status: DeliveryStatus; count: number; reason: string | null }>`
    select d.status, count(*)::int as count, max(d.reason) as reason
      from deliveries d
     where d.workspace_id = ${workspaceId} and d.job_id = ${job_id} and d.scheduled_for = ${scheduled_for}
     group by d.status`.execute(db);
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
      updated_at: now,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', job_id)
    .where('status', 'in', ['completed', 'failed'])
    .execute();
