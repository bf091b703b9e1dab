import { useQuery } from '@tanstack/react-query';
import { adminOverviewRoutes } from '#contract/admin-overview.ts';
import { call } from '#web/api/client.ts';

/** The key of a query of the admin console, which belongs to no workspace. */
export const adminKey = (resource: string, ...of: unknown[]): readonly unknown[] => ['admin', resource, ...of];

/** Whose figures the admin console shows. */
export const useAdminOverview = () =>
  useQuery({
    queryKey: adminKey('overview'),
    queryFn: ({ signal }) => call(adminOverviewRoutes.getAdminOverview, { signal }),
    refetchInterval: 60_000,
  });
