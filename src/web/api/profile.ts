import { type Query, queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { profileRoutes, type ProfileChanges } from '#contract/profile.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { sessionQuery } from '#web/api/session.ts';

const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => call(profileRoutes.getProfile, { signal }),
});

/** The signed-in person, with what they have set for themselves. */
export const useProfile = () => useQuery(profileQuery);

/** What shows the person: the bar, and lists of members. */
const shown = [
  profileQuery.queryKey,
  sessionQuery.queryKey,
  { predicate: ({ queryKey }: Query) => queryKey[1] === 'members' },
];

export const useChangeProfile = () =>
  useChange(shown, (body: ProfileChanges) => call(profileRoutes.updateProfile, { body }));

/** @param picture as a data URL; null removes the picture */
export const useSetOwnPicture = () =>
  useChange(shown, (picture: string | null) =>
    picture === null ? call(profileRoutes.removeOwnPicture) : call(profileRoutes.setOwnPicture, { body: { picture } }),
  );

/** The workspaces that keep the account from being deleted. */
export const useAccountDeletion = () =>
  useQuery({
    queryKey: ['account-deletion'],
    queryFn: ({ signal }) => call(profileRoutes.getAccountDeletion, { signal }),
    staleTime: 0,
  });

export const useDeleteAccount = () =>
  useMutation({ mutationFn: (email: string) => call(profileRoutes.deleteAccount, { body: { email } }) });
