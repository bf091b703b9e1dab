import { queryOptions } from '@tanstack/react-query';
import { installationRoutes } from '#contract/installation.ts';
import { call } from '#web/api/client.ts';

/** The features of this installation. They do not change while the page is open. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => call(installationRoutes.getConfig, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
