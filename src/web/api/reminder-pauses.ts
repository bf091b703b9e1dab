import { type Query, type QueryFilters, useQueryClient } from '@tanstack/react-query';
import { reminderPauseRoutes } from '#contract/reminder-pauses.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { workspacesQuery } from '#web/api/workspaces.ts';

// The workspaces are fetched again, too, because the pause is a part of one.

/** Pauses all reminders of the workspace until an instant. */
export const usePauseAllReminders = () =>
  useChange([workspacesQuery.queryKey, useAboutReminders()], (until: string) =>
    call(reminderPauseRoutes.pauseAllReminders, { body: { until } }),
  );

/** Ends the pause of all reminders. */
export const useResumeAllReminders = () =>
  useChange([workspacesQuery.queryKey, useAboutReminders()], () => call(reminderPauseRoutes.resumeAllReminders, {}));

/** All queries about the reminders of the workspace. */
export function useAboutReminders(): QueryFilters {
  const workspaceId = useWorkspaceId();
  return {
    predicate: ({ queryKey, meta }: Query) =>
      queryKey[0] === workspaceId && (meta?.watches ?? []).includes('reminders'),
  };
}

/** Refetches all queries about reminders now, without waiting for the change stream. */
export function useRefreshReminders(): () => Promise<void> {
  const queryClient = useQueryClient();
  const shown = useAboutReminders();
  return () => queryClient.invalidateQueries(shown);
}
