import type { Db } from '#platform/database.ts';

type Some = { ids: readonly string[]; now: string };

/** Jobs of events that have not begun take what the reminder says now; their time stays that of the event. */
export const carryOver = (
  db: Db,
  { ids, now, ...reminder }: Some & { name: string; revision: number; maxAttempts: number },
) =>
  db
    .updateTable('jobs')
    .set({
      name: reminder.name,
      revision: reminder.revision,
      max_attempts: reminder.maxAttempts,
      updated_at: now,
    })
    .where('id', 'in', ids)
    .execute();

/** Ends what another event than this one has made. */
export const endOfOtherEvents = (
  db: Db,
  { ids, now, event, reason }: Some & { event: string | null; reason: string },
) =>
  end(db, { ids, now, reason })
    .where((job) =>
      job.not(
        job.exists(
          job.selectFrom('events').whereRef('events.id', '=', 'jobs.event_id').where('events.event', '=', event),
        ),
      ),
    )
    .execute();

/** What was held back together with its reminder goes on; what would come too late by now ends. */
export async function goOn(db: Db, { ids, now, reason }: Some & { reason: string }): Promise<void> {
  await end(db, { ids, now, reason }).where('status', '=', 'paused').where('scheduled_for', '<', now).execute();
  await db
    .updateTable('jobs')
    .set({ status: 'pending', paused_at: null, updated_at: now })
    .where('id', 'in', ids)
    .where('status', '=', 'paused')
    .execute();
}

const end = (db: Db, { ids, now, reason }: Some & { reason: string }) =>
  db
    .updateTable('jobs')
    .set({ status: 'cancelled', paused_at: null, error_message: reason, completed_at: now, updated_at: now })
    .where('id', 'in', ids);
