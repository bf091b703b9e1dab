import { cancelledBecause } from '#domain/job-state.ts';
import type { Reason } from '#domain/ledger-reasons.ts';
import type { Db } from '#platform/database.ts';

type Some = { ids: readonly string[]; now: string };

/** Event jobs that have not started use the reminder's current text and keep their time. */
export const carryOver = (
  db: Db,
  {
    ids,
    now,
    ...reminder
  }: Some & {
    /** The name of the jobs; null where each keeps its own. */ name: string | null;
    revision: number;
    maxAttempts: number;
  },
) =>
  db
    .updateTable('jobs')
    .set({
      ...(reminder.name !== null && { name: reminder.name }),
      revision: reminder.revision,
      max_attempts: reminder.maxAttempts,
      updated_at: now,
    })
    .where('id', 'in', ids)
    .execute();

/** Ends the reminder's jobs of all other events. */
export const endOfOtherEvents = (db: Db, { ids, now, event, code, reason }: Some & { event: string | null } & Reason) =>
  end(db, { ids, now, code, reason })
    .where((job) =>
      job.not(
        job.exists(
          job.selectFrom('events').whereRef('events.id', '=', 'jobs.event_id').where('events.event', '=', event),
        ),
      ),
    )
    .execute();

/** Resumes jobs that were paused with the reminder; those whose time has passed since then end. */
export async function goOn(
  db: Db,
  { ids, now, resumedAt, code, reason }: Some & { resumedAt: string } & Reason,
): Promise<void> {
  await end(db, { ids, now, code, reason })
    .where('status', '=', 'paused')
    .where('scheduled_for', '<', resumedAt)
    .execute();
  await db
    .updateTable('jobs')
    .set({ status: 'pending', paused_at: null, updated_at: now })
    .where('id', 'in', ids)
    .where('status', '=', 'paused')
    .execute();
}

const end = (db: Db, { ids, now, code, reason }: Some & Reason) =>
  db.updateTable('jobs').set(cancelledBecause({ code, reason, now })).where('id', 'in', ids);
