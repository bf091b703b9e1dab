import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { jobRoutes } from '#contract/jobs.ts';
import { type Reach, type ReachBody, type ReachCount, type ReachQuery, reachRoutes } from '#contract/reach.ts';
import type { Change } from '#contract/realtime.ts';
import { call } from '#web/api/client.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { useKey } from '#web/api/query-key.ts';

/** A reminder that is being written, a saved one, or a job that has not started. */
export type ReachOf = { draft: ReachBody } | { reminderId: string } | { jobId: string };

type Asked = { of: ReachOf; query?: Partial<ReachQuery>; signal?: AbortSignal };

/** Who would get a message if it were sent now. */
export function readReach({ of, query = {}, signal }: Asked): Promise<Reach> {
  if ('draft' in of) return call(reachRoutes.askReach, { body: of.draft, query, signal });
  if ('jobId' in of) return call(jobRoutes.getJobReach, { params: { id: of.jobId }, query, signal });
  return call(reachRoutes.getReminderReach, { params: { id: of.reminderId }, query, signal });
}

const watches: Change['table'][] = [
  'contacts',
  'contact_groups',
  'suppressions',
  'topics',
  'channels',
  'reminders',
  'jobs',
];

/** How many people it would reach, by kind; null asks nothing. */
export const useReach = (of: ReachOf | null) =>
  useQuery({
    queryKey: useKey('reach', 'counts', of),
    queryFn: of === null ? skipToken : ({ signal }) => readReach({ of, signal }),
    placeholderData: of === null ? undefined : keepPreviousData,
    meta: { watches },
  });

const offered = 100;

/** The first people that it would reach, by name; null asks nothing. */
export const useFirstReached = (of: ReachOf | null) =>
  useQuery({
    queryKey: useKey('reach', 'first', of),
    queryFn:
      of === null
        ? skipToken
        : async ({ signal }) => (await readReach({ of, query: { kind: 'reached', limit: offered }, signal })).data,
    placeholderData: of === null ? undefined : keepPreviousData,
    meta: { watches },
  });

/** The people of one kind, by name; `data` is one flat list of the pages loaded so far. */
export const useReachPeople = (of: ReachOf, { kind, of: what }: Pick<ReachCount, 'kind' | 'of'>) =>
  usePagedList({
    queryKey: useKey('reach', 'people', { of, kind, what }),
    read: ({ cursor, signal }) =>
      readReach({
        of,
        query: { kind, ...(what !== null && { of: what }), ...(cursor !== '' && { cursor }) },
        signal,
      }),
    watches,
  });
