import { useQuery } from '@tanstack/react-query';
import { statusRoutes } from '#contract/status.ts';
import { call } from '#web/api/client.ts';

/** What works and what does not; asked again every half minute. */
export const useStatus = () =>
  useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => call(statusRoutes.getStatus, { signal }),
    refetchInterval: 30_000,
  });
