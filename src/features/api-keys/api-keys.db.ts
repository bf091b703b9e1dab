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
  'owned_by',
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
      owned_by: row.createdBy,
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

type OwnedBy = { workspaceId: string; userId: string; now: string };

const ownKeys = (db: Db, { workspaceId, userId, now }: OwnedBy) =>
  db
    .selectFrom('api_keys')
    .where('workspace_id', '=', workspaceId)
    .where('owned_by', '=', userId)
    .where('revoked_at', 'is', null)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', now)]));

/** The keys of somebody that work, those used last first. */
export const findOwnKeys = (db: Db, { limit, ...of }: OwnedBy & { limit: number }) =>
  ownKeys(db, of)
    .select(columns)
    .orderBy('last_used_at', (by) => by.desc().nullsLast())
    .orderBy('id')
    .limit(limit)
    .execute();

/** Gives keys that work to another member. Returns those that changed hands. */
export const transferKeyRows = (db: Db, { ids, to, ...of }: OwnedBy & { ids: readonly string[]; to: string }) =>
  db
    .updateTable('api_keys')
    .set({ owned_by: to })
    .where('workspace_id', '=', of.workspaceId)
    .where('id', 'in', ownKeys(db, of).where('id', 'in', ids).select('id'))
    .returning(columns)
    .execute();

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
      'k.owned_by',
      sql<boolean>`is_suspended(k.owned_by)`.as('is_owner_suspended'),
      'k.last_used_at',
      'w.subscription_tier as tier',
      'w.trial_ends_at',
      'w.delete_after',
      'w.suspended_at',
      'w.demo_until',
    ])
    .executeTakeFirst();

export const touchApiKey = (db: Db, { workspaceId, id, now }: Of & { now: string }) =>
  db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
