import type { SoleOwnedWorkspace } from '#features/workspaces/workspaces.db.ts';
import * as rows from '#features/workspaces/workspaces.db.ts';
import { announce } from '#platform/changes.ts';
import type { PersonContext } from '#platform/context.ts';

/** The workspaces whose only owner is the caller, except those that are being deleted. */
export const soleOwnedWorkspaces = ({ db }: PersonContext): Promise<SoleOwnedWorkspace[]> =>
  rows.soleOwnedWorkspaces(db, { locks: false });

/**
 * `soleOwnedWorkspaces`, but keeps changes to the members of all the caller's workspaces waiting, so that the result stays true until the transaction
 * ends.
 */
export const lockSoleOwnedWorkspaces = ({ db }: PersonContext): Promise<SoleOwnedWorkspace[]> =>
  rows.soleOwnedWorkspaces(db, { locks: true });

/** Announces to the other members' screens that the person has left every workspace. */
export async function announceDeparture(ctx: PersonContext): Promise<void> {
  for (const { id } of await rows.workspacesOf(ctx.db, { userId: ctx.actor.userId }))
    await announce({ db: ctx.db, workspaceId: id }, ['members']);
}
