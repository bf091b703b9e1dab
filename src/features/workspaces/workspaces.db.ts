import { sql } from 'kysely';
import type { Role, WorkspaceSettings } from '#contract/workspaces.ts';
import type { Db } from '#platform/database.ts';

const columns = [
  'w.id',
  'w.name',
  'w.slug',
  'w.description',
  'w.company_name',
  'w.avatar_url',
  'w.settings',
  'w.subscription_status',
  'w.subscription_tier',
  'w.subscription_end_date',
  'w.reminders_paused_until',
  'w.delete_after',
  'w.suspended_at',
  'w.demo_until',
  'w.demo_spent_at',
  'w.created_at',
  'm.role',
] as const;

export const workspacesOf = (db: Db, { userId }: { userId: string }) =>
  db
    .selectFrom('workspaces as w')
    .innerJoin('workspace_members as m', 'm.workspace_id', 'w.id')
    .where('m.user_id', '=', userId)
    .select(columns)
    .orderBy('w.created_at')
    .orderBy('w.id')
    .execute();

export const findWorkspace = (db: Db, { workspaceId, userId }: { workspaceId: string; userId: string }) =>
  db
    .selectFrom('workspaces as w')
    .innerJoin('workspace_members as m', 'm.workspace_id', 'w.id')
    .where('w.id', '=', workspaceId)
    .where('m.user_id', '=', userId)
    .select(columns)
    .executeTakeFirst();

/** Whether somebody is a visitor of the demo who has a workspace: only visitors belong to demos. */
export async function ownsDemo(db: Db, { userId }: { userId: string }): Promise<boolean> {
  const owned = await db
    .selectFrom('workspace_members as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .where('m.user_id', '=', userId)
    .where('w.demo_until', 'is not', null)
    .select('w.id')
    .executeTakeFirst();
  return owned !== undefined;
}

export async function countOwned(db: Db, { userId }: { userId: string }): Promise<number> {
  const { count } = await db
    .selectFrom('workspace_members')
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export type SoleOwnedWorkspace = { id: string; name: string; other_members: number };

/**
 * The workspaces whose only owner is the caller, except those that are being deleted. With `locks`, changes to the members of all the caller's
 * workspaces wait.
 */
export async function soleOwnedWorkspaces(db: Db, { locks }: { locks: boolean }): Promise<SoleOwnedWorkspace[]> {
  const { rows } =
    await sql<SoleOwnedWorkspace>`select id, name, other_members from sole_owned_workspaces(${locks})`.execute(db);
  return rows;
}

/** Inserts a workspace. False when any other has the slug, even one that the caller cannot see. */
export async function insertWorkspace(
  db: Db,
  row: { id: string; name: string; slug: string; description: string },
): Promise<boolean> {
  const inserted = await db
    .insertInto('workspaces')
    .values(row)
    .onConflict((slug) => slug.column('slug').doNothing())
    .returning('id')
    .execute();
  return inserted.length === 1;
}

export const insertMember = (db: Db, row: { workspace_id: string; user_id: string; role: Role }) =>
  db.insertInto('workspace_members').values(row).execute();

export type StoredSettings = { name: string; description: string; settings: Record<string, unknown> | undefined };

/** The settings before a change; changes of one workspace are serialized from here on. */
export const lockSettings = (db: Db, { workspaceId }: { workspaceId: string }): Promise<StoredSettings> =>
  db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(['name', 'description', 'settings'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();

export const findSettings = (
  db: Db,
  { workspaceId }: { workspaceId: string },
): Promise<Pick<StoredSettings, 'settings'>> =>
  db.selectFrom('workspaces').where('id', '=', workspaceId).select('settings').executeTakeFirstOrThrow();

/** Updates settings; those that are left out stay as they are. */
export const updateWorkspaceRow = (
  db: Db,
  {
    workspaceId,
    changes: { settings = {}, ...changes },
  }: {
    workspaceId: string;
    changes: { name?: string; description?: string; settings?: Partial<WorkspaceSettings>; updated_at: string };
  },
) =>
  db
    .updateTable('workspaces')
    .set({ ...changes, settings: sql`settings || ${JSON.stringify(settings)}::jsonb` })
    .where('id', '=', workspaceId)
    .execute();

export async function findDemoEnd(db: Db, { workspaceId }: { workspaceId: string }): Promise<string | null> {
  const row = await db.selectFrom('workspaces').where('id', '=', workspaceId).select('demo_until').executeTakeFirst();
  return row?.demo_until ?? null;
}

export const setAvatarUrl = (db: Db, { workspaceId, url }: { workspaceId: string; url: string | null }) =>
  db.updateTable('workspaces').set({ avatar_url: url }).where('id', '=', workspaceId).execute();

export const setRemindersPause = (db: Db, { workspaceId, until }: { workspaceId: string; until: string }) =>
  db.updateTable('workspaces').set({ reminders_paused_until: until }).where('id', '=', workspaceId).execute();

export async function remindersPause(db: Db, { workspaceId }: { workspaceId: string }): Promise<string | null> {
  const row = await db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select('reminders_paused_until')
    .executeTakeFirst();
  return row?.reminders_paused_until ?? null;
}

/** Marks a workspace as deleted. False where it is already. */
export async function markDeleted(
  db: Db,
  { workspaceId, after }: { workspaceId: string; after: string },
): Promise<boolean> {
  const marked = await db
    .updateTable('workspaces')
    .set({ delete_after: after })
    .where('id', '=', workspaceId)
    .where('delete_after', 'is', null)
    .returning('id')
    .execute();
  return marked.length === 1;
}

/** Restores a workspace. False where it is not being deleted, or can no longer be restored. */
export async function markRestored(
  db: Db,
  { workspaceId, now }: { workspaceId: string; now: string },
): Promise<boolean> {
  const restored = await db
    .updateTable('workspaces')
    .set({ delete_after: null })
    .where('id', '=', workspaceId)
    .where('delete_after', '>', now)
    .returning('id')
    .execute();
  return restored.length === 1;
}
