import type pg from 'pg';
import type { alertRoutes } from '#contract/alerts.ts';
import { dismissAlert } from '#features/alerts/alerts.service.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';

/** `pool` is connected as cuebird_engine; `auth` as cuebird_auth, which writes acts of the installation. */
export const alertHandlers = (ports: { pool: pg.Pool; auth: pg.Pool }): HandlersOf<typeof alertRoutes> => ({
  dismissAlert: ({ ctx, params, clientAddress }) =>
    new AfterCommit(async () => {
      await dismissAlert(ports, { ...params, actorId: ctx.actor.userId, clientAddress, now: ctx.now });
      return {};
    }),
});
