import { randomBytes } from 'node:crypto';
import type { ApiKey, ApiKeyInput } from '#contract/api-keys.ts';
import { apiKeyOf, prefixOfApiKey } from '#features/api-keys/api-key-token.ts';
import { hashOfToken } from '#platform/token-hash.ts';
import * as rows from '#features/api-keys/api-keys.db.ts';
import { recordAct } from '#platform/audit.ts';
import type { MemberContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { Invalid, NotFound } from '#platform/errors.ts';
import { pageOf } from '#platform/page.ts';

export async function listApiKeys(ctx: MemberContext, query: { limit: number; cursor?: string }) {
  const found = await rows.findApiKeys(ctx.db, {
    workspaceId: ctx.workspaceId,
    after: decodeCursor(query.cursor),
    limit: query.limit,
  });
  return pageOf(found, { at: (key) => key.created_at });
}

/** A key that nobody thinks of any more ends by itself. */
const usualLife = { hours: 365 * 24 };

/** Only this answer contains the key: the database stores its hash. */
export async function createApiKey(ctx: MemberContext, input: ApiKeyInput): Promise<ApiKey & { key: string }> {
  const expiresAt = input.expires_at === undefined ? ctx.now.add(usualLife).toString() : input.expires_at;
  if (expiresAt !== null && Temporal.Instant.compare(Temporal.Instant.from(expiresAt), ctx.now) <= 0)
    throw new Invalid([{ path: 'expires_at', message: 'must be in the future' }]);
  const key = apiKeyOf(ctx.workspaceId, randomBytes(32));
  const made = await rows.insertApiKey(ctx.db, {
    workspaceId: ctx.workspaceId,
    name: input.name.trim(),
    role: input.role,
    prefix: prefixOfApiKey(key),
    tokenHash: hashOfToken(key),
    createdBy: ctx.actor.userId,
    expiresAt,
    now: ctx.now.toString(),
  });
  const { name, role, prefix } = made;
  await recordAct(ctx, { action: 'api_key.created', target: made.id, details: { name, role, prefix } });
  return { ...made, key };
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
  return key;
}
