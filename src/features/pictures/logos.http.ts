import type { Kysely } from 'kysely';
import type { logoRoutes } from '#contract/logos.ts';
import type { Billing } from '#contract/plans.ts';
import { answerLogo } from '#features/pictures/pictures.service.ts';
import { inTenant } from '#platform/database.ts';
import type { HandlersOf } from '#platform/handler.ts';
import type { Schema } from '#platform/schema.ts';

export const logoHandlers = (ports: { db: Kysely<Schema>; billing: Billing }): HandlersOf<typeof logoRoutes> => ({
  getLogo: ({ params: { id: workspaceId, hash } }) =>
    inTenant(ports.db, { workspaceId, userId: null }, (db) =>
      answerLogo({ db, workspaceId, billing: ports.billing }, hash),
    ),
});
