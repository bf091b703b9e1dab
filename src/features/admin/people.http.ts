import type { Pool } from 'pg';
import type { adminPeopleRoutes } from '#contract/admin-people.ts';
import * as people from '#features/admin/people.service.ts';
import { liftSuspension, suspendPerson } from '#features/auth/suspension.service.ts';
import type { PersonContext } from '#platform/context.ts';
import type { HandlersOf } from '#platform/handler.ts';

type Acting = { ctx: PersonContext; params: { id: string }; clientAddress: string };
type Act = Parameters<typeof people.verifyPerson>[0];

/** `pool`: of the role cuebird_auth, which alone may write to people. */
export function adminPeopleHandlers({ pool }: { pool: Pool }): HandlersOf<typeof adminPeopleRoutes> {
  const acting =
    (act: (acted: Act) => Promise<void>) =>
    async ({ ctx, params: { id }, clientAddress }: Acting) => {
      await act({ pool, actorId: ctx.actor.userId, id, clientAddress, now: ctx.now });
      return people.findPerson(ctx, id);
    };
  return {
    listPeople: ({ ctx, query }) => people.listPeople(ctx, query),
    suspendPerson: acting(suspendPerson),
    liftSuspension: acting(liftSuspension),
    verifyPerson: acting(people.verifyPerson),
    signOutPerson: acting(people.signOutPerson),
    makeAdministrator: acting(people.makeAdministrator),
    removeAdministrator: acting(people.removeAdministrator),
  };
}
