import type { Billing } from '#contract/plans.ts';
import { brandOf } from '#domain/white-label.ts';
import { type Picture, readPicture } from '#features/pictures/image.ts';
import * as rows from '#features/pictures/pictures.db.ts';
import { setAvatarUrl } from '#features/workspaces/workspaces.service.ts';
import { recordAct } from '#platform/audit.ts';
import type { MemberContext, PersonContext, TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import { NotFound } from '#platform/errors.ts';

/** Stores the person's picture. Returns its URL, to which an `<img>` adds `?workspace=`. Throws Invalid. */
export async function saveOwnPicture({ db, actor, now }: PersonContext, dataUrl: string): Promise<string> {
  const picture = readPicture(dataUrl);
  await rows.savePicture(db, { userId: actor.userId }, { picture, now: now.toString() });
  return `/api/people/${actor.userId}/picture/${picture.sha256}`;
}

export const deleteOwnPicture = ({ db, actor }: PersonContext) => rows.deletePicture(db, { userId: actor.userId });

/** Stores the workspace's picture, and returns its URL. Throws Invalid. */
export async function saveWorkspacePicture(ctx: MemberContext, dataUrl: string): Promise<string> {
  const { db, workspaceId, now } = ctx;
  const picture: Picture = readPicture(dataUrl);
  await rows.savePicture(db, { workspaceId }, { picture, now: now.toString() });
  const url = `/api/workspaces/${workspaceId}/picture/${picture.sha256}`;
  await setAvatarUrl(ctx, url);
  await recordAct(ctx, { action: 'workspace.picture_changed', target: workspaceId });
  return url;
}

export async function deleteWorkspacePicture(ctx: MemberContext): Promise<void> {
  const { db, workspaceId } = ctx;
  await rows.deletePicture(db, { workspaceId });
  await setAvatarUrl(ctx, null);
  await recordAct(ctx, { action: 'workspace.picture_changed', target: workspaceId });
}

/** Answers anybody with a workspace's picture. Throws NotFound where its plan shows recipients no logo. */
export async function answerLogo(
  { db, workspaceId, billing }: { db: Db; workspaceId: string; billing: Billing },
  sha256: string,
): Promise<Response> {
  const workspace = await rows.findSender(db, { workspaceId });
  if (workspace === undefined || brandOf(workspace, { billing }) === null) throw new NotFound('picture');
  const answer = await answerPicture({ db }, { workspaceId }, sha256);
  answer.headers.set('cache-control', 'public, max-age=86400');
  // Allows other sites to show it: mail programs in a browser do.
  answer.headers.set('cross-origin-resource-policy', 'cross-origin');
  return answer;
}

/** Answers with a picture that the caller may see. Throws NotFound, also for one that was replaced. */
export async function answerPicture({ db }: Pick<TenantContext, 'db'>, of: rows.Of, sha256: string): Promise<Response> {
  const picture = await rows.findPicture(db, of, sha256);
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
