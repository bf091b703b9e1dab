import type { reauthenticationRoutes } from '#contract/reauthentication.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';

type Ports = { auth: Pick<Auth, 'reauthentication' | 'requirePerson'> };

/** These answer after the commit, because checking a password takes a while and no connection should be held. */
export const reauthenticationHandlers = ({ auth }: Ports): HandlersOf<typeof reauthenticationRoutes> => ({
  getReauthentication: ({ request }) =>
    new AfterCommit(async () => auth.reauthentication.stateOf(await auth.requirePerson(request.headers))),
  reauthenticate: ({ body, request, clientAddress }) =>
    new AfterCommit(async () =>
      auth.reauthentication.reauthenticate(await auth.requirePerson(request.headers), body, { clientAddress }),
    ),
  mailReauthenticationCode: ({ request }) =>
    new AfterCommit(async () => auth.reauthentication.mailCode(await auth.requirePerson(request.headers))),
});
