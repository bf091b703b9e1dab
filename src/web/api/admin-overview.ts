import { queryOptions, useQuery } from '@tanstack/react-query';
import { adminOverviewRoutes } from '#contract/admin-overview.ts';
import { call } from '#web/api/client.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';

/** The key of a query of the admin console, which belongs to no workspace. */
export const adminKey = (resource: string, ...of: unknown[]): readonly unknown[] => ['admin', resource, ...of];

export const overviewQuery = queryOptions({
  queryKey: adminKey('overview'),
  queryFn: ({ signal }) => call(adminOverviewRoutes.getAdminOverview, { query: { timezone: viewerZone() }, signal }),
});

/** The figures above the tabs, of the installation or of one's own workspaces. Today is the viewer's day. */
export const useAdminOverview = () => useQuery({ ...overviewQuery, refetchInterval: 60_000 });
