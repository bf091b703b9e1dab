import { sql } from 'kysely';
import { type Asked, countedBy, type CountedDay, daysOf } from '#features/dashboard/totals.service.ts';
import type { Db } from '#platform/database.ts';
import { jobPayload } from '#platform/job-payload.ts';

type Window = { workspaceId: string; from: string; to: string };

const pendingWithin = (db: Db, { workspaceId, from, to }: Window) =>
  db
    .selectFrom('jobs as j')
    .where('j.workspace_id', '=', workspaceId)
    .where('j.scheduled_for', '>=', from)
    .where('j.scheduled_for', '<', to)
    .where('j.status', '=', 'pending')
    .where('j.type', '<>', 'test_reminder');

export const findUpcoming = (db: Db, { limit, ...window }: Window & { limit: number }) =>
  pendingWithin(db, window)
    .leftJoin('reminders as r', (join) =>
      join.onRef('r.workspace_id', '=', 'j.workspace_id').onRef('r.id', '=', 'j.reminder_id'),
    )
    .select([
      'j.id as job_id',
      'j.name',
      'j.type',
      'j.scheduled_for',
      jobPayload('j'),
      'r.schedule_config',
      'r.content',
      'r.metadata',
    ])
    .orderBy('j.scheduled_for')
    .orderBy('j.id')
    .limit(limit)
    .execute();

export async function countUpcoming(db: Db, window: Window): Promise<number> {
  const found = await pendingWithin(db, window)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return found.count;
}

const failedSince = (db: Db, { workspaceId, since }: { workspaceId: string; since: string }) =>
  db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('failed_at', 'is not', null)
    .where('failed_at', '>=', since)
    .where('type', '<>', 'test_reminder');

export const findFailures = (db: Db, { limit, ...of }: { workspaceId: string; since: string; limit: number }) =>
  failedSince(db, of)
    .select([
      'id',
      'id as job_id',
      'name',
      'status',
      'scheduled_for',
      sql<string>`failed_at`.as('failed_at'),
      'error_message',
    ])
    .orderBy('failed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

export async function countFailures(db: Db, of: { workspaceId: string; since: string }): Promise<number> {
  const found = await failedSince(db, of).select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  return found.count;
}

/** Counts the messages of each day. The instants are the beginnings of the days, numbered from 1, and the end of the last. */
export async function countDeliveries(db: Db, asked: Asked): Promise<CountedDay[]> {
  const counted = await countedBy(db, asked);
  const { rows } = await daysOf(asked, { ...counted, untotalled: sql`(${counted.untotalled})` }).execute(db);
  return rows;
}
