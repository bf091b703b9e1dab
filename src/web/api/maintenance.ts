import { queryOptions } from '@tanstack/react-query';
import { workspaceRoutes } from '#contract/workspaces.ts';
import { ApiError, callOnce } from '#web/api/client.ts';
import { maintenanceKey } from '#web/api/query-client.ts';

const lookEveryMs = 10_000;

/** Whether the installation is still closed to this person; fetched until it is open. */
export const maintenanceQuery = queryOptions({
  queryKey: maintenanceKey,
  queryFn: ({ signal }) =>
    callOnce(workspaceRoutes.listWorkspaces, { signal }).then(
      () => false,
      // A server that restarts, or fails meanwhile, is still under maintenance.
      (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 500),
    ),
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: lookEveryMs,
  refetchOnWindowFocus: 'always',
});
