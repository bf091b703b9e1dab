import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { profileRoutes, type ProfileChanges } from '#contract/profile.ts';
import { call } from '#web/api/client.ts';
import { sessionQuery } from '#web/api/session.ts';

const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => call(profileRoutes.getProfile, { signal }),
});

/** The signed-in person, with what they have set for themselves. */
export const useProfile = () => useQuery(profileQuery);

export function useChangeProfile() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: ProfileChanges) => call(profileRoutes.updateProfile, { body }),
    onSuccess: refresh,
  });
}

/** @param picture as a data URL; null removes the picture */
export function useSetOwnPicture() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (picture: string | null) =>
      picture === null
        ? call(profileRoutes.removeOwnPicture)
        : call(profileRoutes.setOwnPicture, { body: { picture } }),
    onSuccess: refresh,
  });
}

/** The workspaces that keep the account from being deleted. */
export const useAccountDeletion = () =>
  useQuery({
    queryKey: ['account-deletion'],
    queryFn: ({ signal }) => call(profileRoutes.getAccountDeletion, { signal }),
    staleTime: 0,
  });

export const useDeleteAccount = () =>
  useMutation({ mutationFn: (email: string) => call(profileRoutes.deleteAccount, { body: { email } }) });

/** Refetches what shows the person: the bar, and lists of members. */
function useRefresh(): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: profileQuery.queryKey }),
      queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'members' }),
    ]);
}
