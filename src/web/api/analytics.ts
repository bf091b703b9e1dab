import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { analyticsRoutes } from '#contract/analytics.ts';
import { call } from '#web/api/client.ts';
import { fileUrl } from '#web/api/file-url.ts';
import { keyOf } from '#web/api/query-key.ts';
import { viewerZone } from '#web/ui/InstantText.tsx';

/** What a workspace has, how its jobs ended, and the latest of them. */
export const useAnalytics = (workspaceId: string) =>
  useQuery({
    queryKey: keyOf(workspaceId, 'analytics', 'counts'),
    queryFn: ({ signal }) => call(analyticsRoutes.getAnalytics, { workspaceId, signal }),
    refetchInterval: 60_000,
  });

/** Days of the viewer as 2026-12-01, both included. */
export type DayRange = { from: string; to: string };

/** What became of the messages of these days. */
export const useDeliveryAnalytics = (workspaceId: string, range: DayRange) =>
  useQuery({
    queryKey: keyOf(workspaceId, 'analytics', 'deliveries', range),
    queryFn: ({ signal }) =>
      call(analyticsRoutes.getDeliveryAnalytics, {
        query: { ...range, timezone: viewerZone() },
        workspaceId,
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: 5 * 60_000,
  });

/** The URL of the messages per day and channel, as a file. */
export const deliveryDaysFileUrl = (workspaceId: string, range: DayRange) =>
  fileUrl(analyticsRoutes.exportDeliveryAnalytics.path, { ...range, timezone: viewerZone(), workspace: workspaceId });
