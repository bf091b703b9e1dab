import { sql } from 'kysely';
import { type Activity, webhookLimits } from '#contract/webhooks.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { type Listed, readLatest } from '#platform/page.ts';

type Of = { workspaceId: string; webhookId: string };

const columns = [
  'id',
  'type',
  'body',
  'occurred_at',
  'status',
  'attempts',
  'answer',
  'last_attempt_at',
  'next_attempt_at',
  'completed_at',
] as const;

/** A page of activities, newest first. */
export function findActivities(
  db: Db,
  {
    workspaceId,
    webhookId,
    status,
    after,
    limit,
  }: Of & { status: Activity['status'] | undefined; after: Position | null; limit: number },
): Promise<Listed<Activity>> {
  let query = db
    .selectFrom('webhook_activities')
    .where('workspace_id', '=', workspaceId)
    .where('webhook_id', '=', webhookId)
    .select(columns);
  if (status !== undefined) query = query.where('status', '=', status);
  return readLatest(db, { query, by: 'occurred_at', after, limit, large: ['body', 'answer'] });
}

/** Inserts an activity that no trigger writes, such as a test. `body` is JSON. */
export const insertActivity = (
  db: Db,
  { workspaceId, webhookId, type, body, now }: Of & { type: string; body: string; now: Temporal.Instant },
) =>
  db
    .insertInto('webhook_activities')
    .values({
      workspace_id: workspaceId,
      webhook_id: webhookId,
      type,
      body,
      occurred_at: now.toString(),
      next_attempt_at: now.toString(),
      expires_at: triedUntil(now),
    })
    .returning(columns)
    .executeTakeFirstOrThrow();

const triedUntil = (now: Temporal.Instant) => now.add({ hours: 24 * webhookLimits.triedDays }).toString();

type Chosen = { id: string } | { from: string; to: string };

/** The activities of a webhook that have ended: one, or those of a time range. */
function ended(db: Db, { workspaceId, webhookId, ...chosen }: Of & Chosen) {
  const query = db
    .selectFrom('webhook_activities')
    .where('workspace_id', '=', workspaceId)
    .where('webhook_id', '=', webhookId)
    .where('status', '<>', 'waiting');
  return 'id' in chosen
    ? query.where('id', '=', chosen.id)
    : query.where('occurred_at', '>=', chosen.from).where('occurred_at', '<', chosen.to);
}

export async function countEnded(db: Db, of: Of & Chosen): Promise<number> {
  const { count } = await ended(db, of).select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  return count;
}

/** Makes activities that have ended wait again, with all their attempts; `most` of them at most. Returns how many. */
export async function replayActivities(
  db: Db,
  { now, most, ...of }: Of & Chosen & { now: Temporal.Instant; most: number },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_activities')
    .set({
      status: 'waiting',
      attempts: 0,
      unknowns: 0,
      next_attempt_at: now.toString(),
      expires_at: triedUntil(now),
      completed_at: null,
    })
    .where('workspace_id', '=', of.workspaceId)
    .where('id', 'in', ended(db, of).select('id').limit(most))
    .where('status', '<>', 'waiting')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export const findActivity = (db: Db, { workspaceId, webhookId, id }: Of & { id: string }) =>
  db
    .selectFrom('webhook_activities')
    .where('workspace_id', '=', workspaceId)
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .select('status')
    .executeTakeFirst();
