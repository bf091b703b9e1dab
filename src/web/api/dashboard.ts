import { useQuery } from '@tanstack/react-query';
import { dashboardRoutes } from '#contract/dashboard.ts';
import { useWorkspaceChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { useKey } from '#web/api/query-key.ts';

/** Today's figures and the five most recent reminders. */
export const useDashboard = () =>
  useQuery({
    queryKey: useKey('dashboard'),
    queryFn: ({ signal }) => call(dashboardRoutes.getDashboard, { signal }),
    meta: { watches: ['reminders', 'jobs', 'workspaces', 'templates', 'contacts', 'channels'] },
  });

/** Hides the first steps from this member; resolves after the dashboard shows none. */
export const useDismissFirstSteps = () =>
  useWorkspaceChange('dashboard', () => call(dashboardRoutes.dismissFirstSteps));
