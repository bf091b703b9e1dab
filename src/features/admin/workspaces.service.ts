import type { Demos } from '#contract/admin-people.ts';
import type { AdminWorkspace, AdminWorkspaceDetails } from '#contract/admin-workspaces.ts';
import type { Analytics } from '#contract/analytics.ts';
import { isAdministrator } from '#features/admin/overview.db.ts';
import * as rows from '#features/admin/workspaces.db.ts';
import { successRate } from '#features/analytics/analytics.service.ts';
import { announce, wakeDispatchers } from '#platform/changes.ts';
import type { PersonContext } from '#platform/context.ts';
import { searchedText } from '#platform/pattern.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { Conflict, NotFound } from '#platform/errors.ts';
import { pageOf } from '#platform/page.ts';

export async function listWorkspaces(
  { db }: PersonContext,
  {
    search,
    limit,
    cursor,
    demos,
  }: { search?: string | undefined; limit: number; cursor?: string | undefined; demos: Demos },
): Promise<{ data: AdminWorkspace[]; next_cursor: string | null }> {
  const isAll = await isAdministrator(db);
  const found = await rows.findWorkspaces(db, {
    isAll,
    search: searchedText(search),
    after: decodeCursor(cursor),
    limit,
    demos,
  });
  return pageOf(found, { at: (workspace) => workspace.created_at });
}

/** A workspace with its members. Throws NotFound. */
export async function workspaceDetails(ctx: PersonContext, id: string): Promise<AdminWorkspaceDetails> {
  return { ...(await found(ctx, id)), members: await rows.findMembers(ctx.db, { id }) };
}

/** The figures of a workspace, as its members see them. Throws NotFound. */
export async function workspaceAnalytics(ctx: PersonContext, id: string): Promise<Analytics & { name: string }> {
  const { name } = await found(ctx, id);
  const counted = await rows.readAnalytics(ctx.db, { id });
  if (counted === null) throw new NotFound('workspace');
  const { reached, missed } = counted.people;
  return { ...counted, name, success_rate: successRate({ completed: reached, failed: missed }) };
}

/**
 * Suspends a workspace: from the commit on nothing of it is sent and its requests are refused. What waits stays in the queue, and what runs begins no
 * further attempt. When it is lifted, what came due meanwhile follows the misfire rules. Throws NotFound.
 */
export async function setSuspended(
  ctx: PersonContext,
  { id, suspends }: { id: string; suspends: boolean },
): Promise<AdminWorkspace> {
  const isChanged = await rows.setSuspended(ctx.db, { id, suspends, now: ctx.now });
  if (isChanged === true) await announceChange(ctx, id);
  return found(ctx, id);
}

/** Restores a deleted workspace as it was. Throws NotFound, and Conflict where it is not being deleted or its week is over. */
export async function restoreDeleted(ctx: PersonContext, id: string): Promise<AdminWorkspace> {
  const isChanged = await rows.restoreDeleted(ctx.db, { id, now: ctx.now });
  if (isChanged === null) throw new NotFound('workspace');
  if (!isChanged) throw new Conflict('This workspace is not being deleted, or it can no longer be restored');
  await announceChange(ctx, id);
  return found(ctx, id);
}

async function announceChange({ db }: PersonContext, workspaceId: string): Promise<void> {
  await announce({ db, workspaceId }, ['workspaces']);
  await wakeDispatchers({ db });
}

async function found({ db }: PersonContext, id: string): Promise<AdminWorkspace> {
  const workspace = await rows.findWorkspace(db, { id });
  if (workspace === undefined) throw new NotFound('workspace');
  return workspace;
}
