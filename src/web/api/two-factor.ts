import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { twoFactorRoutes } from '#contract/two-factor.ts';
import { call } from '#web/api/client.ts';
import { ask, sessionQuery } from '#web/api/session.ts';

const stateKey = ['two-factor'];
const post = <A extends z.ZodType>(path: string, { body, answer }: { body: object; answer: A }) =>
  ask('post', `/api/auth/two-factor/${path}`, { body, answer });

const Done = z.object({ status: z.literal(true) });
const Codes = z.object({ backupCodes: z.array(z.string()) });
const TwoFactorSetup = Codes.extend({ totpURI: z.string() });
export type TwoFactorSetup = z.output<typeof TwoFactorSetup>;

/** Whether the second factor is on, how many recovery codes are left, and whether it is asked for. */
export const twoFactorQuery = queryOptions({
  queryKey: stateKey,
  queryFn: ({ signal }) => call(twoFactorRoutes.getTwoFactor, { signal }),
});
export const useTwoFactor = () => useQuery(twoFactorQuery);

/** The second step of a sign-in: a code of the app, or a recovery code. */
export const enterCode = ({ code, isRecovery }: { code: string; isRecovery: boolean }) =>
  post(isRecovery ? 'verify-backup-code' : 'verify-totp', { body: { code }, answer: Done });

/** Creates the secret for an app, and recovery codes. The second factor is off until the first code. */
export const useBeginTwoFactor = () =>
  useMutation({
    mutationFn: (password: string | undefined) => post('enable', { body: { password }, answer: TwoFactorSetup }),
  });

export function useEnableTwoFactor() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (code: string) => post('verify-totp', { body: { code }, answer: Done }),
    onSuccess: refresh,
  });
}

export function useDisableTwoFactor() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: () => post('disable', { body: {}, answer: Done }), onSuccess: refresh });
}

export function useRenewRecoveryCodes() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async () => (await post('generate-backup-codes', { body: {}, answer: Codes })).backupCodes,
    onSuccess: refresh,
  });
}

function useRefresh(): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: stateKey }),
      queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }),
    ]);
}
