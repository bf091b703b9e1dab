import { useQuery } from '@tanstack/react-query';
import { demoRequestRoutes } from '#contract/demo-requests.ts';
import { adminKey } from '#web/api/admin-overview.ts';
import { call } from '#web/api/client.ts';

/** Who asked for a demo on the landing page, newest first. */
export const useDemoRequests = () =>
  useQuery({
    queryKey: adminKey('demo-requests'),
    queryFn: async ({ signal }) => (await call(demoRequestRoutes.listDemoRequests, { signal })).data,
    refetchInterval: 60_000,
  });
