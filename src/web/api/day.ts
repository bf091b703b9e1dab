import { useQuery } from '@tanstack/react-query';
import { dayRoutes } from '#contract/day.ts';
import { call } from '#web/api/client.ts';
import { useKey } from '#web/api/query-key.ts';

/** The jobs of the next 24 hours, and the failed ones. */
export const useDay = () =>
  useQuery({
    queryKey: useKey('day'),
    queryFn: ({ signal }) => call(dayRoutes.getDay, { signal }),
    meta: { watches: ['reminders', 'jobs'] },
    // Fetched again regularly, because the next 24 hours change as time passes.
    refetchInterval: 60_000,
  });

/** Deliveries per channel on each of the last 30 days in the viewer's zone; may be a few minutes old. */
export const useDeliveryDays = (timezone: string) =>
  useQuery({
    queryKey: useKey('analytics', 'days', { timezone }),
    queryFn: ({ signal }) => call(dayRoutes.getDeliveryDays, { query: { timezone }, signal }),
    refetchInterval: 5 * 60_000,
  });
