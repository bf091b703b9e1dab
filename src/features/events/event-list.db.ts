import { sql } from 'kysely';
import { calendarTrigger } from '#contract/schedules.ts';
import { effectColumns } from '#features/events/event-effect.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { readLatest } from '#platform/page.ts';

/** The events that a workspace has received, latest first, without those of its calendars; with `prefix` only those whose name begins with it. */
export function findEvents(
  db: Db,
  { workspaceId, prefix, after, limit }: { workspaceId: string; prefix: string; after: Position | null; limit: number },
) {
  let query = db
    .selectFrom('events as e')
    .leftJoin('reminders as r', (join) =>
      join.onRef('r.workspace_id', '=', 'e.workspace_id').onRef('r.id', '=', 'e.reminder_id'),
    )
    .leftJoin('api_keys as k', (join) =>
      join.onRef('k.workspace_id', '=', 'e.workspace_id').onRef('k.id', '=', 'e.api_key_id'),
    )
    .leftJoin('event_payloads as p', (join) =>
      join.onRef('p.workspace_id', '=', 'e.workspace_id').onRef('p.event_id', '=', 'e.id'),
    )
    .where('e.workspace_id', '=', workspaceId)
    .where('e.event', '<>', calendarTrigger)
    .select([
      'e.id',
      'e.event',
      'e.key',
      'e.created_at',
      'e.cancelled_at',
      'e.reminder_id',
      'r.name as reminder_name',
      'e.api_key_id',
      'k.name as api_key_name',
      'e.hint',
    ])
    .select(sql<boolean>`e.repeated_event_id is not null`.as('is_repeat'))
    .select(sql<boolean>`p.event_id is not null`.as('can_be_repeated'))
    .select(effectColumns(sql.ref('e.id'), workspaceId));
  // As a range: under row-level security `like` uses no index.
  if (prefix !== '')
    query = query
      .where(sql<boolean>`e.event collate "C" >= ${prefix}`)
      .where(sql<boolean>`e.event collate "C" < ${`${prefix}\u{10ffff}`}`);
  return readLatest(db, { query, by: 'e.created_at', after, limit, large: ['key', 'hint', 'jobs'] });
}

/** Of the latest events with a name, how many are searched for one whose data is stored. */
const searched = 1_000;

/** The latest event with this name whose data is stored, of those that came by the API or for this reminder. */
export const findLatestStored = (
  db: Db,
  { workspaceId, event, reminderId }: { workspaceId: string; event: string; reminderId: string },
) =>
  db
    .selectFrom(
      db
        .selectFrom('events')
        .where('workspace_id', '=', workspaceId)
        .where(sql<boolean>`event collate "C" = ${event}`)
        .select(['id', 'reminder_id', 'occurred_at', 'created_at'])
        .orderBy('created_at', 'desc')
        .limit(searched)
        .as('e'),
    )
    .innerJoin('event_payloads as p', (join) => join.onRef('p.event_id', '=', 'e.id'))
    .where('p.workspace_id', '=', workspaceId)
    .where(({ or, eb }) => or([eb('e.reminder_id', 'is', null), eb('e.reminder_id', '=', reminderId)]))
    .select(['e.occurred_at', 'p.payload'])
    .orderBy('e.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** An event with its data; `payload` is null once no job needs it. */
export const findStoredEvent = (db: Db, { workspaceId, id }: { workspaceId: string; id: string }) =>
  db
    .selectFrom('events as e')
    .leftJoin('event_payloads as p', (join) =>
      join.onRef('p.workspace_id', '=', 'e.workspace_id').onRef('p.event_id', '=', 'e.id'),
    )
    .where('e.workspace_id', '=', workspaceId)
    .where('e.id', '=', id)
    .select(['e.id', 'e.event', 'e.reminder_id', 'p.payload'])
    .executeTakeFirst();
