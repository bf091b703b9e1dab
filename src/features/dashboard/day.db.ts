import { sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
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

type CountedDay = { day: number; channel: ChannelType; sent: number; failed: number };

/** Counts the messages of each day. The instants are the beginnings of the days, numbered from 1, and the end of the last. */
export async function countDeliveries(
  db: Db,
  { workspaceId, begins }: { workspaceId: string; begins: readonly string[] },
): Promise<CountedDay[]> {
  const [from, to] = [begins[0], begins.at(-1)];
  const { rows } = await sql<CountedDay>`
    select width_bucket(d.scheduled_for, ${begins}::timestamptz[]) as day, d.channel,
           (count(*) filter (where d.status in ('accepted', 'delivered')))::int as sent,
           (count(*) filter (where d.status in ('failed', 'unknown')))::int as failed
      from jobs j
      join deliveries d on d.job_id = j.id and d.scheduled_for = j.scheduled_for
     where j.workspace_id = ${workspaceId} and j.scheduled_for >= ${from} and j.scheduled_for < ${to} and j.type <> 'test_reminder'
       and d.scheduled_for >= ${from} and d.scheduled_for < ${to} and d.status in ('accepted', 'delivered', 'failed', 'unknown')
     group by 1, 2`.execute(db);
  return rows;
}
