import type { Kysely } from 'kysely';
import type { logoRoutes } from '#contract/logos.ts';
import type { pictureRoutes } from '#contract/pictures.ts';
import type { Billing } from '#contract/plans.ts';
import * as pictures from '#features/pictures/pictures.service.ts';
import { inCurrent } from '#features/workspaces/in-current.service.ts';
import { inTenant } from '#platform/database.ts';
import type { HandlersOf } from '#platform/handler.ts';
import type { Schema } from '#platform/schema.ts';

type Ports = { db: Kysely<Schema>; billing: Billing };

export const pictureHandlers = (ports: Ports): HandlersOf<typeof pictureRoutes & typeof logoRoutes> => ({
  getPersonPicture: ({ ctx, params }) => pictures.answerPicture(ctx, { userId: params.id }, params.hash),
  getWorkspacePicture: ({ ctx, params }) =>
    pictures.answerPicture(inCurrent(ctx, params.id), { workspaceId: params.id }, params.hash),
  setWorkspacePicture: async ({ ctx, params, body }) => ({
    avatar_url: await pictures.saveWorkspacePicture(inCurrent(ctx, params.id), body.picture),
  }),
  removeWorkspacePicture: async ({ ctx, params }) => {
    await pictures.deleteWorkspacePicture(inCurrent(ctx, params.id));
    return { removed: true };
  },
  getLogo: ({ params: { id: workspaceId, hash } }) =>
    inTenant(ports.db, { workspaceId, userId: null }, (db) =>
      pictures.answerLogo({ db, workspaceId, billing: ports.billing }, hash),
    ),
});
