import { useQuery } from '@tanstack/react-query';
import { dashboardRoutes } from '#contract/dashboard.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';

/** The figures of the day and the five most recent reminders. */
export function useDashboard() {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: [workspaceId, 'dashboard'],
    queryFn: ({ signal }) => call(dashboardRoutes.getDashboard, { signal }),
    meta: { watches: ['reminders', 'jobs', 'workspaces', 'templates'] },
  });
}
