import { useMutation, useQueryClient } from '@tanstack/react-query';
import { rememberWorkspace } from '#web/api/current-workspace.ts';
import { sessionQuery, signOut } from '#web/api/session.ts';
import { notifyFailure } from '#web/ui/notify.tsx';

/** Ends the session and forgets all that was known of it; the layout then leaves for /auth. */
export function useSignOut() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      rememberWorkspace(null);
      queryClient.setQueryData(sessionQuery.queryKey, null);
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    },
    onError: (error) => notifyFailure('Sign out failed', error),
  });
}
