import { type Act, type GoneWorkspace, searchedDays } from '#contract/audit-log.ts';
import { findDeletions, isWorkspace } from '#features/audit-log/audit-log.db.ts';
import { type ActsAsked, listActs } from '#features/audit-log/audit-log.service.ts';
import type { PersonContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { NotFound } from '#platform/errors.ts';
import { patternOf } from '#platform/pattern.ts';
import { pageOf } from '#platform/page.ts';

type Administrator = Pick<PersonContext, 'db' | 'now'>;

/**
 * Acts that no workspace shows: those that belong to none, or to a deleted one. Row-level security shows both to administrators of the installation
 * only. Throws NotFound for a workspace that exists: its owners and admins read its log.
 */
export async function listInstallationActs(
  { db, now }: Administrator,
  {
    workspace,
    search,
    ...asked
  }: Omit<ActsAsked, 'pattern'> & { workspace?: string | undefined; search?: string | undefined },
): Promise<{ data: Act[]; next_cursor: string | null }> {
  if (workspace !== undefined && (await isWorkspace(db, workspace))) throw new NotFound('deleted workspace');
  const pattern = patternOf(search);
  const from = asked.from ?? (pattern === null ? undefined : now.subtract({ hours: searchedDays * 24 }).toString());
  return listActs({ db, workspaceId: workspace ?? null }, { ...asked, from, pattern });
}

export async function listGoneWorkspaces(
  { db }: Pick<Administrator, 'db'>,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ data: GoneWorkspace[]; next_cursor: string | null }> {
  const found = await findDeletions(db, { after: decodeCursor(cursor), limit });
  const { data, next_cursor } = pageOf(found, { at: (act) => act.created_at });
  return {
    data: data.map(({ workspace_id: id, name, created_at }) => ({ id: id ?? '', name, deleted_at: created_at })),
    next_cursor,
  };
}
