import type { ChannelInput } from '#contract/channels.ts';
import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';

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

/** Only while it is configured as it was when it was read. When it was changed is left alone: that decides who is used. */
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
  db.deleteFrom('channels').where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst();

const stored = (row: Stored) => ({
  name: row.name,
  is_active: row.isActive,
  is_verified: row.isVerified,
  configuration: JSON.stringify(row.configuration),
  sealed_secrets: JSON.stringify(row.sealedSecrets),
  rate_limit_per_second: row.ratePerSecond,
  updated_at: row.now,
});
