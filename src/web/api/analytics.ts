import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { analyticsRoutes } from '#contract/analytics.ts';
import { call } from '#web/api/client.ts';
import { fileUrl } from '#web/api/file-url.ts';
import { keyOf } from '#web/api/query-key.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { isClosed, workspacesQuery } from '#web/api/workspaces.ts';

const countsOf = (workspaceId: string) =>
  queryOptions({
    queryKey: keyOf(workspaceId, 'analytics', 'counts'),
    queryFn: ({ signal }) => call(analyticsRoutes.getAnalytics, { workspaceId, signal }),
  });

/** What a workspace has, how its jobs ended, and the latest of them. */
export const useAnalytics = (workspaceId: string) => useQuery({ ...countsOf(workspaceId), refetchInterval: 60_000 });

/** Days of the viewer such as 2026-12-01; both are included. */
export type DayRange = { from: string; to: string };

const deliveriesOf = (workspaceId: string, range: DayRange) =>
  queryOptions({
    queryKey: keyOf(workspaceId, 'analytics', 'deliveries', range),
    queryFn: ({ signal }) =>
      call(analyticsRoutes.getDeliveryAnalytics, {
        query: { ...range, timezone: viewerZone() },
        workspaceId,
        signal,
      }),
  });

/** What became of the messages of these days. */
export const useDeliveryAnalytics = (workspaceId: string, range: DayRange) =>
  useQuery({
    ...deliveriesOf(workspaceId, range),
    placeholderData: keepPreviousData,
    refetchInterval: 5 * 60_000,
  });

/** Fetches both before the screen is shown, for a member's workspace only. */
export async function prefetchAnalytics(
  queryClient: QueryClient,
  { workspaceId, range }: { workspaceId: string; range: DayRange | null },
): Promise<void> {
  const workspaces = await queryClient.ensureQueryData(workspacesQuery);
  const workspace = workspaces.find(({ id }) => id === workspaceId);
  if (workspace === undefined || isClosed(workspace)) return;
  if (range !== null) void queryClient.prefetchQuery(deliveriesOf(workspaceId, range));
  await queryClient.prefetchQuery(countsOf(workspaceId));
}

/** The URL of the messages per day and channel, as a file. */
export const deliveryDaysFileUrl = (workspaceId: string, range: DayRange) =>
  fileUrl(analyticsRoutes.exportDeliveryAnalytics.path, { ...range, timezone: viewerZone(), workspace: workspaceId });
