import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sessionQuery } from '#web/api/session.ts';

/** Reads the new session and opens the dashboard after a delay (100 ms after a sign-in, 1000 ms after a sign-up). */
export function useEnter(): (afterMs: number) => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (afterMs) => {
    const moment = new Promise((resolve) => setTimeout(resolve, afterMs));
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    await moment;
    await navigate({ to: '/dashboard' });
  };
}
