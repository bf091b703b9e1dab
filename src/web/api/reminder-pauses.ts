import { type Query, useMutation, useQueryClient } from '@tanstack/react-query';
import { reminderPauseRoutes } from '#contract/reminder-pauses.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { workspacesQuery } from '#web/api/workspaces.ts';

/** Pauses all reminders of the workspace until an instant. */
export function usePauseAllReminders() {
  const refresh = useRefreshAll();
  return useMutation({
    mutationFn: (until: string) => call(reminderPauseRoutes.pauseAllReminders, { body: { until } }),
    onSuccess: refresh,
  });
}

/** Ends the pause of all reminders. */
export function useResumeAllReminders() {
  const refresh = useRefreshAll();
  return useMutation({ mutationFn: () => call(reminderPauseRoutes.resumeAllReminders, {}), onSuccess: refresh });
}

/** Refetches reminders and workspaces, of which the pause is a part. */
function useRefreshAll(): () => Promise<unknown> {
  const queryClient = useQueryClient();
  const refresh = useRefreshReminders();
  return () => Promise.all([queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey }), refresh()]);
}

/** Refetches all queries about reminders now, without waiting for the change stream. */
export function useRefreshReminders(): () => Promise<void> {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  const isOfReminders = ({ queryKey, meta }: Query) =>
    queryKey[0] === workspaceId && (meta?.watches ?? []).includes('reminders');
  return () => queryClient.invalidateQueries({ predicate: isOfReminders });
}
