import type { SoleOwnedWorkspace } from '#features/workspaces/workspaces.db.ts';
import * as rows from '#features/workspaces/workspaces.db.ts';
import { announce } from '#platform/changes.ts';
import type { PersonContext } from '#platform/context.ts';

/** The workspaces whose only owner is the caller, but for those that are being deleted. */
export const soleOwnedWorkspaces = ({ db }: PersonContext): Promise<SoleOwnedWorkspace[]> =>
  rows.soleOwnedWorkspaces(db, { locks: false });

/** The same; changes to the members of every workspace of the caller wait from here on, so that it stays true until the transaction ends. */
export const lockSoleOwnedWorkspaces = ({ db }: PersonContext): Promise<SoleOwnedWorkspace[]> =>
  rows.soleOwnedWorkspaces(db, { locks: true });

/** Tells the other members' screens that the person is gone from every workspace. */
export async function announceDeparture(ctx: PersonContext): Promise<void> {
  for (const { id } of await rows.workspacesOf(ctx.db, { userId: ctx.actor.userId }))
    await announce({ db: ctx.db, workspaceId: id }, ['members']);
}
