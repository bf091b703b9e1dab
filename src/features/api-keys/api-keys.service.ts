import { randomBytes } from 'node:crypto';
import {
  type ApiKey,
  type ApiKeyInput,
  type ApiKeyRotation,
  type NewApiKey,
  usualKeyLife,
} from '#contract/api-keys.ts';
import { apiKeyOf, prefixOfApiKey } from '#features/api-keys/api-key-token.ts';
import { hashOfToken } from '#platform/token-hash.ts';
import * as rows from '#features/api-keys/api-keys.db.ts';
import { lockMembersAs } from '#features/workspaces/membership.service.ts';
import { recordAct } from '#platform/audit.ts';
import type { MemberContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { Conflict, Invalid, NotFound } from '#platform/errors.ts';
import { pageOf } from '#platform/page.ts';

export async function listApiKeys(ctx: MemberContext, query: { limit: number; cursor?: string }) {
  const found = await rows.findApiKeys(ctx.db, {
    workspaceId: ctx.workspaceId,
    after: decodeCursor(query.cursor),
    limit: query.limit,
  });
  const page = pageOf(found, { at: (key) => key.created_at });
  return { ...page, data: page.data.map(onTheWire) };
}

/** Creates a key. Only this answer contains it: the database stores its hash. */
export async function createApiKey(ctx: MemberContext, input: ApiKeyInput): Promise<NewApiKey> {
  await lockMembersAs(ctx, ['owner', 'admin']);
  const made = await insertKey(ctx, {
    name: input.name.trim(),
    scopes: input.scopes,
    role: input.scopes.includes('manage') ? 'admin' : 'member',
    expires_at: input.expires_at,
  });
  const { id, name, prefix, scopes } = made;
  await recordAct(ctx, { action: 'api_key.created', target: id, details: { name, prefix, scopes: scopes.join(', ') } });
  return made;
}

/**
 * Makes a new key with the name and the scopes of one that works, which ends after the overlap. Throws Conflict where that one has
 * ended.
 */
export async function rotateApiKey(
  ctx: MemberContext,
  { id, overlap_hours: hours, expires_at }: ApiKeyRotation & { id: string },
): Promise<NewApiKey> {
  await lockMembersAs(ctx, ['owner', 'admin']);
  const of = { workspaceId: ctx.workspaceId, id, now: ctx.now.toString() };
  const old =
    hours === 0
      ? await rows.revokeApiKeyRow(ctx.db, of)
      : await rows.endApiKeyRow(ctx.db, { ...of, end: ctx.now.add({ hours }).toString() });
  if (old === undefined) {
    if ((await rows.findApiKey(ctx.db, of)) === undefined) throw new NotFound('API key');
    throw new Conflict('This API key has ended. Create a new one.');
  }
  const made = await insertKey(ctx, { ...old, expires_at });
  const { name, prefix } = old;
  const until = hours === 0 ? null : old.expires_at;
  await recordAct(ctx, { action: 'api_key.rotated', target: id, details: { name, prefix, until } });
  return made;
}

async function insertKey(
  ctx: MemberContext,
  {
    name,
    scopes,
    role,
    expires_at: end,
  }: Pick<rows.ApiKeyRow, 'name' | 'scopes' | 'role'> & Pick<ApiKeyInput, 'expires_at'>,
): Promise<NewApiKey> {
  const expiresAt = end === undefined ? ctx.now.add(usualKeyLife).toString() : end;
  if (expiresAt !== null && Temporal.Instant.compare(Temporal.Instant.from(expiresAt), ctx.now) <= 0)
    throw new Invalid([{ path: 'expires_at', message: 'must be in the future' }]);
  const key = apiKeyOf(ctx.workspaceId, randomBytes(32));
  const made = await rows.insertApiKey(ctx.db, {
    workspaceId: ctx.workspaceId,
    name,
    scopes,
    role,
    prefix: prefixOfApiKey(key),
    tokenHash: hashOfToken(key),
    createdBy: ctx.actor.userId,
    expiresAt,
    now: ctx.now.toString(),
  });
  return { ...onTheWire(made), key };
}

/** Revoking a key again changes nothing: the first time of revocation stays. */
export async function revokeApiKey(ctx: MemberContext, id: string): Promise<ApiKey> {
  const of = { workspaceId: ctx.workspaceId, id };
  const revoked = await rows.revokeApiKeyRow(ctx.db, { ...of, now: ctx.now.toString() });
  const key = revoked ?? (await rows.findApiKey(ctx.db, of));
  if (key === undefined) throw new NotFound('API key');
  if (revoked !== undefined) {
    const { name, prefix } = revoked;
    await recordAct(ctx, { action: 'api_key.revoked', target: id, details: { name, prefix } });
  }
  return onTheWire(key);
}

type Person = { user_id: string; full_name: string; email: string };

/** The keys of a member that work, used last first. */
export const ownApiKeys = async (
  { db, workspaceId, now }: MemberContext,
  { userId, limit }: { userId: string; limit: number },
) => {
  const found = await rows.findOwnKeys(db, { workspaceId, userId, limit, now: now.toString() });
  return found.map(({ id, name, prefix, last_used_at }) => ({ id, name, prefix, last_used_at }));
};

/** Gives keys of one member to another. Throws Conflict where one of them has ended. */
export async function transferApiKeys(
  ctx: MemberContext,
  { keys, from, to }: { keys: readonly string[]; from: string; to: Person },
): Promise<void> {
  const ids = [...new Set(keys)];
  const { workspaceId } = ctx;
  const transferred = await rows.transferKeyRows(ctx.db, {
    workspaceId,
    ids,
    userId: from,
    to: to.user_id,
    now: ctx.now.toString(),
  });
  if (transferred.length < ids.length)
    throw new Conflict('One of the API keys has ended meanwhile. Look at them again.');
  for (const { id, name, prefix } of transferred)
    await recordAct(ctx, {
      action: 'api_key.transferred',
      target: id,
      details: { name, prefix, to: to.full_name, email: to.email },
    });
}

const onTheWire = ({ role, ...key }: rows.ApiKeyRow): ApiKey => ({
  ...key,
  excludes_admin: role === 'member' && key.scopes.includes('manage'),
});
