import type { Act, GoneWorkspace } from '#contract/audit-log.ts';
import { findDeletions, isWorkspace } from '#features/audit-log/audit-log.db.ts';
import { type ActsAsked, listActs } from '#features/audit-log/audit-log.service.ts';
import type { PersonContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { NotFound } from '#platform/errors.ts';
import { pageOf } from '#platform/page.ts';

type Administrator = Pick<PersonContext, 'db'>;

/**
 * What has no other reader: acts that belong to no workspace, or those of one that is gone. Row-level security shows both to
 * administrators of the installation only. Throws NotFound for a workspace that exists: its owners and admins read its log.
 */
export async function listInstallationActs(
  { db }: Administrator,
  { workspace, ...asked }: ActsAsked & { workspace?: string | undefined },
): Promise<{ data: Act[]; next_cursor: string | null }> {
  if (workspace !== undefined && (await isWorkspace(db, workspace))) throw new NotFound('deleted workspace');
  return listActs({ db, workspaceId: workspace ?? null }, asked);
}

export async function listGoneWorkspaces(
  { db }: Administrator,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ data: GoneWorkspace[]; next_cursor: string | null }> {
  const found = await findDeletions(db, { after: decodeCursor(cursor), limit });
  const { data, next_cursor } = pageOf(found, { at: (act) => act.created_at });
  return {
    data: data.map(({ workspace_id: id, name, created_at }) => ({ id: id ?? '', name, deleted_at: created_at })),
    next_cursor,
  };
}
