import type { OwnedAlone } from '#features/workspaces/workspaces.db.ts';
import * as rows from '#features/workspaces/workspaces.db.ts';
import { announce } from '#platform/changes.ts';
import type { PersonContext } from '#platform/context.ts';

/** The workspaces that have no other owner, but for those that are being deleted. */
export const ownedAlone = ({ db }: PersonContext): Promise<OwnedAlone[]> => rows.ownedAlone(db, { locks: false });

/**
 * The same; changes to the members of all workspaces that the person owns wait from here on: what is true of them now stays true until the
 * transaction ends.
 */
export const lockOwnedAlone = ({ db }: PersonContext): Promise<OwnedAlone[]> => rows.ownedAlone(db, { locks: true });

/** Tells the other members' screens that the person is gone from every workspace. */
export async function announceDeparture(ctx: PersonContext): Promise<void> {
  for (const { id } of await rows.workspacesOf(ctx.db, { userId: ctx.actor.userId }))
    await announce({ db: ctx.db, workspaceId: id }, ['members']);
}
