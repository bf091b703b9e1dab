import type { Pool } from 'pg';
import type { suspensionRoutes } from '#contract/suspension.ts';
import { findPerson, liftSuspension, suspendPerson } from '#features/auth/suspension.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

/** `pool`: of the role cuebird_auth, which alone may write to people. */
export const suspensionHandlers = ({ pool }: { pool: Pool }): HandlersOf<typeof suspensionRoutes> => ({
  findPerson: ({ query }) => findPerson(pool, query),
  suspendPerson: ({ ctx, params }) => suspendPerson(pool, { actorId: ctx.actor.userId, id: params.id, now: ctx.now }),
  liftSuspension: ({ ctx, params }) => liftSuspension(pool, { actorId: ctx.actor.userId, id: params.id, now: ctx.now }),
});
