import { sql } from 'kysely';
import type { CalendarFeed } from '#contract/calendar-feeds.ts';
import { isDone } from '#features/reminders/done.service.ts';
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

type Within = { workspaceId: string; createdBy: string | null; from: string; to: string; limit: number };

/** Scheduled reminders that are active and not done, or paused until a date; newest first. */
export function findScheduled(
  db: Db,
  { workspaceId, createdBy, limit }: Pick<Within, 'workspaceId' | 'createdBy' | 'limit'>,
) {
  let query = db
    .selectFrom('reminders as r')
    .where('r.workspace_id', '=', workspaceId)
    .where((of) => of.or([of('r.status', '=', 'active'), of('r.paused_until', 'is not', null)]))
    .where(
      sql<boolean>`r.status in ('active', 'paused') and r.schedule_config->>'type' = 'scheduled' and not ${isDone}`,
    )
    .select(['r.id', 'r.name', 'r.schedule_config', 'r.metadata', 'r.paused_until'])
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(limit);
  if (createdBy !== null) query = query.where('r.created_by', '=', createdBy);
  return query.execute();
}

/** Times of scheduled reminders for which nothing will be sent any more: those of jobs that were sent, skipped or cancelled. */
export const findEndedTimes = (db: Db, { workspaceId, from, to }: Pick<Within, 'workspaceId' | 'from' | 'to'>) =>
  db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('type', '=', 'reminder')
    .where('scheduled_for', '>=', from)
    .where('scheduled_for', '<', to)
    .where('status', 'not in', ['pending', 'paused'])
    .select(['reminder_id', 'scheduled_for'])
    .execute();

/** Jobs that events and the API have scheduled, those of calendars among them or not. */
export function findEventJobs(
  db: Db,
  { workspaceId, createdBy, from, to, limit, hasCalendars }: Within & { hasCalendars: boolean },
) {
  let query = db
    .selectFrom('jobs as j')
    .leftJoin('reminders as r', (join) =>
      join.onRef('r.workspace_id', '=', 'j.workspace_id').onRef('r.id', '=', 'j.reminder_id'),
    )
    .where('j.workspace_id', '=', workspaceId)
    .where('j.scheduled_for', '>=', from)
    .where('j.scheduled_for', '<', to)
    .where('j.status', '=', 'pending')
    .where('j.type', 'in', ['event_reminder', 'api_notification'])
    .select(['j.id', 'j.name', 'j.scheduled_for', 'r.metadata'])
    .orderBy('j.scheduled_for')
    .orderBy('j.id')
    .limit(limit);
  if (createdBy !== null) query = query.where('r.created_by', '=', createdBy);
  if (!hasCalendars)
    query = query.where(sql<boolean>`r.schedule_config->>'eventTrigger' is distinct from 'calendar_event'`);
  return query.execute();
}
