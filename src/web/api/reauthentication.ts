import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReauthenticationProof, reauthenticationRoutes } from '#contract/reauthentication.ts';
import { call } from '#web/api/client.ts';

/** How the person proves who they are. */
export const useReauthentication = () =>
  useQuery({
    queryKey: ['reauthentication'],
    queryFn: ({ signal }) => call(reauthenticationRoutes.getReauthentication, { signal }),
    staleTime: 0,
    gcTime: 0,
  });

export const useReauthenticate = () =>
  useMutation({ mutationFn: (body: ReauthenticationProof) => call(reauthenticationRoutes.reauthenticate, { body }) });

export const useMailReauthenticationCode = () =>
  useMutation({ mutationFn: () => call(reauthenticationRoutes.mailReauthenticationCode) });
