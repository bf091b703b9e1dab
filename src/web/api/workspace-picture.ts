import { pictureRoutes } from '#contract/pictures.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { keyOf } from '#web/api/query-key.ts';
import { workspacesQuery } from '#web/api/workspaces.ts';

/** Sets the picture, a data URL; null removes it. */
export const useSetWorkspacePicture = (id: string) =>
  useChange<unknown, string | null>([workspacesQuery.queryKey, keyOf(id, 'workspaces')], (picture) => {
    const of = { params: { id }, workspaceId: id };
    return picture === null
      ? call(pictureRoutes.removeWorkspacePicture, of)
      : call(pictureRoutes.setWorkspacePicture, { ...of, body: { picture } });
  });
