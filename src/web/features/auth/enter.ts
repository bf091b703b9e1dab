import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '#web/api/client.ts';
import { secondFactorRequired } from '#web/api/query-client.ts';
import { sessionQuery } from '#web/api/session.ts';
import { twoFactorQuery } from '#web/api/two-factor.ts';

const dashboard = '/dashboard';

/** Whether this is an administrator who has to set up a second factor, now or within days. A failure asks nobody. */
export const isAskedForSecondFactor = (queryClient: QueryClient): Promise<boolean> =>
  queryClient.fetchQuery({ ...twoFactorQuery, staleTime: 0, retry: false }).then(
    ({ required_at: requiredAt }) => requiredAt !== null,
    () => false,
  );

/** Reads the new session and opens the dashboard, or the next address, after a delay (100 ms after a sign-in, 1000 ms after a sign-up). Who is asked for a second factor is led to it first. */
export function useEnter(): (afterMs: number, next?: string) => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (afterMs, next = dashboard) => {
    const moment = new Promise((resolve) => setTimeout(resolve, afterMs));
    try {
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    } catch (cause) {
      if (!(cause instanceof ApiError) || cause.code !== secondFactorRequired) throw cause;
      return navigate({ to: '/auth/code' });
    }
    const [isAsked] = await Promise.all([isAskedForSecondFactor(queryClient), moment]);
    if (isAsked) return navigate({ to: '/auth/two-factor', search: next === dashboard ? {} : { next } });
    await navigate({ href: next });
  };
}
