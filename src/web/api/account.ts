import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { accountRoutes } from '#contract/account.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { sessionQuery } from '#web/api/session.ts';

// The key of queries about the account, which belongs to no workspace.
const accountKey = ['account'];
const devicesKey = ['account-devices'];

/** How the person signs in. */
export const useAccount = () =>
  useQuery({ queryKey: accountKey, queryFn: ({ signal }) => call(accountRoutes.getAccount, { signal }) });

/** Other browsers are signed out, and an address that waited is forgotten. */
export const useChangePassword = () =>
  useChange([accountKey, devicesKey], (body: { current_password: string; new_password: string }) =>
    call(accountRoutes.changePassword, { body }),
  );

export const useChangeEmail = () =>
  useChange([accountKey], (body: { email: string }) => call(accountRoutes.changeEmail, { body }));

export const useCancelEmailChange = () => useChange([accountKey], () => call(accountRoutes.cancelEmailChange));

export function useConfirmEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => call(accountRoutes.confirmEmail, { body: { token } }),
    onSuccess: async () => {
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await queryClient.invalidateQueries({ queryKey: accountKey });
    },
  });
}

/** The browsers in which the person is signed in, last used first. */
export const useDevices = () =>
  useQuery({
    queryKey: devicesKey,
    queryFn: async ({ signal }) => (await call(accountRoutes.listDevices, { signal })).data,
  });

/** Signs one browser out, or all but this one. */
export const useSignOutDevices = () =>
  useChange(
    [devicesKey],
    async (which: { id: string } | 'others') => {
      if (which === 'others') await call(accountRoutes.signOutOthers);
      else await call(accountRoutes.signOutDevice, { params: { id: which.id } });
    },
    { alsoAfterFailure: true },
  );
