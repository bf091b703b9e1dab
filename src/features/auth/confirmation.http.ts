import type { confirmationRoutes } from '#contract/confirmation.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';

type Ports = { auth: Pick<Auth, 'confirmations' | 'requirePerson' | 'twoFactorOf'> };

/** These answer after the commit: checking a password takes a while, and no connection is held meanwhile. */
export const confirmationHandlers = ({ auth }: Ports): HandlersOf<typeof confirmationRoutes> => ({
  getConfirmation: ({ request }) =>
    new AfterCommit(async () => auth.confirmations.stateOf(await auth.requirePerson(request.headers))),
  confirm: ({ body, request }) =>
    new AfterCommit(async () => auth.confirmations.confirm(await auth.requirePerson(request.headers), body)),
  mailConfirmationCode: ({ request }) =>
    new AfterCommit(async () => auth.confirmations.mailCode(await auth.requirePerson(request.headers))),
  getTwoFactor: ({ request }) =>
    new AfterCommit(async () => auth.twoFactorOf(await auth.requirePerson(request.headers))),
});
