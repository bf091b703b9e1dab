import { useMutation, useQueryClient } from '@tanstack/react-query';
import { pictureRoutes } from '#contract/pictures.ts';
import { call } from '#web/api/client.ts';
import { keyOf } from '#web/api/query-key.ts';
import { workspacesQuery } from '#web/api/workspaces.ts';

/** @param picture as a data URL; null removes the picture */
export function useSetWorkspacePicture(id: string) {
  const queryClient = useQueryClient();
  const of = { params: { id }, workspaceId: id };
  return useMutation<unknown, Error, string | null>({
    mutationFn: (picture: string | null) =>
      picture === null
        ? call(pictureRoutes.removeWorkspacePicture, of)
        : call(pictureRoutes.setWorkspacePicture, { ...of, body: { picture } }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: keyOf(id, 'workspaces') }),
      ]),
  });
}
