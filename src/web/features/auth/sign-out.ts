import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { rememberWorkspace } from '#web/api/current-workspace.ts';
import { forgetDrafts } from '#web/api/draft-keys.ts';
import { sessionQuery, signOut, signOutKey } from '#web/api/session.ts';
import { notifyFailure } from '#web/ui/notify.tsx';

/** Ends the session, opens /auth and clears the cache. */
export function useSignOut() {
  return useMutation({
    mutationKey: signOutKey,
    mutationFn: signOut,
    onSuccess: useForgetSession(),
    onError: (error) => notifyFailure('Sign out failed', error),
  });
}

/** Opens /auth and clears the cache, once the session has ended. */
export function useForgetSession(): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    queryClient.setQueryData(sessionQuery.queryKey, null);
    // The navigation comes first: clearing the cache under a mounted screen would refetch its queries.
    await navigate({ to: '/auth', replace: true, ignoreBlocker: true });
    rememberWorkspace(null);
    forgetDrafts();
    // Unsubscribes this browser, so that the next person who signs in here does not get these messages.
    void import('#web/api/this-browser.ts').then(({ stopOwnPush }) => stopOwnPush()).catch(() => {});
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  };
}
