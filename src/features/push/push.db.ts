import type { Db } from '#platform/database.ts';

type Subscription = {
  workspaceId: string;
  userId: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  now: string;
};

/** A browser has one subscription in a workspace, which belongs to its last user. */
export const saveSubscription = (db: Db, { workspaceId, userId, endpoint, p256dh, auth, now }: Subscription) =>
  db
    .insertInto('push_subscriptions')
    .values({ workspace_id: workspaceId, user_id: userId, endpoint, p256dh, auth, created_at: now })
    .onConflict((known) =>
      known.columns(['workspace_id', 'endpoint']).doUpdateSet({ user_id: userId, p256dh, auth, created_at: now }),
    )
    .returning(['id', 'endpoint', 'created_at'])
    .executeTakeFirstOrThrow();

/** Deletes all browsers of the person except the newest `keep`. */
export const dropOldest = (
  db: Db,
  { workspaceId, userId, keep }: { workspaceId: string; userId: string; keep: number },
) =>
  db
    .deleteFrom('push_subscriptions')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', (old) =>
      old
        .selectFrom('push_subscriptions')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .select('id')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(keep),
    )
    .execute();

export const deleteSubscription = (
  db: Db,
  { workspaceId, userId, endpoint }: Pick<Subscription, 'workspaceId' | 'userId' | 'endpoint'>,
) =>
  db
    .deleteFrom('push_subscriptions')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('endpoint', '=', endpoint)
    .execute();
