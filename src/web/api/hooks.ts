import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { eventRoutes, type Hook } from '#contract/events.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { keyOf, useKey } from '#web/api/query-key.ts';

/** The address at which other systems trigger a reminder. */
export const useHook = (reminderId: string) =>
  useQuery({
    queryKey: useKey('hooks', 'one', reminderId),
    queryFn: ({ signal }) => call(eventRoutes.getHook, { params: { id: reminderId }, signal }),
    meta: { watches: ['reminders'] },
  });

/** The last calls of a reminder's hook, latest first. */
export const useHookCalls = (reminderId: string) =>
  useQuery({
    queryKey: useKey('hooks', 'calls', reminderId),
    queryFn: async ({ signal }) => (await call(eventRoutes.listHookCalls, { params: { id: reminderId }, signal })).data,
    meta: { watches: ['events', 'jobs'] },
  });

/** Replaces the address; the one before ends at once. */
export function useRotateHook(reminderId: string) {
  const remember = useRemember(reminderId);
  return useMutation({
    mutationFn: () => call(eventRoutes.rotateHook, { params: { id: reminderId } }),
    onSuccess: remember,
  });
}

/** Requires requests that are signed with the secret, or with null no longer. The secret is not cached. */
export function useSetHookSecret(reminderId: string) {
  const remember = useRemember(reminderId);
  return useMutation({
    gcTime: 0,
    mutationFn: (secret: string | null) =>
      call(eventRoutes.setHookSecret, { params: { id: reminderId }, body: { secret } }),
    onSuccess: remember,
  });
}

function useRemember(reminderId: string): (hook: Hook) => void {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  return (hook) => queryClient.setQueryData(keyOf(workspaceId, 'hooks', 'one', reminderId), hook);
}
