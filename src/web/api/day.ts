import { useQuery } from '@tanstack/react-query';
import { dayRoutes } from '#contract/day.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';

/** What goes out in the next 24 hours, and what has failed. */
export function useDay() {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: [workspaceId, 'day'],
    queryFn: ({ signal }) => call(dayRoutes.getDay, { signal }),
    meta: { watches: ['reminders', 'jobs'] },
    // What lies ahead moves with the time, too.
    refetchInterval: 60_000,
  });
}

/** What was sent on each of the last 30 days of the viewer's calendar; it may be some minutes old. */
export function useDeliveryDays(timezone: string) {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: [workspaceId, 'delivery days', timezone],
    queryFn: ({ signal }) => call(dayRoutes.getDeliveryDays, { query: { timezone }, signal }),
    refetchInterval: 5 * 60_000,
  });
}
