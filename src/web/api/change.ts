import { type QueryFilters, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Resource, useKey } from '#web/api/query-key.ts';

type After = {
  /** Also fetches after a failure, because a part of the change may have been made. */
  alsoAfterFailure?: boolean;
};

/** Sends a change; resolves after all that these find, by a key or otherwise, is fetched again, without waiting for the change stream. */
export function useChange<Answer, Input = void>(
  shown: readonly (readonly unknown[] | QueryFilters)[],
  mutationFn: (input: Input) => Promise<Answer>,
  { alsoAfterFailure = false }: After = {},
) {
  const queryClient = useQueryClient();
  const refresh = () =>
    Promise.all(shown.map((of) => queryClient.invalidateQueries('length' in of ? { queryKey: of } : of)));
  return useMutation({ mutationFn, ...(alsoAfterFailure ? { onSettled: refresh } : { onSuccess: refresh }) });
}

/** `useChange` for one resource of the current workspace. */
export const useWorkspaceChange = <Answer, Input = void>(
  resource: Resource,
  send: (input: Input) => Promise<Answer>,
  after?: After,
) => useChange([useKey(resource)], send, after);
