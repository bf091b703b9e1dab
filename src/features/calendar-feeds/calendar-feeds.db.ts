import { sql } from 'kysely';
import type { CalendarFeed } from '#contract/calendar-feeds.ts';
import type { Db } from '#platform/database.ts';

// The columns of answers, without the hash.
const columns = ['id', 'shows', 'created_at', 'last_read_at'] as const;

type Of = { workspaceId: string; userId: string };

export const findFeeds = (db: Db, { workspaceId, userId }: Of) =>
  db
    .selectFrom('calendar_feeds')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .select(columns)
    .orderBy('shows', 'desc')
    .execute();

export async function countFeeds(db: Db, { workspaceId, userId }: Of): Promise<number> {
  const { count } = await db
    .selectFrom('calendar_feeds')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export const insertFeed = (
  db: Db,
  row: { workspace_id: string; user_id: string; shows: CalendarFeed['shows']; token_hash: string; created_at: string },
) => db.insertInto('calendar_feeds').values(row).returning(columns).executeTakeFirstOrThrow();

/** Deletes the person's feed of one kind, or the one with this id. */
export function deleteFeed(
  db: Db,
  { workspaceId, userId, ...which }: Of & ({ shows: CalendarFeed['shows'] } | { id: string }),
) {
  const query = db.deleteFrom('calendar_feeds').where('workspace_id', '=', workspaceId).where('user_id', '=', userId);
  const one = 'id' in which ? query.where('id', '=', which.id) : query.where('shows', '=', which.shows);
  return one.returning(columns).executeTakeFirst();
}

/** A feed with its workspace as it is now; undefined where its person is suspended. */
export const openFeed = (db: Db, { workspaceId, tokenHash }: { workspaceId: string; tokenHash: string }) =>
  db
    .selectFrom('calendar_feeds as f')
    .innerJoin('workspaces as w', 'w.id', 'f.workspace_id')
    .where('f.workspace_id', '=', workspaceId)
    .where('f.token_hash', '=', tokenHash)
    .where(sql<boolean>`not is_suspended(f.user_id)`)
    .select([
      'f.id',
      'f.shows',
      'f.user_id',
      'f.last_read_at',
      'w.name',
      'w.company_name',
      'w.avatar_url',
      'w.subscription_tier as tier',
      'w.reminders_paused_until',
      'w.delete_after',
      'w.suspended_at',
    ])
    .executeTakeFirst();

export const touchFeed = (db: Db, { workspaceId, id, now }: { workspaceId: string; id: string; now: string }) =>
  db
    .updateTable('calendar_feeds')
    .set({ last_read_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
