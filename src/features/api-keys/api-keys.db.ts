import { sql } from 'kysely';
import type { Scope } from '#contract/scopes.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { readLatest } from '#platform/page.ts';

// The columns of answers, without the hash.
const columns = [
  'id',
  'workspace_id',
  'name',
  'role',
  'scopes',
  'prefix',
  'created_by',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
] as const;

type Of = { workspaceId: string; id: string };

export function findApiKeys(
  db: Db,
  { workspaceId, after, limit }: { workspaceId: string; after: Position | null; limit: number },
) {
  const query = db.selectFrom('api_keys').where('workspace_id', '=', workspaceId).select(columns);
  return readLatest(db, { query, by: 'created_at', after, limit, large: ['name'] });
}

export const findApiKey = (db: Db, { workspaceId, id }: Of) =>
  db
    .selectFrom('api_keys')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(columns)
    .executeTakeFirst();

export const insertApiKey = (
  db: Db,
  row: {
    workspaceId: string;
    name: string;
    role: 'admin' | 'member';
    scopes: readonly Scope[];
    prefix: string;
    tokenHash: string;
    createdBy: string;
    expiresAt: string | null;
    now: string;
  },
) =>
  db
    .insertInto('api_keys')
    .values({
      workspace_id: row.workspaceId,
      name: row.name,
      role: row.role,
      scopes: [...row.scopes],
      prefix: row.prefix,
      token_hash: row.tokenHash,
      created_by: row.createdBy,
      expires_at: row.expiresAt,
      created_at: row.now,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();

export type ApiKeyRow = Awaited<ReturnType<typeof findApiKey>> & {};

/** Lets a key end at `end`, unless it ends sooner. Undefined when there is no such key, or it has ended. */
export const endApiKeyRow = (db: Db, { workspaceId, id, end, now }: Of & { end: string; now: string }) =>
  db
    .updateTable('api_keys')
    .set({ expires_at: sql`least(expires_at, ${end}::timestamptz)` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', now)]))
    .returning(columns)
    .executeTakeFirst();

/** Undefined when there is no such key, or it was revoked before. */
export const revokeApiKeyRow = (db: Db, { workspaceId, id, now }: Of & { now: string }) =>
  db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(columns)
    .executeTakeFirst();

/** A key by its hash, with the plan of its workspace. */
export const findByHash = (db: Db, { workspaceId, tokenHash }: { workspaceId: string; tokenHash: string }) =>
  db
    .selectFrom('api_keys as k')
    .innerJoin('workspaces as w', 'w.id', 'k.workspace_id')
    .where('k.workspace_id', '=', workspaceId)
    .where('k.token_hash', '=', tokenHash)
    .select([
      'k.id',
      'k.role',
      'k.scopes',
      'k.expires_at',
      'k.revoked_at',
      'k.last_used_at',
      'w.subscription_tier as tier',
      'w.trial_ends_at',
      'w.delete_after',
      'w.suspended_at',
    ])
    .executeTakeFirst();

export const touchApiKey = (db: Db, { workspaceId, id, now }: Of & { now: string }) =>
  db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
