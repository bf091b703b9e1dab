import { sql } from 'kysely';
import { type Asked, countedBy, type CountedDay, daysOf } from '#features/dashboard/totals.service.ts';
import type { Db } from '#platform/database.ts';

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
