import type { accountRoutes } from '#contract/account.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import { recordOwnAct } from '#platform/audit.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';

type Ports = {
  auth: Pick<Auth, 'requirePerson' | 'hasPassword' | 'changePassword' | 'emailChanges' | 'devices' | 'forget'>;
  /** The address at which people open Cuebird. */
  url: () => string;
};

/** Accounts are read and written as the role of sign-in, not in the request's transaction. */
export function accountHandlers({ auth, url }: Ports): HandlersOf<typeof accountRoutes> {
  const personOf = ({ headers }: Request) => auth.requirePerson(headers);
  return {
    async getAccount({ request }) {
      const person = await personOf(request);
      const pending = await auth.emailChanges.pendingOf(person.userId);
      return {
        email: person.email,
        has_password: await auth.hasPassword(person),
        is_demo: person.isDemo,
        email_change: pending === null ? null : { email: pending.email, expires_at: pending.expiresAt.toString() },
      };
    },
    // After the commit, because checking a password takes a while and no connection should be held.
    changePassword: ({ ctx, body, request }) =>
      new AfterCommit(async (inTransaction) => {
        const { current_password: current, new_password: password } = body;
        await auth.changePassword(await personOf(request), { current, password, url: url() });
        await inTransaction((db) => recordOwnAct({ ...ctx, db }, { action: 'account.password_changed' }));
        return { changed: true };
      }),
    async changeEmail({ body, request }) {
      await auth.emailChanges.request(await personOf(request), { email: body.email, url: url() });
      return { sent_to: body.email };
    },
    async confirmEmail({ ctx, body, request }) {
      const { before, email } = await auth.emailChanges.confirm(await personOf(request), {
        token: body.token,
        url: url(),
      });
      auth.forget(request.headers);
      await recordOwnAct(ctx, { action: 'account.email_changed', details: { from: before, to: email } });
      return { email };
    },
    async cancelEmailChange({ request }) {
      await auth.emailChanges.cancel(await personOf(request));
      return { cancelled: true };
    },
    listDevices: async ({ request }) => ({
      data: await auth.devices.list(await personOf(request)),
      next_cursor: null,
    }),
    async signOutDevice({ ctx, params, request }) {
      await auth.devices.signOut(await personOf(request), params.id);
      await recordOwnAct(ctx, { action: 'sign_in.ended' });
      return { signed_out: true };
    },
    async signOutOthers({ ctx, request }) {
      const count = await auth.devices.signOutOthers(await personOf(request));
      if (count > 0) await recordOwnAct(ctx, { action: 'sign_in.others_ended' });
      return { signed_out: count };
    },
  };
}
