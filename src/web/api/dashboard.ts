import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { dashboardRoutes } from '#contract/dashboard.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { keyOf } from '#web/api/query-key.ts';

/** Today's figures and the five most recent reminders. */
export function useDashboard() {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: keyOf(workspaceId, 'dashboard'),
    queryFn: ({ signal }) => call(dashboardRoutes.getDashboard, { signal }),
    meta: { watches: ['reminders', 'jobs', 'workspaces', 'templates', 'contacts', 'channels'] },
  });
}

/** Hides the first steps from this member; resolves after the dashboard shows none. */
export function useDismissFirstSteps() {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  return useMutation({
    mutationFn: () => call(dashboardRoutes.dismissFirstSteps),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keyOf(workspaceId, 'dashboard') }),
  });
}
