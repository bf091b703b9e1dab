import { sql } from 'kysely';
import type { JobStatus } from '#contract/job-states.ts';
import { calendarTrigger } from '#contract/schedules.ts';
import type { Db } from '#platform/database.ts';
import { dueAt, insertJobs } from '#platform/new-jobs.ts';

type Of = { workspaceId: string; reminderId: string };

/** The events of a calendar from `since` on, each with its job; null where that was deleted. */
export const findScheduledEvents = (db: Db, { workspaceId, reminderId, since }: Of & { since: string }) =>
  db
    .selectFrom('events as e')
    .leftJoin('jobs as j', (join) =>
      join.onRef('j.event_id', '=', 'e.id').onRef('j.workspace_id', '=', 'e.workspace_id'),
    )
    .where('e.workspace_id', '=', workspaceId)
    .where('e.reminder_id', '=', reminderId)
    .where('e.event', '=', calendarTrigger)
    .where('e.occurred_at', '>=', since)
    .select(['e.id', 'e.key', 'e.request_hash', 'e.occurred_at', 'e.cancelled_at'])
    .select(['j.status', 'j.attempts', 'j.expires_at', 'j.completed_at'])
    .$narrowType<{ status: JobStatus | null }>()
    .execute();

export type ScheduledRow = Awaited<ReturnType<typeof findScheduledEvents>>[number];

/** An event and its job, as they should be. `id` is the event's. */
export type EventToSchedule = { id: string; key: string; hash: string; at: string; name: string; payload: string };

type JobState = { status: 'pending' | 'paused'; revision: number; maxAttempts: number; now: string };

const listsOf = (events: readonly EventToSchedule[]) => ({
  ids: events.map(({ id }) => id),
  keys: events.map(({ key }) => key),
  hashes: events.map(({ hash }) => hash),
  times: events.map(({ at }) => at),
  names: events.map(({ name }) => name),
  payloads: events.map(({ payload }) => payload),
});

/** Inserts events with their payloads and jobs. */
export async function insertScheduled(
  db: Db,
  { workspaceId, reminderId, events, ...job }: Of & JobState & { events: readonly EventToSchedule[] },
): Promise<void> {
  const { ids, keys, hashes, times, payloads } = listsOf(events);
  await sql`
    insert into events (id, workspace_id, reminder_id, key, event, request_hash, occurred_at, created_at)
    select u.id, ${workspaceId}, ${reminderId}, u.key, ${calendarTrigger}, u.hash, u.at, ${job.now}
      from unnest(${ids}::uuid[], ${keys}::text[], ${hashes}::text[], ${times}::timestamptz[]) as u (id, key, hash, at)`.execute(
    db,
  );
  await sql`
    insert into event_payloads (event_id, workspace_id, payload)
    select u.id, ${workspaceId}, u.payload::jsonb from unnest(${ids}::uuid[], ${payloads}::text[]) as u (id, payload)`.execute(
    db,
  );
  await insertJobs(
    db,
    events.map(({ id, name, at }) => ({
      workspace_id: workspaceId,
      reminder_id: reminderId,
      event_id: id,
      type: 'event_reminder',
      status: job.status,
      paused_at: job.status === 'paused' ? job.now : null,
      name,
      scheduled_for: at,
      run_at: dueAt(at, { asked: job.now }),
      max_attempts: job.maxAttempts,
      revision: job.revision,
      created_at: job.now,
      updated_at: job.now,
    })),
  );
}

/**
 * Moves jobs that have not begun to the times of their events, and gives them their names.
 * @returns the events whose jobs have moved; a job that was claimed meanwhile has not
 */
export async function moveJobs(
  db: Db,
  { workspaceId, events, now }: { workspaceId: string; events: readonly EventToSchedule[]; now: string },
): Promise<ReadonlySet<string>> {
  const { ids, times, names } = listsOf(events);
  await lockJobs(db, { workspaceId, eventIds: ids });
  const { rows } = await sql<{ event_id: string }>`
    update jobs j set name = u.name, scheduled_for = u.at, run_at = greatest(u.at, ${now}::timestamptz), updated_at = ${now}
      from unnest(${ids}::uuid[], ${times}::timestamptz[], ${names}::text[]) as u (id, at, name)
     where j.workspace_id = ${workspaceId} and j.event_id = u.id and j.status in ('pending', 'paused')
       and j.attempts = 0 and j.expires_at is null
    returning j.event_id`.execute(db);
  return new Set(rows.map((row) => row.event_id));
}

/**
 * Makes cancelled jobs that never began pending again.
 * @returns the events whose jobs are open again
 */
export async function reviveJobs(
  db: Db,
  { workspaceId, events, ...job }: { workspaceId: string; events: readonly EventToSchedule[] } & JobState,
): Promise<ReadonlySet<string>> {
  const { ids, times, names } = listsOf(events);
  await lockJobs(db, { workspaceId, eventIds: ids });
  const { rows } = await sql<{ event_id: string }>`
    update jobs j
       set status = ${job.status}, paused_at = ${job.status === 'paused' ? job.now : null}::timestamptz, error_message = null, reason_code = null,
           completed_at = null, name = u.name, scheduled_for = u.at, run_at = greatest(u.at, ${job.now}::timestamptz), updated_at = ${job.now},
           revision = ${job.revision}, max_attempts = ${job.maxAttempts}
      from unnest(${ids}::uuid[], ${times}::timestamptz[], ${names}::text[]) as u (id, at, name)
     where j.workspace_id = ${workspaceId} and j.event_id = u.id and j.status = 'cancelled' and j.attempts = 0
    returning j.event_id`.execute(db);
  return new Set(rows.map((row) => row.event_id));
}

/** Locks the jobs in the order that all writers use. */
const lockJobs = (db: Db, { workspaceId, eventIds }: { workspaceId: string; eventIds: readonly string[] }) =>
  sql`
    select id from jobs where workspace_id = ${workspaceId} and event_id = any (${eventIds}::uuid[]) order by id for update`.execute(
    db,
  );

/** Updates the events to what the calendar says, and marks them as not cancelled. */
export async function updateEvents(
  db: Db,
  { workspaceId, events }: { workspaceId: string; events: readonly EventToSchedule[] },
): Promise<void> {
  const { ids, hashes, times, payloads } = listsOf(events);
  await sql`
    update events e set request_hash = u.hash, occurred_at = u.at, cancelled_at = null
      from unnest(${ids}::uuid[], ${hashes}::text[], ${times}::timestamptz[]) as u (id, hash, at)
     where e.workspace_id = ${workspaceId} and e.id = u.id`.execute(db);
  await sql`
    update event_payloads p set payload = u.payload::jsonb
      from unnest(${ids}::uuid[], ${payloads}::text[]) as u (id, payload)
     where p.workspace_id = ${workspaceId} and p.event_id = u.id`.execute(db);
}

export const markAllCancelled = (
  db: Db,
  { workspaceId, eventIds, now }: { workspaceId: string; eventIds: readonly string[]; now: string },
) =>
  db
    .updateTable('events')
    .set({ cancelled_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', eventIds)
    .execute();
