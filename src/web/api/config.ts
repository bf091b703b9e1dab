import { queryOptions } from '@tanstack/react-query';
import { installationRoutes } from '#contract/installation.ts';
import { call } from '#web/api/client.ts';

/** What this installation offers; does not change while the page is open. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => call(installationRoutes.getConfig, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
