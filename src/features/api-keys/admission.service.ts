import type { Kysely } from 'kysely';
import type { Scope } from '#contract/scopes.ts';
import { workspaceOfApiKey } from '#features/api-keys/api-key-token.ts';
import { hashOfToken } from '#platform/token-hash.ts';
import { findByHash, touchApiKey } from '#features/api-keys/api-keys.db.ts';
import { countRequest, type LimitSettings, type Quota } from '#features/api-keys/request-limit.service.ts';
import { acceptsNoChanges, type Db, inTenant } from '#platform/database.ts';
import { beingDeleted, isSuspended, InvalidToken } from '#platform/errors.ts';
import type { Schema } from '#platform/schema.ts';

/** The caller of a request with a valid API key. */
export type Caller = {
  apiKeyId: string;
  workspaceId: string;
  /** The member whose key it is. */
  ownedBy: string | null;
  scopes: readonly Scope[];
  /** The role as which its scopes let it act. */
  role: 'admin' | 'member';
  quota: Quota | null;
  /** Whether its workspace is the demo of a visitor. */
  isDemo: boolean;
};

/**
 * Authenticates an API key and counts the request, in a transaction of its own, so that a failed request counts too.
 * A database that accepts no changes counts none, so that it can be read. Throws InvalidToken for a key that is unknown, revoked or expired, and Forbidden while
 * its workspace is being deleted.
 */
export async function admitApiKey(
  db: Kysely<Schema>,
  { key, settings, now }: { key: string; settings: LimitSettings; now: Temporal.Instant },
): Promise<Caller> {
  const workspaceId = workspaceOfApiKey(key);
  if (workspaceId === null) throw new InvalidToken('This is not an API key: copy the whole key, from cue_ to its end');
  const tenant = { workspaceId, userId: null };
  try {
    return await inTenant(db, tenant, async (tx) => {
      const found = await findGoodKey(tx, { workspaceId, key, now });
      const quota = await countRequest(tx, { workspaceId, bucket: 'api', plan: found, settings, now });
      if (isPast(found.last_used_at, now.subtract({ minutes: 1 })) || found.last_used_at === null)
        await touchApiKey(tx, { workspaceId, id: found.id, now: now.toString() });
      return callerOf(found, { workspaceId, quota });
    });
  } catch (error) {
    if (!acceptsNoChanges(error)) throw error;
    return inTenant(db, { ...tenant, isReadOnly: true }, async (tx) =>
      callerOf(await findGoodKey(tx, { workspaceId, key, now }), { workspaceId, quota: null }),
    );
  }
}

const callerOf = (
  { id: apiKeyId, owned_by: ownedBy, role, scopes, demo_until: demoUntil }: Awaited<ReturnType<typeof findGoodKey>>,
  { workspaceId, quota }: Pick<Caller, 'workspaceId' | 'quota'>,
): Caller => ({ apiKeyId, workspaceId, ownedBy, role, scopes, quota, isDemo: demoUntil !== null });

/** The key's row; throws as `admitApiKey` does. */
export async function findGoodKey(
  db: Db,
  { workspaceId, key, now }: { workspaceId: string; key: string; now: Temporal.Instant },
) {
  const found = await findByHash(db, { workspaceId, tokenHash: hashOfToken(key) });
  if (found === undefined) throw new InvalidToken('This API key is not known');
  if (found.revoked_at !== null) throw new InvalidToken('This API key was revoked');
  // A key that was being made while its owner was suspended.
  if (found.is_owner_suspended) throw new InvalidToken('The owner of this API key is suspended');
  if (isPast(found.expires_at, now)) throw new InvalidToken(`This API key expired at ${found.expires_at}`);
  if (found.delete_after !== null) throw beingDeleted(found.delete_after);
  if (found.suspended_at !== null) throw isSuspended();
  return found;
}

const isPast = (at: string | null, now: Temporal.Instant) =>
  at !== null && Temporal.Instant.compare(Temporal.Instant.from(at), now) <= 0;
