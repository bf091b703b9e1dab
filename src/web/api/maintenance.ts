import { queryOptions } from '@tanstack/react-query';
import { workspaceRoutes } from '#contract/workspaces.ts';
import { ApiError, callOnce } from '#web/api/client.ts';

const lookEveryMs = 10_000;

/** Whether the installation is closed to this person: true from the first refusal on, and asked again until it is open. */
export const maintenanceQuery = queryOptions({
  queryKey: ['maintenance'],
  queryFn: ({ signal }) =>
    callOnce(workspaceRoutes.listWorkspaces, { signal }).then(
      () => false,
      // A server that restarts is still under maintenance.
      (error: unknown) => error instanceof ApiError && (error.code === 'maintenance' || error.status === 0),
    ),
  initialData: false,
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: ({ state }) => (state.data === true ? lookEveryMs : false),
  refetchOnWindowFocus: ({ state }) => (state.data === true ? 'always' : false),
});
