import { restorableDays } from '#contract/workspace-deletion.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { workspaceWasDeleted } from '#domain/ledger-reasons.ts';
import { stopRuns } from '#features/reminders/pause-all.service.ts';
import { lockMembersAs } from '#features/workspaces/membership.service.ts';
import { ownersOf } from '#features/workspaces/members.service.ts';
import * as rows from '#features/workspaces/workspaces.db.ts';
import { recordAct } from '#platform/audit.ts';
import { announce, wakeDispatchers } from '#platform/changes.ts';
import type { MemberContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import { Conflict, Invalid, NotFound } from '#platform/errors.ts';

/**
 * Deletes a workspace. From the commit on nothing of it is sent: each claim leaves it out, and what waits stays in the queue. Call
 * `stopRunsOfDeleted` afterwards, in a transaction of its own. After a week the archiver deletes its data.
 * @returns the workspace, and the addresses of its owners
 */
export async function deleteWorkspace(
  ctx: MemberContext,
  { name }: { name: string },
): Promise<{ workspace: Workspace; owners: string[] }> {
  await lockMembersAs(ctx, ['owner']);
  const before = await found(ctx);
  if (name.trim() !== before.name) throw new Invalid([{ path: 'name', message: `Type ${before.name}` }]);
  const after = ctx.now.add({ hours: 24 * restorableDays }).toString();
  if (!(await rows.markDeleted(ctx.db, { workspaceId: ctx.workspaceId, after })))
    throw new Conflict('This workspace is being deleted already');
  await recordAct(ctx, {
    action: 'workspace.deletion_requested',
    target: ctx.workspaceId,
    details: { name: before.name, until: after },
  });
  await announce(ctx, ['workspaces']);
  return { workspace: await found(ctx), owners: await ownersOf(ctx) };
}

/** Stops what runs, so that attempts in flight finish and no further one begins. Must run after the commit of the deletion. */
export const stopRunsOfDeleted = (ctx: Pick<MemberContext, 'workspaceId' | 'now'>, db: Db): Promise<void> =>
  stopRuns(ctx, { db, reason: workspaceWasDeleted });

/** Restores a workspace as it was. What came due meanwhile follows the misfire rules, as after downtime. */
export async function restoreWorkspace(ctx: MemberContext): Promise<Workspace> {
  await lockMembersAs(ctx, ['owner']);
  if (!(await rows.markRestored(ctx.db, { workspaceId: ctx.workspaceId, now: ctx.now.toString() })))
    throw new Conflict('This workspace is not being deleted, or it can no longer be restored');
  await recordAct(ctx, { action: 'workspace.restored', target: ctx.workspaceId });
  await announce(ctx, [
    'workspaces',
    'members',
    'reminders',
    'jobs',
    'deliveries',
    'templates',
    'channels',
    'contacts',
  ]);
  await wakeDispatchers(ctx);
  return found(ctx);
}

async function found({ db, workspaceId, actor }: MemberContext): Promise<Workspace> {
  const workspace = await rows.findWorkspace(db, { workspaceId, userId: actor.userId });
  if (workspace === undefined) throw new NotFound('workspace');
  return workspace;
}
