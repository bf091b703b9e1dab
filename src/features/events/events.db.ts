import { cancelledBecause } from '#domain/job-state.ts';
import type { Reason } from '#domain/ledger-reasons.ts';
import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';
import { dueAt, insertJobs, keepEventJob } from '#platform/new-jobs.ts';
import { endUnsent } from '#platform/unsent.ts';

type Named = { workspaceId: string; reminderId: string | null; key: string };

const columns = ['id', 'event', 'key', 'request_hash', 'cancelled_at'] as const;

/** Inserts an event. Undefined when its key was used before; waits for a concurrent request with the same key. */
export const insertEvent = (
  db: Db,
  row: Named & {
    event: string;
    requestHash: string;
    occurredAt: string;
    apiKeyId: string | null;
    repeatedEventId: string | null;
    now: string;
  },
) =>
  db
    .insertInto('events')
    .values({
      workspace_id: row.workspaceId,
      reminder_id: row.reminderId,
      key: row.key,
      event: row.event,
      request_hash: row.requestHash,
      occurred_at: row.occurredAt,
      api_key_id: row.apiKeyId,
      repeated_event_id: row.repeatedEventId,
      created_at: row.now,
    })
    .onConflict((known) => known.columns(['workspace_id', 'reminder_id', 'key']).doNothing())
    .returning(columns)
    .executeTakeFirst();

/** Locks the event, so that concurrent cancellations are serialized. */
export const findEvent = (db: Db, { workspaceId, reminderId, key }: Named) =>
  db
    .selectFrom('events')
    .where('workspace_id', '=', workspaceId)
    .where('reminder_id', reminderId === null ? 'is' : '=', reminderId)
    .where('key', '=', key)
    .select(columns)
    .forUpdate()
    .executeTakeFirst();

export type EventRow = Awaited<ReturnType<typeof findEvent>> & {};

/**
 * The active reminders with this trigger, or the given one, locked against edits: a concurrent pause or edit either
 * comes first and is seen, or finds the new jobs.
 */
export function findWaiting(
  db: Db,
  { workspaceId, event, reminderId }: { workspaceId: string; event: string; reminderId: string | null },
) {
  const query = db
    .selectFrom('reminders')
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'active')
    .where(sql<boolean>`schedule_config ->> 'type' = 'event-based'`)
    .where(sql<boolean>`schedule_config ->> 'eventTrigger' = ${event}`)
    .select(['id', 'name', 'revision', 'schedule_config', 'metadata'])
    .select(sql<number>`json_array_length(content -> 'recipients')`.as('listed'))
    .orderBy('id')
    .forShare();
  return (reminderId === null ? query : query.where('id', '=', reminderId)).execute();
}

/** The active reminders with this trigger. */
export const listWaiting = (db: Db, { workspaceId, event }: { workspaceId: string; event: string }) =>
  db
    .selectFrom('reminders')
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'active')
    .where(sql<boolean>`schedule_config ->> 'type' = 'event-based'`)
    .where(sql<boolean>`schedule_config ->> 'eventTrigger' = ${event}`)
    .select(['id', 'name', 'schedule_config'])
    .orderBy('id')
    .execute();

export type NewEventJob = { reminderId: string; name: string; at: string; maxAttempts: number; revision: number };

/**
 * Inserts one pending job for each reminder, and their common payload. A reminder that has a job of this event keeps
 * it.
 */
export async function insertEventJobs(
  db: Db,
  {
    workspaceId,
    eventId,
    jobs,
    payload,
    now,
  }: { workspaceId: string; eventId: string; jobs: readonly NewEventJob[]; payload: object; now: string },
): Promise<void> {
  await db
    .insertInto('event_payloads')
    .values({ event_id: eventId, workspace_id: workspaceId, payload: JSON.stringify(payload) })
    .onConflict((known) => known.column('event_id').doNothing())
    .execute();
  await insertJobs(
    db,
    jobs.map((job) => ({
      workspace_id: workspaceId,
      reminder_id: job.reminderId,
      event_id: eventId,
      type: 'event_reminder',
      name: job.name,
      scheduled_for: job.at,
      run_at: dueAt(job.at, { asked: now }),
      max_attempts: job.maxAttempts,
      revision: job.revision,
      created_at: now,
      updated_at: now,
    })),
    keepEventJob,
  );
}

export const jobsOf = (db: Db, { workspaceId, eventId }: { workspaceId: string; eventId: string }) =>
  db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('event_id', '=', eventId)
    .select(['id as job_id', 'reminder_id', 'scheduled_for', 'status'])
    .orderBy('scheduled_for')
    .orderBy('id')
    .execute();

export const setHint = (
  db: Db,
  { workspaceId, eventId, hint }: { workspaceId: string; eventId: string; hint: string },
) => db.updateTable('events').set({ hint }).where('workspace_id', '=', workspaceId).where('id', '=', eventId).execute();

/** Marks an event as cancelled. Returns since when it is. */
export const markCancelled = (
  db: Db,
  { workspaceId, eventId, now }: { workspaceId: string; eventId: string; now: string },
) =>
  db
    .updateTable('events')
    .set({ cancelled_at: sql`coalesce(cancelled_at, ${now}::timestamptz)` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', eventId)
    .returning(sql<string>`cancelled_at`.as('since'))
    .executeTakeFirstOrThrow();

/** Cancels the events' pending and paused jobs, and stops running ones: no further attempt or retry starts. */
export async function cancelEventJobs(
  db: Db,
  {
    workspaceId,
    eventIds,
    code,
    reason,
    now,
  }: { workspaceId: string; eventIds: readonly string[]; now: string } & Reason,
): Promise<void> {
  // Locked first, so that a job that is being claimed is seen as running below, with the deliveries of its claim.
  await db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('event_id', 'in', eventIds)
    .where('status', 'in', ['pending', 'paused', 'running'])
    .select('id')
    .orderBy('id')
    .forUpdate()
    .execute();
  const cancelled = await db
    .updateTable('jobs')
    .set(cancelledBecause({ code, reason, now }))
    .where('workspace_id', '=', workspaceId)
    .where('event_id', 'in', eventIds)
    .where('status', 'in', ['pending', 'paused'])
    .returning('id')
    .execute();
  if (cancelled.length > 0)
    await db
      .updateTable('deliveries')
      .set(endUnsent({ code, reason, now }))
      .where('workspace_id', '=', workspaceId)
      .where(
        'job_id',
        'in',
        cancelled.map((job) => job.id),
      )
      .where('status', 'in', ['queued', 'waiting'])
      .execute();
  await db
    .updateTable('jobs')
    .set({ stop_reason: reason, reason_code: code })
    .where('workspace_id', '=', workspaceId)
    .where('event_id', 'in', eventIds)
    .where('status', '=', 'running')
    .execute();
}
