import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '#web/api/client.ts';
import { secondFactorRequired } from '#web/api/query-client.ts';
import { sessionQuery } from '#web/api/session.ts';

/** Reads the new session and opens the dashboard, or the next address, after a delay (100 ms after a sign-in, 1000 ms after a sign-up). */
export function useEnter(): (afterMs: number, next?: string) => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (afterMs, next = '/dashboard') => {
    const moment = new Promise((resolve) => setTimeout(resolve, afterMs));
    try {
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    } catch (cause) {
      if (!(cause instanceof ApiError) || cause.code !== secondFactorRequired) throw cause;
      return navigate({ to: '/auth/code' });
    }
    await moment;
    await navigate({ href: next });
  };
}
