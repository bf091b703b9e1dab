import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { CalendarOffset, LeftOut } from '#contract/calendar-sources.ts';
import type { ReminderStatus } from '#contract/reminders.ts';
import type { Db } from '#platform/database.ts';

type One = { workspaceId: string; id: string };

/** Calendars of reminders that are not deleted: restoring a reminder brings its calendar back. */
const selectSources = (db: Db, workspaceId: string) =>
  db
    .selectFrom('calendar_sources as c')
    .innerJoin('reminders as r', (join) =>
      join.onRef('r.workspace_id', '=', 'c.workspace_id').onRef('r.id', '=', 'c.reminder_id'),
    )
    .where('c.workspace_id', '=', workspaceId)
    .where('r.status', '<>', 'deleted');

/** Calendars without their address and file, which no answer contains. */
export const findSources = (db: Db, { workspaceId, id }: { workspaceId: string; id?: string }) => {
  const query = selectSources(db, workspaceId)
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('jobs as j')
          .whereRef('j.reminder_id', '=', 'c.reminder_id')
          .where('j.workspace_id', '=', workspaceId)
          .where('j.type', '=', 'event_reminder')
          .where('j.status', 'in', ['pending', 'paused'])
          .select([
            sql<number>`count(*)::integer`.as('scheduled'),
            sql<string | null>`min(j.scheduled_for)`.as('next_at'),
          ])
          .as('p'),
      (join) => join.onTrue(),
    )
    .select([
      'c.id',
      'c.name',
      'c.host',
      'c.file_name',
      'c.offsets',
      'c.all_day_time',
      'c.last_read_at',
      'c.next_read_at',
      'c.failure',
      'c.failing_since',
      'c.left_out',
      'c.created_at',
      'r.id as reminder_id',
      'r.status',
      'r.paused_until',
      'r.schedule_config',
      'p.scheduled',
      'p.next_at',
    ])
    .$narrowType<{ status: ReminderStatus }>()
    .orderBy('c.created_at')
    .orderBy('c.id');
  return (id === undefined ? query : query.where('c.id', '=', id)).execute();
};

export type SourceRow = Awaited<ReturnType<typeof findSources>>[number];

/** A calendar with what is needed to read it. */
export const findSourceToRead = (db: Db, { workspaceId, id }: One) =>
  selectSources(db, workspaceId)
    .where('c.id', '=', id)
    .select([
      'c.id',
      'c.workspace_id',
      'c.name',
      'c.sealed_url',
      'c.file',
      'c.offsets',
      'c.all_day_time',
      'c.version',
      'c.etag',
      'c.last_modified',
      'c.last_parsed_at',
      'c.failures',
      'c.failing_since',
      'c.owners_notified_at',
      'r.id as reminder_id',
      'r.schedule_config',
    ])
    .executeTakeFirst();

export type SourceToRead = NonNullable<Awaited<ReturnType<typeof findSourceToRead>>>;

export const findReminderOf = (db: Db, { workspaceId, id }: One) =>
  db
    .selectFrom('reminders')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '<>', 'deleted')
    .select(['id', 'status', 'metadata', 'revision'])
    .$narrowType<{ status: ReminderStatus }>()
    .executeTakeFirst();

export const countSources = async (db: Db, { workspaceId }: { workspaceId: string }): Promise<number> => {
  const { count } = await selectSources(db, workspaceId)
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

/** A lock for counting and adding the calendars of a workspace. */
export const lockSources = (db: Db, { workspaceId }: { workspaceId: string }) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${workspaceId}, 70))`.execute(db);

/** Where the calendar comes from: a sealed address, or a file. */
export type Origin = { sealed_url: string; host: string } | { file: string; file_name: string };

const columnsOf = (from: Origin) => ({ sealed_url: null, host: null, file: null, file_name: null, ...from });

type Rules = { name: string; offsets: readonly CalendarOffset[]; allDayTime: string };

export const insertSource = (
  db: Db,
  source: One & Rules & { reminderId: string; from: Origin; createdBy: string | null; now: string },
) =>
  db
    .insertInto('calendar_sources')
    .values({
      id: source.id,
      workspace_id: source.workspaceId,
      reminder_id: source.reminderId,
      name: source.name,
      ...columnsOf(source.from),
      offsets: JSON.stringify(source.offsets),
      all_day_time: source.allDayTime,
      next_read_at: source.now,
      created_by: source.createdBy,
      created_at: source.now,
    })
    .execute();

/** Stores an edit, and forgets what was read before: the next reading takes in all of it. */
export const updateSource = (
  db: Db,
  { workspaceId, id, from, now, ...rules }: One & Rules & { from: Origin | null; now: string },
) =>
  db
    .updateTable('calendar_sources')
    .set({
      name: rules.name,
      offsets: JSON.stringify(rules.offsets),
      all_day_time: rules.allDayTime,
      ...(from !== null && columnsOf(from)),
      version: sql`version + 1`,
      etag: null,
      last_modified: null,
      last_parsed_at: null,
      next_read_at: now,
      // Ends the lease of a reading under way, which then changes nothing any more.
      leased_until: null,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();

export const deleteSource = (db: Db, { workspaceId, id }: One) =>
  db
    .deleteFrom('calendar_sources')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(['name', 'reminder_id'])
    .executeTakeFirst();

export const hasSource = async (db: Db, { workspaceId, reminderId }: { workspaceId: string; reminderId: string }) =>
  (await db
    .selectFrom('calendar_sources')
    .where('workspace_id', '=', workspaceId)
    .where('reminder_id', '=', reminderId)
    .select('id')
    .executeTakeFirst()) !== undefined;

type Read = {
  now: string;
  nextReadAt: string;
  /** The result of the reading; null where the server said that nothing has changed. */
  parsed: { etag: string | null; lastModified: string | null; leftOut: readonly LeftOut[] } | null;
};

/** Records a reading of this version. False where somebody has edited the calendar meanwhile. */
export async function markRead(
  db: Db,
  { workspaceId, id, version, now, nextReadAt, parsed }: One & { version: number } & Read,
): Promise<boolean> {
  const row = await db
    .updateTable('calendar_sources')
    .set({
      last_read_at: now,
      next_read_at: nextReadAt,
      leased_until: null,
      failure: null,
      failures: 0,
      failing_since: null,
      owners_notified_at: null,
      ...(parsed !== null && {
        last_parsed_at: now,
        etag: parsed.etag,
        last_modified: parsed.lastModified,
        left_out: JSON.stringify(parsed.leftOut),
      }),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export const markFailed = (
  db: Db,
  {
    workspaceId,
    id,
    version,
    ...failed
  }: One & { version: number; reason: string; now: string; nextReadAt: string; notifiedAt: string | null },
) =>
  db
    .updateTable('calendar_sources')
    .set({
      failure: failed.reason,
      failures: sql`failures + 1`,
      failing_since: sql`coalesce(failing_since, ${failed.now}::timestamptz)`,
      next_read_at: failed.nextReadAt,
      leased_until: null,
      owners_notified_at: failed.notifiedAt,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('version', '=', version)
    .execute();

/**
 * Takes the calendar that has been due longest; of several workers one gets it. None of a workspace that is suspended or being deleted,
 * nor of a deleted reminder.
 * @param pool of the role cuebird_engine
 * @param due.except workspaces of which none is taken
 * @param due.isFailing whether one may be taken whose last reading failed
 */
export async function takeDue(
  pool: Pool,
  {
    now,
    until,
    except,
    exceptOwners,
    isFailing,
  }: { now: string; until: string; except: readonly string[]; exceptOwners: readonly string[]; isFailing: boolean },
): Promise<(One & { owners: string[]; isFailing: boolean }) | null> {
  const { rows } = await pool.query<{ id: string; workspace_id: string; owners: string[]; failures: number }>(
    `update calendar_sources set leased_until = $2
      where id = (select c.id from calendar_sources c
                    join workspaces w on w.id = c.workspace_id
                   where c.next_read_at <= $1 and (c.leased_until is null or c.leased_until < $1)
                     and c.workspace_id <> all ($3::uuid[]) and (c.failures = 0 or $4)
                     and not exists (select from owner_ids_of(c.workspace_id) as o (id) where o.id = any ($5::uuid[]))
                     and w.delete_after is null and w.suspended_at is null
                   order by c.next_read_at limit 1
                     for update of c skip locked)
      returning id, workspace_id, failures,
                array(select owner_ids_of(workspace_id)) as owners`,
    [now, until, except, isFailing, exceptOwners],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return { workspaceId: row.workspace_id, id: row.id, owners: row.owners, isFailing: row.failures > 0 };
}

/** Leases a calendar for a reading that somebody asks for. False while another is under way. */
export async function lease(db: Db, { workspaceId, id, now, until }: One & { now: string; until: string }) {
  const row = await db
    .updateTable('calendar_sources')
    .set({ leased_until: until })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where((of) => of.or([of('leased_until', 'is', null), of('leased_until', '<', now)]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
