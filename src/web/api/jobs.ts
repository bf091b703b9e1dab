import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { type DeliveryWithTimeline, type JobCounts, type JobExecution, jobRoutes } from '#contract/jobs.ts';
import type { ChannelType } from '#contract/reminders.ts';
import type { JobAction } from '#domain/job-state.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { type JobFilter, type JobTime, rangeOf, statusOf } from '#web/api/job-filter.ts';
import { useToday } from '#web/api/today.ts';

type Counts = z.output<typeof JobCounts>;
type PageOf<Item> = { data: Item[]; next_cursor: string | null };

const rowsOf = <Item>({ pages }: InfiniteData<PageOf<Item>>): Item[] => pages.flatMap(({ data }) => data);
// An empty cursor is not sent: it asks for the first page.
const paging = { initialPageParam: '', getNextPageParam: ({ next_cursor }: PageOf<unknown>) => next_cursor };

/** The jobs that a filter lets through, newest first, page by page. */
export function useJobs(filter: JobFilter) {
  const workspaceId = useWorkspaceId();
  const today = useToday();
  return useInfiniteQuery({
    ...paging,
    queryKey: [workspaceId, 'jobs', 'list', filter, ...(filter.time === undefined ? [] : [today])],
    refetchInterval: refetchEvery(filter.time),
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { ...rangeOf(filter.time, new Date()), status: statusOf(filter), search: filter.search, cursor };
      return call(jobRoutes.listJobs, { query, signal });
    },
    select: rowsOf,
    placeholderData: (shown) => shown,
    meta: { watches: ['jobs'] },
  });
}

/** Nothing tells when a job that waits becomes past due. */
const refetchEvery = (time: JobTime | undefined) => (time === 'past-due' ? 30_000 : false);

/** How many jobs of that time stand in each status. */
export function useJobCounts(time: JobTime | undefined) {
  const workspaceId = useWorkspaceId();
  const today = useToday();
  return useQuery({
    queryKey: [workspaceId, 'jobs', 'counts', time, ...(time === undefined ? [] : [today])],
    refetchInterval: refetchEvery(time),
    queryFn: async ({ signal }) => {
      const counts = await call(jobRoutes.countJobs, { query: rangeOf(time, new Date()), signal });
      return time === 'past-due' ? onlyPending(counts) : counts;
    },
    placeholderData: (shown) => shown,
    meta: { watches: ['jobs'] },
  });
}

const onlyPending = ({ pending }: Counts): Counts => ({
  total: pending,
  pending,
  running: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  paused: 0,
});

/** One job. */
export function useJob(id: string) {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: [workspaceId, 'jobs', 'one', id],
    queryFn: ({ signal }) => call(jobRoutes.getJob, { params: { id }, signal }),
    meta: { watches: ['jobs'] },
  });
}

/** What became of each recipient of a job, page by page. */
export function useDeliveries(jobId: string) {
  const workspaceId = useWorkspaceId();
  return useInfiniteQuery({
    ...paging,
    queryKey: [workspaceId, 'deliveries', jobId],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(jobRoutes.listDeliveries, { params: { id: jobId }, query: { cursor }, signal }),
    select: rowsOf,
    meta: { watches: ['jobs', 'deliveries'] },
  });
}

/** Every recipient of a job with what happened to them, as it stands now: it is not kept fresh. */
export function useWholeLedger(jobId: string) {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: [workspaceId, 'ledger', jobId],
    queryFn: async ({ signal }) => {
      const lines: DeliveryWithTimeline[] = [];
      for (let cursor: string | undefined | null; cursor !== null; ) {
        const query = { limit: 200, cursor };
        const page: PageOf<DeliveryWithTimeline> = await call(jobRoutes.listDeliveries, {
          params: { id: jobId },
          query,
          signal,
        });
        lines.push(...page.data);
        cursor = page.next_cursor;
      }
      // As the list was written.
      return { lines: lines.toReversed(), at: new Date().toISOString() };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Whom a job that has not begun would reach. */
export function useJobTargets(jobId: string) {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: [workspaceId, 'targets', jobId],
    queryFn: ({ signal }) => call(jobRoutes.listJobTargets, { params: { id: jobId }, signal }),
    meta: { watches: ['jobs', 'reminders'] },
  });
}

/** What a recipient of a job got on a channel, or is to get. */
export function useMessage(jobId: string, to: { channel: ChannelType; recipient: string; isSent: boolean }) {
  const workspaceId = useWorkspaceId();
  const { channel, recipient } = to;
  return useQuery({
    queryKey: [workspaceId, 'message', jobId, to],
    queryFn: ({ signal }) =>
      call(jobRoutes.getMessage, { params: { id: jobId }, query: { channel, recipient }, signal }),
    meta: { watches: ['reminders'] },
  });
}

/** Where the ledger of a job comes as a file. */
export const ledgerFileUrl = (workspaceId: string, jobId: string) =>
  `${jobRoutes.exportDeliveries.path.replace(':id', jobId)}?workspace=${encodeURIComponent(workspaceId)}`;

/** One run of the engine, however far back; at once where it is in a list already. */
export function useExecution(id: string) {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  const listed = () =>
    queryClient
      .getQueriesData<InfiniteData<PageOf<JobExecution>>>({ queryKey: [workspaceId, 'executions'] })
      .flatMap(([, pages]) => (pages ? rowsOf(pages) : []))
      .find((execution) => execution.id === id);
  return useQuery({
    queryKey: [workspaceId, 'execution', id],
    queryFn: ({ signal }) => call(jobRoutes.getJobExecution, { params: { id }, signal }),
    placeholderData: listed,
  });
}

/** The latest runs of the engine, of one job or of all, newest first, 100 to a page. */
export function useExecutions({ jobId }: { jobId?: string } = {}) {
  const workspaceId = useWorkspaceId();
  return useInfiniteQuery({
    ...paging,
    queryKey: [workspaceId, 'executions', jobId],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(jobRoutes.listJobExecutions, { query: { job_id: jobId, limit: 100, cursor }, signal }),
    select: rowsOf,
    meta: { watches: ['jobs'] },
  });
}

const actionRoutes = {
  pause: jobRoutes.pauseJob,
  resume: jobRoutes.resumeJob,
  retry: jobRoutes.retryJob,
  cancel: jobRoutes.cancelJob,
} as const satisfies Record<JobAction, unknown>;

/** Pauses, resumes, retries or cancels a job; once done, everything shown of it is fresh. */
export function useJobAction() {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  return useMutation({
    mutationFn: ({ action, id }: { action: JobAction; id: string }) => call(actionRoutes[action], { params: { id } }),
    onSuccess: async (job) => {
      queryClient.setQueryData([workspaceId, 'jobs', 'one', job.id], job);
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: [workspaceId, 'jobs'] }),
        queryClient.invalidateQueries({ queryKey: [workspaceId, 'deliveries', job.id] }),
      ]);
    },
  });
}
