import type { Picture } from '#features/pictures/image.ts';
import type { Db } from '#platform/database.ts';

/** Whose picture it is. */
export type Of = { userId: string } | { workspaceId: string };

const columnOf = (of: Of) => ('userId' in of ? 'user_id' : 'workspace_id');
const idOf = (of: Of) => ('userId' in of ? of.userId : of.workspaceId);

/** Stores a picture in place of the previous one. */
export const savePicture = (db: Db, of: Of, { picture, now }: { picture: Picture; now: string }) => {
  const row = { media_type: picture.type, sha256: picture.sha256, bytes: picture.bytes, created_at: now };
  return db
    .insertInto('pictures')
    .values({ [columnOf(of)]: idOf(of), ...row })
    .onConflict((known) => known.column(columnOf(of)).doUpdateSet(row))
    .execute();
};

export const deletePicture = (db: Db, of: Of) => db.deleteFrom('pictures').where(columnOf(of), '=', idOf(of)).execute();

/** The workspace as its mails name it; undefined while it is being deleted or suspended. */
export const findSender = (db: Db, { workspaceId }: { workspaceId: string }) =>
  db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .where('delete_after', 'is', null)
    .where('suspended_at', 'is', null)
    .select(['company_name', 'avatar_url', 'subscription_tier as tier'])
    .executeTakeFirst();

/** A picture by its hash. Row-level security shows those of the current workspace, its members and oneself. */
export const findPicture = (db: Db, of: Of, sha256: string) =>
  db
    .selectFrom('pictures')
    .where(columnOf(of), '=', idOf(of))
    .where('sha256', '=', sha256)
    .select(['media_type', 'bytes'])
    .executeTakeFirst();
