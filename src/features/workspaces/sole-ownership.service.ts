import { sql } from 'kysely';
import { countMembers, lockMembers } from '#features/workspaces/members.db.ts';
import * as rows from '#features/workspaces/workspaces.db.ts';
import { announce } from '#platform/changes.ts';
import type { PersonContext } from '#platform/context.ts';

export type OwnedAlone = { id: string; name: string; other_members: number };

/**
 * The workspaces that have no other owner, but for those that are being deleted. Changes to the members of all workspaces that the person
 * owns wait from here on: what is true of them now stays true until the transaction ends.
 */
export async function ownedAlone(ctx: PersonContext): Promise<OwnedAlone[]> {
  const { db, actor } = ctx;
  const found: OwnedAlone[] = [];
  // In one order for everybody, so that two owners who leave at once wait for each other.
  for (const { id, name } of await rows.ownedBy(db, { userId: actor.userId })) {
    const of = { workspaceId: id };
    await enter(ctx, id);
    await lockMembers(db, of);
    if ((await rows.countOwners(db, of)) > 1) continue;
    found.push({ id, name, other_members: (await countMembers(db, of)) - 1 });
  }
  await enter(ctx, '');
  return found;
}

/** Tells the other members' screens that the person is gone from every workspace. */
export async function announceDeparture(ctx: PersonContext): Promise<void> {
  for (const { id } of await rows.workspacesOf(ctx.db, { userId: ctx.actor.userId }))
    await announce({ db: ctx.db, workspaceId: id }, ['members']);
}

/** Other members are seen only from within their workspace. */
const enter = ({ db }: PersonContext, workspaceId: string) =>
  sql`select set_config('app.workspace_id', ${workspaceId}, true)`.execute(db);
