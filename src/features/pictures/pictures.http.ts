import type { pictureRoutes } from '#contract/pictures.ts';
import * as pictures from '#features/pictures/pictures.service.ts';
import { inCurrent } from '#features/workspaces/in-current.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const pictureHandlers: HandlersOf<typeof pictureRoutes> = {
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
};
