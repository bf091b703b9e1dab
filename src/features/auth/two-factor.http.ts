import type { twoFactorRoutes } from '#contract/two-factor.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';

type Ports = { auth: Pick<Auth, 'requirePerson' | 'twoFactorOf'> };

export const twoFactorHandlers = ({ auth }: Ports): HandlersOf<typeof twoFactorRoutes> => ({
  // After the commit, so that no connection of requests is held meanwhile.
  getTwoFactor: ({ request }) =>
    new AfterCommit(async () => auth.twoFactorOf(await auth.requirePerson(request.headers))),
});
