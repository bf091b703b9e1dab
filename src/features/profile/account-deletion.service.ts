import type { AccountDeletion } from '#contract/profile.ts';
import * as rows from '#features/profile/profile.db.ts';
import { assertOwnAccount } from '#features/profile/profile.service.ts';
import {
  announceDeparture,
  lockSoleOwnedWorkspaces,
  soleOwnedWorkspaces,
} from '#features/workspaces/sole-ownership.service.ts';
import { recordOwnAct } from '#platform/audit.ts';
import type { PersonContext } from '#platform/context.ts';
import { Conflict, Invalid } from '#platform/errors.ts';

export async function getAccountDeletion(ctx: PersonContext): Promise<AccountDeletion> {
  return { blocking: await soleOwnedWorkspaces(ctx) };
}

/**
 * Deletes the account with all that refers to nobody else: sessions, memberships, browsers, picture. What the person wrote stays in its
 * workspaces. The database announces the ended sessions, so that every process closes their streams.
 * @returns the address of the account
 */
export async function deleteAccount(ctx: PersonContext, { email: typed }: { email: string }): Promise<string> {
  const { email } = await assertOwnAccount(ctx);
  if (typed.trim().toLowerCase() !== email) throw new Invalid([{ path: 'email', message: `Type ${email}` }]);
  const blocking = await lockSoleOwnedWorkspaces(ctx);
  const [first] = blocking;
  if (first !== undefined)
    throw new Conflict(
      `You are the only owner of ${first.name}${blocking.length > 1 ? ` and ${blocking.length - 1} more` : ''}. ` +
        'Transfer it to another member, or delete it, before you delete your account.',
    );
  await recordOwnAct(ctx, { action: 'account.deleted' });
  await announceDeparture(ctx);
  await rows.deleteProfile(ctx.db, { userId: ctx.actor.userId });
  return email;
}
