import type { Auth } from '#features/auth/auth.service.ts';
import type { OpenStreams, Reader } from '#features/realtime/open-streams.ts';
import type { TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import { Unauthenticated } from '#platform/errors.ts';

type Ports = { auth: Pick<Auth, 'sessionOf'>; streams: OpenStreams };

/** Opens a stream of changes for the caller. Throws Unauthenticated when access has ended since the request was admitted. */
export async function openStream(
  ctx: TenantContext,
  { request, closing, ...ports }: Ports & { request: Request; closing: AbortSignal },
): Promise<Response> {
  const { auth, streams } = ports;
  const readerNow = () => readerOf(ctx, { auth, request });
  const reader = await readerNow();
  const signal = AbortSignal.any([request.signal, closing]);
  const stream = streams.open({ workspaceId: ctx.workspaceId, reader, signal });
  try {
    // Checked again, because a stream does not see an end of access announced before it was open.
    await readerNow();
    return stream;
  } catch (error) {
    streams.end(reader);
    throw error;
  }
}

/** The reader of a stream, by their access now. Throws Unauthenticated when it has ended. */
export async function readerOf(
  { db, workspaceId, actor }: TenantContext,
  { auth, request }: { auth: Pick<Auth, 'sessionOf'>; request: Request },
): Promise<Reader> {
  if (actor.kind === 'api_key') {
    const { apiKeyId } = actor;
    if (await isKeyRevoked(db, { workspaceId, apiKeyId })) throw new Unauthenticated();
    return { apiKeyId };
  }
  const person = await auth.sessionOf(request.headers);
  if (person === null || !(await isMember(db, { workspaceId, userId: person.userId }))) throw new Unauthenticated();
  return { userId: person.userId, sessionId: person.sessionId };
}

async function isMember(db: Db, { workspaceId, userId }: { workspaceId: string; userId: string }): Promise<boolean> {
  const row = await db
    .selectFrom('workspace_members')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

async function isKeyRevoked(
  db: Db,
  { workspaceId, apiKeyId }: { workspaceId: string; apiKeyId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('api_keys')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', apiKeyId)
    .where('revoked_at', 'is', null)
    .select('id')
    .executeTakeFirst();
  return row === undefined;
}
