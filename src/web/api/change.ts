import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Resource, useKey } from '#web/api/query-key.ts';

/** Sends a change; resolves after all that is shown under the keys is fetched again, without waiting for the change stream. */
export function useChange<Answer, Input = void>(
  keys: readonly QueryKey[],
  mutationFn: (input: Input) => Promise<Answer>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () => Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}

/** The same for one resource of the current workspace. */
export const useWorkspaceChange = <Answer, Input = void>(resource: Resource, send: (input: Input) => Promise<Answer>) =>
  useChange([useKey(resource)], send);
