import {
  type InfiniteData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { z } from 'zod';
import { executionRoutes, type JobExecution } from '#contract/executions.ts';
import type { RecipientGroup } from '#contract/job-states.ts';
import { type DeliveryWithTimeline, deliveryRoutes, type ReportLine } from '#contract/deliveries.ts';
import { type JobCounts, JobSummary, jobRoutes } from '#contract/jobs.ts';
import { Page } from '#contract/common.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { JobAction } from '#domain/job-state.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { type PagedList, type PageOf, prefetchPages, rowsOf, usePagedList } from '#web/api/paged-list.ts';
import {
  archivedOf,
  type Days,
  type JobFilter,
  type JobTime,
  rangeOf,
  type runTimes,
  sortOf,
  statusOf,
  testsOf,
} from '#web/api/job-filter.ts';
import { dateNow, useToday } from '#web/api/today.ts';
import { fileUrl } from '#web/api/file-url.ts';
import { keyOf, useKey } from '#web/api/query-key.ts';

type Counts = z.output<typeof JobCounts>;

/** The payload is loaded with the job when its dialog opens. */
const listSummaries = { ...jobRoutes.listJobs, answer: Page(JobSummary) };

/** The jobs that match a filter, page by page: newest first, or by their time where they lie ahead. */
export function useJobs(filter: JobFilter) {
  const today = useToday();
  return usePagedList(jobList({ filter, today, workspaceId: useWorkspaceId() }));
}

type JobListOf = { filter: JobFilter; workspaceId: string; today: string };

const jobList = ({ filter, workspaceId, today }: JobListOf): PagedList<z.output<typeof JobSummary>> => ({
  queryKey: keyOf(workspaceId, 'jobs', 'list', { ...filter, today: filter.time && today }),
  refetchInterval: refetchEvery(filter.time),
  read: ({ cursor, signal }) => {
    const range = rangeOf(filter.time, new Date(), filter);
    const query = {
      ...range,
      status: statusOf(filter),
      archived: archivedOf(filter),
      tests: testsOf(filter),
      search: filter.search,
      sort: sortOf(filter),
      cursor,
    };
    return call(listSummaries, { query: { ...query, view: 'summary' }, signal, workspaceId });
  },
  watches: ['jobs'],
  keepsRows: true,
});

/** Reads the first jobs that match a filter before the list asks for them. */
export const prefetchJobs = (queryClient: QueryClient, of: Omit<JobListOf, 'today'>): Promise<void> =>
  prefetchPages(queryClient, jobList({ ...of, today: dateNow() }));

/** No change event is sent when a pending job becomes past due. */
const refetchEvery = (time: JobTime | undefined) => (time === 'past-due' ? 30_000 : false);

/** The number of jobs per status in that time range and archive filter. */
export function useJobCounts({ time, from, to, archived, tests }: Omit<JobFilter, 'status' | 'search'>) {
  const workspaceId = useWorkspaceId();
  const today = useToday();
  return useQuery({
    queryKey: keyOf(workspaceId, 'jobs', 'counts', { time, from, to, archived, tests, today: time && today }),
    refetchInterval: refetchEvery(time),
    queryFn: async ({ signal }) => {
      const counts = await call(jobRoutes.countJobs, {
        query: {
          ...rangeOf(time, new Date(), { from, to }),
          archived: archivedOf({ archived }),
          tests: testsOf({ tests }),
        },
        signal,
      });
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

/** The runs of a reminder, newest first, page by page. */
export const useReminderRuns = (id: string) =>
  usePagedList({
    queryKey: useKey('jobs', 'runs', id),
    read: ({ cursor, signal }) =>
      call(jobRoutes.listReminderRuns, { params: { id }, query: { limit: 25, cursor }, signal }),
    watches: ['jobs', 'deliveries'],
  });

export const useJob = (id: string) => useQuery(jobQuery({ id, workspaceId: useWorkspaceId() }));

const jobQuery = ({ id, workspaceId }: { id: string; workspaceId: string }) =>
  queryOptions({
    queryKey: keyOf(workspaceId, 'jobs', 'one', id),
    queryFn: ({ signal }) => call(jobRoutes.getJob, { params: { id }, signal, workspaceId }),
    meta: { watches: ['jobs', 'deliveries'] },
  });

type RecipientFilter = { group?: RecipientGroup | undefined; search?: string | undefined };

/** The deliveries of a job, problems first, page by page. */
export const useDeliveries = (jobId: string, filter: RecipientFilter = {}) =>
  usePagedList(deliveryList({ jobId, ...filter, workspaceId: useWorkspaceId() }));

const deliveryList = ({
  workspaceId,
  jobId,
  group,
  search,
}: RecipientFilter & { workspaceId: string; jobId: string }): PagedList<z.output<typeof DeliveryWithTimeline>> => ({
  queryKey: keyOf(workspaceId, 'deliveries', 'list', { jobId, group, search }),
  read: ({ cursor, signal }) =>
    call(deliveryRoutes.listDeliveries, {
      params: { id: jobId },
      query: { group, search, order: 'problems_first', cursor },
      signal,
      workspaceId,
    }),
  watches: ['jobs', 'deliveries'],
  keepsRows: true,
});

/** Reads a job and its first deliveries before its dialog asks for them. */
export const prefetchJob = (
  queryClient: QueryClient,
  { id, workspaceId, ...filter }: RecipientFilter & { id: string; workspaceId: string },
): Promise<unknown> =>
  Promise.all([
    queryClient.prefetchQuery(jobQuery({ id, workspaceId })),
    prefetchPages(queryClient, deliveryList({ jobId: id, workspaceId, ...filter })),
  ]);

/** One person of a report: a contact's id, or the address or number of a recipient who is none. */
export type ReportPerson = { contact?: string | undefined; recipient?: string | undefined };

/** How many messages a report loads at a time: printing shows what is loaded. */
export const reportLinesLoaded = 1_000;

/** The messages of a job with their events and texts, problems first; a page is read once and does not refetch. */
export const useReport = (jobId: string, person: ReportPerson) =>
  useInfiniteQuery({
    queryKey: useKey('deliveries', 'report', { jobId, ...person }),
    queryFn: async ({ pageParam, signal }) => {
      const lines: ReportLine[] = [];
      let cursor: string | null = pageParam;
      while (cursor !== null && lines.length < reportLinesLoaded) {
        const page: PageOf<ReportLine> = await call(deliveryRoutes.getReport, {
          params: { id: jobId },
          query: { ...person, cursor },
          signal,
        });
        lines.push(...page.data);
        cursor = page.next_cursor;
      }
      return { lines, next: cursor, at: new Date().toISOString() };
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => ({ lines: pages.flatMap(({ lines }) => lines), at: pages.at(-1)?.at ?? '' }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** The URL of a job's report as a file, of all people or one. */
export const reportFileUrl = (workspaceId: string, { jobId, ...person }: ReportPerson & { jobId: string }) =>
  fileUrl(deliveryRoutes.exportReport.path.replace(':id', jobId), { ...person, workspace: workspaceId });

/** The message that a recipient of a job got on a channel, or will get. */
export function useMessage(jobId: string, to: { channel: ChannelType; recipient: string; isSent: boolean }) {
  const workspaceId = useWorkspaceId();
  const { channel, recipient } = to;
  return useQuery({
    queryKey: keyOf(workspaceId, 'deliveries', 'message', { jobId, ...to }),
    queryFn: ({ signal }) =>
      call(deliveryRoutes.getMessage, { params: { id: jobId }, query: { channel, recipient }, signal }),
    meta: { watches: ['reminders'] },
  });
}

/** The URL of a job's ledger as a file. */
export const ledgerFileUrl = (workspaceId: string, jobId: string) =>
  `${deliveryRoutes.exportDeliveries.path.replace(':id', jobId)}?workspace=${encodeURIComponent(workspaceId)}`;

/** One execution of any age; shown at once when a loaded list holds it. */
export function useExecution(id: string) {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  const listed = () =>
    queryClient
      .getQueriesData<InfiniteData<PageOf<JobExecution>>>({ queryKey: keyOf(workspaceId, 'executions', 'list') })
      .flatMap(([, pages]) => (pages ? rowsOf(pages) : []))
      .find((execution) => execution.id === id);
  return useQuery({
    queryKey: keyOf(workspaceId, 'executions', 'one', id),
    queryFn: ({ signal }) => call(executionRoutes.getJobExecution, { params: { id }, signal }),
    placeholderData: listed,
  });
}

/** The filters of executions; an omitted field does not filter. */
export type RunFilter = Days & {
  time?: (typeof runTimes)[number] | undefined;
  status?: JobExecution['status'] | undefined;
  channel?: ChannelType | undefined;
  reminderId?: string | undefined;
  search?: string | undefined;
};

/** The latest executions of one job, or of those that match a filter, newest first, 100 per page. */
export function useExecutions({ jobId, ...filter }: RunFilter & { jobId?: string } = {}) {
  const workspaceId = useWorkspaceId();
  const today = useToday();
  return usePagedList({
    queryKey: keyOf(workspaceId, 'executions', 'list', { jobId, ...filter, today: filter.time && today }),
    read: ({ cursor, signal }) =>
      call(executionRoutes.listJobExecutions, {
        query: { ...runQuery(filter), job_id: jobId, limit: 100, cursor },
        signal,
      }),
    watches: ['jobs'],
    keepsRows: true,
  });
}

const runQuery = ({ time, from, to, status, channel, reminderId, search }: RunFilter) => ({
  ...rangeOf(time, new Date(), { from, to }),
  status,
  channel,
  reminder_id: reminderId,
  search,
});

/** The URL of the executions that match a filter, as a file. */
export const runsFileUrl = (workspaceId: string, filter: RunFilter) =>
  fileUrl(executionRoutes.exportJobExecutions.path, { ...runQuery(filter), workspace: workspaceId });

/** The URL of the deliveries of a range of days as a file. */
export const deliveriesFileUrl = (workspaceId: string, days: Days) =>
  fileUrl(deliveryRoutes.exportLedger.path, { ...rangeOf('dates', new Date(), days), workspace: workspaceId });

/** The URL of the jobs that match a filter, as a file. */
export const jobsFileUrl = (workspaceId: string, filter: JobFilter) =>
  fileUrl(jobRoutes.exportJobs.path, {
    ...rangeOf(filter.time, new Date(), filter),
    status: statusOf(filter),
    archived: archivedOf(filter),
    tests: testsOf(filter),
    search: filter.search,
    workspace: workspaceId,
  });

const actionRoutes = {
  pause: jobRoutes.pauseJob,
  resume: jobRoutes.resumeJob,
  retry: jobRoutes.retryJob,
  cancel: jobRoutes.cancelJob,
} as const satisfies Record<JobAction, unknown>;

/** Pauses, resumes, retries or cancels a job; resolves after all queries about it are refetched. */
export function useJobAction() {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  return useMutation({
    mutationFn: ({ action, id }: { action: JobAction; id: string }) => call(actionRoutes[action], { params: { id } }),
    onSuccess: async (job) => {
      queryClient.setQueryData(keyOf(workspaceId, 'jobs', 'one', job.id), job);
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keyOf(workspaceId, 'jobs') }),
        queryClient.invalidateQueries({ queryKey: keyOf(workspaceId, 'deliveries', 'list') }),
      ]);
    },
  });
}
