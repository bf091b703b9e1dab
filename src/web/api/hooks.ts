import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { eventRoutes, type Hook } from '#contract/events.ts';
import { call } from '#web/api/client.ts';
import { useKey } from '#web/api/query-key.ts';

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
export const useRotateHook = (reminderId: string) =>
  useHookChange(reminderId, () => call(eventRoutes.rotateHook, { params: { id: reminderId } }));

/** Requires requests that are signed with the secret, or with null no longer. The secret is not cached. */
export const useSetHookSecret = (reminderId: string) =>
  useHookChange(reminderId, (secret: string | null) =>
    call(eventRoutes.setHookSecret, { params: { id: reminderId }, body: { secret } }),
  );

/** Shows the hook as the answer has it. */
function useHookChange<Input = void>(reminderId: string, mutationFn: (input: Input) => Promise<Hook>) {
  const queryClient = useQueryClient();
  const queryKey = useKey('hooks', 'one', reminderId);
  return useMutation({ gcTime: 0, mutationFn, onSuccess: (hook) => void queryClient.setQueryData(queryKey, hook) });
}
