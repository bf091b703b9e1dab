import { DatabaseError } from 'pg';
import type { Db } from '#platform/database.ts';

type Browser = {
  workspaceId: string;
  userId: string;
  sessionId: string;
  userAgent: string | null;
  endpoint: string;
  p256dh: string;
  auth: string;
  now: string;
};

const shown = ['endpoint', 'user_agent', 'created_at', 'last_used_at'] as const;

/**
 * A browser belongs to its last user in a workspace: it is known by its keys, since an endpoint alone may have been read elsewhere. `foreign` where
 * somebody else has subscribed the endpoint with other keys. `ended` where the session or the membership has just ended: the database then refuses
 * the row, and the transaction has failed.
 */
export async function saveBrowser(
  db: Db,
  { workspaceId, userId, sessionId, userAgent, endpoint, p256dh, auth, now }: Browser,
) {
  const saved = {
    user_id: userId,
    session_id: sessionId,
    user_agent: userAgent,
    p256dh,
    auth,
    created_at: now,
    last_used_at: null,
  };
  const query = db
    .insertInto('push_browsers')
    .values({ workspace_id: workspaceId, endpoint, ...saved })
    .onConflict((known) =>
      known
        .columns(['workspace_id', 'endpoint'])
        .doUpdateSet(saved)
        .where(({ eb, and, or }) =>
          or([
            eb('push_browsers.user_id', '=', userId),
            and([eb('push_browsers.p256dh', '=', p256dh), eb('push_browsers.auth', '=', auth)]),
          ]),
        ),
    )
    .returning(shown);
  try {
    return (await query.executeTakeFirst()) ?? 'foreign';
  } catch (error) {
    if (error instanceof DatabaseError && error.code === foreignKeyViolation) return 'ended';
    throw error;
  }
}

const foreignKeyViolation = '23503';

/** The browsers of one person, the newest first. */
export const listBrowsers = (db: Db, { workspaceId, userId }: Pick<Browser, 'workspaceId' | 'userId'>) =>
  db
    .selectFrom('push_browsers')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .select(shown)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

/** How many browsers a message of the workspace goes to, and of how many members. */
export async function countBrowsers(
  db: Db,
  { workspaceId }: Pick<Browser, 'workspaceId'>,
): Promise<{ browsers: number; members: number }> {
  const { browsers, members } = await db
    .selectFrom('push_browsers')
    .where('workspace_id', '=', workspaceId)
    .select(({ fn }) => [fn.countAll<string>().as('browsers'), fn.count<string>('user_id').distinct().as('members')])
    .executeTakeFirstOrThrow();
  return { browsers: Number(browsers), members: Number(members) };
}

type One = Pick<Browser, 'workspaceId' | 'userId' | 'endpoint'>;

/** The endpoint and the keys of one browser. */
export const findDevice = (db: Db, { workspaceId, userId, endpoint }: One) =>
  db
    .selectFrom('push_browsers')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('endpoint', '=', endpoint)
    .select(['endpoint', 'p256dh', 'auth'])
    .executeTakeFirst();

/** Deletes all browsers of the person except the newest `keep`. */
export const dropOldest = (
  db: Db,
  { workspaceId, userId, keep }: { workspaceId: string; userId: string; keep: number },
) =>
  db
    .deleteFrom('push_browsers')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', (old) =>
      old
        .selectFrom('push_browsers')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .select('id')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(keep),
    )
    .execute();

export const deleteBrowser = (db: Db, { workspaceId, userId, endpoint }: One) =>
  db
    .deleteFrom('push_browsers')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('endpoint', '=', endpoint)
    .execute();
