import type { Billing } from '#contract/plans.ts';
import { brandOf } from '#domain/white-label.ts';
import { type Picture, readPicture } from '#features/pictures/image.ts';
import { setAvatarUrl } from '#features/workspaces/workspaces.service.ts';
import { recordAct } from '#platform/audit.ts';
import type { MemberContext, PersonContext, TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import { NotFound } from '#platform/errors.ts';

/** Stores the person's picture. Returns its URL, to which an `<img>` adds `?workspace=`. Throws Invalid. */
export async function saveOwnPicture({ db, actor, now }: PersonContext, dataUrl: string): Promise<string> {
  const picture = readPicture(dataUrl);
  await savePicture(db, { userId: actor.userId }, { picture, now: now.toString() });
  return `/api/people/${actor.userId}/picture/${picture.sha256}`;
}

export const deleteOwnPicture = ({ db, actor }: PersonContext) => deletePicture(db, { userId: actor.userId });

/** Stores the workspace's picture, and returns its URL. Throws Invalid. */
export async function saveWorkspacePicture(ctx: MemberContext, dataUrl: string): Promise<string> {
  const { db, workspaceId, now } = ctx;
  const picture: Picture = readPicture(dataUrl);
  await savePicture(db, { workspaceId }, { picture, now: now.toString() });
  const url = `/api/workspaces/${workspaceId}/picture/${picture.sha256}`;
  await setAvatarUrl(ctx, url);
  await recordAct(ctx, { action: 'workspace.picture_changed', target: workspaceId });
  return url;
}

export async function deleteWorkspacePicture(ctx: MemberContext): Promise<void> {
  const { db, workspaceId } = ctx;
  await deletePicture(db, { workspaceId });
  await setAvatarUrl(ctx, null);
  await recordAct(ctx, { action: 'workspace.picture_changed', target: workspaceId });
}

/** Answers anybody with a workspace's picture. Throws NotFound where its plan shows recipients no logo. */
export async function answerLogo(
  { db, workspaceId, billing }: { db: Db; workspaceId: string; billing: Billing },
  sha256: string,
): Promise<Response> {
  const workspace = await findSender(db, { workspaceId });
  if (workspace === undefined || brandOf(workspace, { billing }) === null) throw new NotFound('picture');
  const answer = await answerPicture({ db }, { workspaceId }, sha256);
  answer.headers.set('cache-control', 'public, max-age=86400');
  // Allows other sites to show it: mail programs in a browser do.
  answer.headers.set('cross-origin-resource-policy', 'cross-origin');
  return answer;
}

/** Answers with a picture that the caller may see. Throws NotFound, also for one that was replaced. */
export async function answerPicture({ db }: Pick<TenantContext, 'db'>, of: Of, sha256: string): Promise<Response> {
  const picture = await findPicture(db, of, sha256);
  if (picture === undefined) throw new NotFound('picture');
  return new Response(new Uint8Array(picture.bytes), {
    headers: {
      'content-type': picture.media_type,
      'content-length': String(picture.bytes.length),
      // The URL contains the hash of the bytes, so its picture never changes.
      'cache-control': 'private, max-age=31536000, immutable',
      // Opened by itself, the picture can do nothing but be shown.
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
    },
  });
}

/** Whose picture it is. */
export type Of = { userId: string } | { workspaceId: string };

const columnOf = (of: Of) => ('userId' in of ? 'user_id' : 'workspace_id');
const idOf = (of: Of) => ('userId' in of ? of.userId : of.workspaceId);

/** Stores a picture in place of the previous one. */
const savePicture = (db: Db, of: Of, { picture, now }: { picture: Picture; now: string }) => {
  const row = { media_type: picture.type, sha256: picture.sha256, bytes: picture.bytes, created_at: now };
  return db
    .insertInto('pictures')
    .values({ [columnOf(of)]: idOf(of), ...row })
    .onConflict((known) => known.column(columnOf(of)).doUpdateSet(row))
    .execute();
};

const deletePicture = (db: Db, of: Of) => db.deleteFrom('pictures').where(columnOf(of), '=', idOf(of)).execute();

/** The workspace as its mails name it; undefined while it is being deleted or suspended. */
const findSender = (db: Db, { workspaceId }: { workspaceId: string }) =>
  db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .where('delete_after', 'is', null)
    .where('suspended_at', 'is', null)
    .select(['company_name', 'avatar_url', 'subscription_tier as tier'])
    .executeTakeFirst();

/** A picture by its hash. Row-level security shows those of the current workspace, its members and oneself. */
const findPicture = (db: Db, of: Of, sha256: string) =>
  db
    .selectFrom('pictures')
    .where(columnOf(of), '=', idOf(of))
    .where('sha256', '=', sha256)
    .select(['media_type', 'bytes'])
    .executeTakeFirst();
