import { sql } from 'kysely';
import type { ApiKeyRole } from '#contract/api-keys.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { readPage } from '#platform/page.ts';

// The hash is not selected.
const columns = [
  'id',
  'workspace_id',
  'name',
  'role',
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
  let query = db
    .selectFrom('api_keys')
    .where('workspace_id', '=', workspaceId)
    .select(columns)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (after !== null)
    query = query.where(sql<boolean>`(created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  return readPage(db, { query, limit, large: ['name'] });
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
    role: ApiKeyRole;
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
      prefix: row.prefix,
      token_hash: row.tokenHash,
      created_by: row.createdBy,
      expires_at: row.expiresAt,
      created_at: row.now,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();

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
