import { sql } from 'kysely';
import { type ActivityType, webhookLimits } from '#contract/webhooks.ts';
import type { Db } from '#platform/database.ts';

type Scope = { workspaceId: string };
type Of = Scope & { id: string };

const columns = [
  'id',
  'url',
  'activity_types',
  'is_active',
  'disabled_at',
  'failing_since',
  'last_outcome',
  'last_answer',
  'last_answered_at',
  'dropped',
  'dropped_at',
  'created_at',
] as const;

const countedWaiting = 1_000;

const selectWebhooks = (db: Db, { workspaceId }: Scope) =>
  db
    .selectFrom('webhooks as h')
    .where('h.workspace_id', '=', workspaceId)
    .select(columns.map((column) => `h.${column}` as const))
    .select(
      sql<number>`(select count(*)::integer from (
        select from webhook_activities e where e.workspace_id = h.workspace_id and e.webhook_id = h.id and e.status = 'waiting'
         limit ${countedWaiting}) few)`.as('waiting'),
    );

export const findWebhooks = (db: Db, of: Scope) =>
  selectWebhooks(db, of).orderBy('h.created_at').orderBy('h.id').limit(webhookLimits.webhooks).execute();

export const findWebhook = (db: Db, { id, ...of }: Of) =>
  selectWebhooks(db, of).where('h.id', '=', id).executeTakeFirst();

export type WebhookRow = Awaited<ReturnType<typeof findWebhook>> & {};

/** Counts the workspace's webhooks, and keeps others from adding one until the transaction ends. */
export async function lockCount(db: Db, { workspaceId }: Scope): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('webhooks ' || ${workspaceId}, 0))`.execute(db);
  const { count } = await db
    .selectFrom('webhooks')
    .where('workspace_id', '=', workspaceId)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export const insertWebhook = (
  db: Db,
  row: {
    workspaceId: string;
    url: string;
    activityTypes: readonly ActivityType[];
    createdBy: string | null;
    now: string;
  },
) =>
  db
    .insertInto('webhooks')
    .values({
      workspace_id: row.workspaceId,
      url: row.url,
      activity_types: [...row.activityTypes],
      created_by: row.createdBy,
      created_at: row.now,
      updated_at: row.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();

type Changes = { url?: string | undefined; activityTypes?: readonly ActivityType[] | undefined; now: string };

/** Changes a webhook. With another URL, its failures are forgotten. */
export const updateWebhook = (db: Db, { workspaceId, id, url, activityTypes, now }: Of & Changes) =>
  db
    .updateTable('webhooks')
    .set({
      updated_at: now,
      ...(url !== undefined && { url, ...begunAnew }),
      ...(activityTypes !== undefined && { activity_types: [...activityTypes] }),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();

const begunAnew = { failing_since: null, failures: 0, backoff_until: null };

/** Turns a webhook on or off. Turned on, it is tried at once, and its failures are forgotten. */
export const setActive = (db: Db, { workspaceId, id, isActive, now }: Of & { isActive: boolean; now: string }) =>
  db
    .updateTable('webhooks')
    .set({
      is_active: isActive,
      updated_at: now,
      ...(isActive && { ...begunAnew, disabled_at: null, owners_notified_at: null }),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Ends the back-off of a failing webhook, so that it is tried at once. */
export const releaseWebhook = (db: Db, { workspaceId, id }: Of) =>
  db
    .updateTable('webhooks')
    .set({ failures: 0, backoff_until: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Deletes a webhook; a trigger deletes its activities. */
export const deleteWebhook = (db: Db, { workspaceId, id }: Of) =>
  db
    .deleteFrom('webhooks')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('url')
    .executeTakeFirst();
