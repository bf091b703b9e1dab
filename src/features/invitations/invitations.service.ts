import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Invitation } from '#contract/invitations.ts';
import { maxInvitations } from '#contract/limits.ts';
import { hashOfToken } from '#platform/token-hash.ts';
import { workspaceOfToken, workspaceToken } from '#platform/workspace-token.ts';
import * as rows from '#features/invitations/invitations.db.ts';
import { addMember, lockMembers } from '#features/workspaces/membership.service.ts';
import { isDemo } from '#features/workspaces/workspaces.service.ts';
import { recordAct } from '#platform/audit.ts';
import { announce } from '#platform/changes.ts';
import type { MemberContext, PersonContext } from '#platform/context.ts';
import { inTenant } from '#platform/database.ts';
import { Conflict, Forbidden, NotFound, Unprocessable } from '#platform/errors.ts';
import type { Schema } from '#platform/schema.ts';

const validDays = 7;

export const listInvitations = ({ db, workspaceId }: MemberContext): Promise<Invitation[]> =>
  rows.invitationsOf(db, { workspaceId });

/** Creates an invitation. Returns its token, of which only the hash is stored. */
export async function createInvitation(
  ctx: MemberContext,
  { email, role }: { email: string; role: 'admin' | 'member' },
): Promise<{ invitation: Invitation; token: string }> {
  const { db, workspaceId, actor } = ctx;
  await assertNoDemo(ctx);
  // Locked, so that concurrent invitations are counted one after the other.
  await lockMembers(db, { workspaceId });
  if (await rows.isAddressOfMember(db, { workspaceId, email }))
    throw new Conflict(`${email} is a member of this workspace already`);
  if ((await rows.countInvitations(db, { workspaceId })) >= maxInvitations)
    throw new Unprocessable(`${maxInvitations} invitations are open already. Revoke one of them first.`);
  const { token, ...fresh } = freshLink(ctx);
  const id = await rows.insertInvitation(db, {
    workspace_id: workspaceId,
    email,
    role,
    invited_by: actor.userId,
    created_at: ctx.now.toString(),
    ...fresh,
  });
  if (id === null) throw new Conflict(`${email} is invited already. Send that invitation again instead.`);
  await recordAct(ctx, { action: 'invitation.created', target: id, details: { email, role } });
  await announce(ctx, ['members']);
  return { invitation: await invitationOf(ctx, id), token };
}

async function assertNoDemo(ctx: MemberContext): Promise<void> {
  if (await isDemo(ctx))
    throw new Unprocessable('Nobody can be invited into the demo. Sign up to have a workspace of your own.');
}

/** Sends a new link; the previous one stops working. */
export async function resendInvitation(
  ctx: MemberContext,
  id: string,
): Promise<{ invitation: Invitation; token: string }> {
  const { token, ...fresh } = freshLink(ctx);
  const of = { workspaceId: ctx.workspaceId, id, invited_by: ctx.actor.userId };
  if (!(await rows.renewInvitation(ctx.db, { ...of, ...fresh }))) throw new NotFound('invitation');
  const invitation = await invitationOf(ctx, id);
  await recordAct(ctx, { action: 'invitation.sent_again', target: id, details: { email: invitation.email } });
  await announce(ctx, ['members']);
  return { invitation, token };
}

export async function revokeInvitation(ctx: MemberContext, id: string): Promise<void> {
  const gone = await rows.deleteInvitation(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (gone === null) throw new NotFound('invitation');
  await recordAct(ctx, { action: 'invitation.revoked', target: id, details: { email: gone.email } });
  await announce(ctx, ['members']);
}

/** Revokes the invitations of somebody who may not invite any more: through one to another address of theirs they could come back. */
export async function revokeInvitationsBy(ctx: MemberContext, { userId }: { userId: string }): Promise<void> {
  for (const { id, email } of await rows.deleteInvitationsBy(ctx.db, { workspaceId: ctx.workspaceId, userId }))
    await recordAct(ctx, { action: 'invitation.revoked', target: id, details: { email } });
}

type LinkPorts = { db: Kysely<Schema>; now: () => Temporal.Instant };

/** What anybody with the link may see: the workspace, who invited, and whom. */
export function lookUpInvitation(
  { db, now }: LinkPorts,
  token: string,
): Promise<{ workspace: string; invited_by: string | null; email: string }> {
  const workspaceId = workspaceIn(token);
  return inTenant(db, { workspaceId, userId: null }, async (tx) => {
    const of = { workspaceId, tokenHash: hashOfToken(token), now: now().toString() };
    const found = await rows.findOpen(tx, of);
    if (found === undefined) throw new NotFound('invitation');
    return { workspace: found.workspace, invited_by: found.invited_by, email: found.email };
  });
}

export function declineInvitation(
  { db, now, clientAddress }: LinkPorts & { clientAddress: string },
  token: string,
): Promise<void> {
  const workspaceId = workspaceIn(token);
  return inTenant(db, { workspaceId, userId: null, clientAddress }, async (tx) => {
    const at = now().toString();
    const found = await rows.findOpen(tx, { workspaceId, tokenHash: hashOfToken(token), now: at });
    const isDeclined = found && (await rows.declineInvitationRow(tx, { workspaceId, id: found.id, now: at }));
    if (isDeclined !== true) throw new NotFound('invitation');
    await recordAct(
      { db: tx, workspaceId, actor: null, now: now() },
      { action: 'invitation.declined', target: found.id, details: { email: found.email } },
    );
    await announce({ db: tx, workspaceId }, ['members']);
  });
}

/** Makes the caller a member, if the invitation is for their address. */
export async function acceptInvitation(
  ctx: PersonContext,
  { token, email }: { token: string; email: string },
): Promise<{ workspace_id: string; workspace: string }> {
  const workspaceId = workspaceIn(token);
  const { db, actor, now } = ctx;
  // Only a transaction within the workspace may write to it; the token has named this one.
  await sql`select set_config('app.workspace_id', ${workspaceId}, true)`.execute(db);
  await lockMembers(db, { workspaceId });
  const found = await rows.findOpen(db, { workspaceId, tokenHash: hashOfToken(token), now: now.toString() });
  if (found === undefined) throw new NotFound('invitation');
  if (found.email !== email.toLowerCase())
    throw new Forbidden(
      `This invitation is for another address than ${email}. Sign in with the address that was invited.`,
    );
  if (found.delete_after !== null)
    throw new Conflict(`The workspace “${found.workspace}” is being deleted. Ask who invited you.`);
  if (found.suspended_at !== null)
    throw new Conflict(`The workspace “${found.workspace}” is suspended. Ask who invited you.`);
  const accepted = await rows.deleteInvitation(db, { workspaceId, id: found.id });
  if (accepted === null) throw new NotFound('invitation');
  await addMember(db, { workspaceId, userId: actor.userId, role: accepted.role });
  const inWorkspace = { ...ctx, workspaceId };
  await recordAct(inWorkspace, {
    action: 'invitation.accepted',
    target: found.id,
    details: { email: found.email, role: found.role },
  });
  await announce(inWorkspace, ['members']);
  await sql`select set_config('app.workspace_id', '', true)`.execute(db);
  return { workspace_id: workspaceId, workspace: found.workspace };
}

function workspaceIn(token: string): string {
  const workspaceId = workspaceOfToken(token);
  if (workspaceId === null) throw new NotFound('invitation');
  return workspaceId;
}

async function invitationOf({ db, workspaceId }: MemberContext, id: string): Promise<Invitation> {
  const invitation = await rows.findInvitation(db, { workspaceId, id });
  if (invitation === undefined) throw new NotFound('invitation');
  return invitation;
}

function freshLink({ workspaceId, now }: MemberContext) {
  const token = workspaceToken(workspaceId, randomBytes(32));
  return {
    token,
    token_hash: hashOfToken(token),
    expires_at: now.add({ hours: 24 * validDays }).toString(),
  };
}
