import type { ChannelInput } from '#contract/channels.ts';
import { sql } from 'kysely';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { readLatest } from '#platform/page.ts';

const columns = [
  'id',
  'workspace_id',
  'name',
  'type',
  'is_active',
  'is_verified',
  'configuration',
  'sealed_secrets',
  'rate_limit_per_second',
  'created_by',
  'created_at',
  'updated_at',
] as const;

/** One page of channels, the most recently changed first. */
export function listChannelRows(
  db: Db,
  { workspaceId, after, limit }: { workspaceId: string; after: Position | null; limit: number },
) {
  const query = db.selectFrom('channels').where('workspace_id', '=', workspaceId).select(columns);
  return readLatest(db, { query, by: 'updated_at', after, limit, large: ['configuration', 'sealed_secrets'] });
}

/** All channels, the most recently changed first. */
export const findChannels = (db: Db, { workspaceId }: { workspaceId: string }) =>
  db
    .selectFrom('channels')
    .where('workspace_id', '=', workspaceId)
    .select(columns)
    .orderBy('updated_at', 'desc')
    .execute();

export const findChannel = (db: Db, { workspaceId, id }: { workspaceId: string; id: string }) =>
  db
    .selectFrom('channels')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(columns)
    .forUpdate()
    .executeTakeFirst();

export type ChannelRow = Awaited<ReturnType<typeof findChannel>> & {};

type Stored = {
  workspaceId: string;
  id: string;
  now: string;
  name: string;
  isActive: boolean;
  isVerified: boolean;
  configuration: Record<string, unknown>;
  sealedSecrets: Record<string, string>;
  ratePerSecond: number | null;
};

export const insertChannel = (db: Db, row: Stored & { type: ChannelInput['type']; createdBy: string | null }) =>
  db
    .insertInto('channels')
    .values({
      id: row.id,
      workspace_id: row.workspaceId,
      type: row.type,
      created_by: row.createdBy,
      created_at: row.now,
      ...stored(row),
    })
    .execute();

export const replaceChannel = (db: Db, row: Stored & { type: ChannelInput['type'] }) =>
  db
    .updateTable('channels')
    .set({ type: row.type, ...stored(row) })
    .where('workspace_id', '=', row.workspaceId)
    .where('id', '=', row.id)
    .execute();

/**
 * Marks a channel as verified, if its configuration is still the one that was checked. `updated_at` stays, because it decides which channel is used.
 */
export const replaceSecrets = (
  db: Db,
  { workspaceId, id, sealedSecrets, now }: Pick<Stored, 'workspaceId' | 'id' | 'sealedSecrets' | 'now'>,
) =>
  db
    .updateTable('channels')
    .set({ sealed_secrets: JSON.stringify(sealedSecrets), updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();

export const verifyChannel = (db: Db, row: ChannelRow) =>
  db
    .updateTable('channels')
    .set({ is_verified: true })
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .where('type', '=', row.type)
    .where('configuration', '=', sql<ChannelRow['configuration']>`${JSON.stringify(row.configuration)}::jsonb`)
    .where('sealed_secrets', '=', sql<ChannelRow['sealed_secrets']>`${JSON.stringify(row.sealed_secrets)}::jsonb`)
    .execute();

export const deleteChannelRow = (db: Db, { workspaceId, id }: { workspaceId: string; id: string }) =>
  db
    .deleteFrom('channels')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(['name', 'type'])
    .executeTakeFirst();

const stored = (row: Stored) => ({
  name: row.name,
  is_active: row.isActive,
  is_verified: row.isVerified,
  configuration: JSON.stringify(row.configuration),
  sealed_secrets: JSON.stringify(row.sealedSecrets),
  rate_limit_per_second: row.ratePerSecond,
  updated_at: row.now,
});
