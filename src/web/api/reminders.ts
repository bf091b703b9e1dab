import {
  keepPreviousData,
  type Query,
  type QueryClient,
  skipToken,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { z } from 'zod';
import {
  type BulkAction,
  type BulkAnswer,
  bulkLimit,
  type ReminderInput,
  type ReminderSort,
  type ReminderStatus,
  reminderRoutes,
  type TestBody,
} from '#contract/reminders.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';

/** `search` in name and description; no `status` means all, no `sort` the newest first. */
type ReminderFilters = { search?: string; status?: ReminderStatus; sort?: ReminderSort };

/** The reminders that match; `data` is one flat list of the pages loaded so far. */
export function useReminders({ search, status, sort }: ReminderFilters, pageSize: number) {
  const workspaceId = useWorkspaceId();
  return useInfiniteQuery({
    queryKey: [workspaceId, 'reminders', { search, status, sort }, pageSize],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(reminderRoutes.listReminders, { query: { search, status, sort, limit: pageSize, cursor }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    placeholderData: keepPreviousData,
    meta: { watches: ['reminders'] },
  });
}

/** One reminder, always fresh from the server: what is edited must not be an old copy. */
export function useReminder(id: string) {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: [workspaceId, 'reminder', id],
    queryFn: ({ signal }) => call(reminderRoutes.getReminder, { params: { id }, signal }),
    gcTime: 0,
    staleTime: 0,
    meta: { watches: ['reminders'] },
  });
}

type ReminderBody = z.input<typeof ReminderInput>;

/** Creates a reminder, or updates the one with the given id. */
export function useSaveReminder(id?: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: ReminderBody) =>
      id === undefined
        ? call(reminderRoutes.createReminder, { body })
        : call(reminderRoutes.updateReminder, { params: { id }, body }),
    onSuccess: () => void refresh(),
  });
}

/** Pauses or resumes; done once the lists show it. */
export function useSetReminderStatus() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id, status }: { id: string; status: 'active' | 'paused' }) =>
      call(reminderRoutes.setReminderStatus, { params: { id }, body: { status } }),
    onSuccess: refresh,
  });
}

/** Deletes; done once the lists show it. */
export function useDeleteReminder() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => call(reminderRoutes.deleteReminder, { params: { id } }),
    onSuccess: refresh,
  });
}

/** Pauses, resumes, deletes or restores several, and answers what became of each; done once the lists show it. */
export function useActOnReminders() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ ids, action }: { ids: readonly string[]; action: BulkAction | 'restore' }) => {
      const results: BulkAnswer['results'] = [];
      for (let at = 0; at < ids.length; at += bulkLimit) {
        const part = ids.slice(at, at + bulkLimit);
        const answer = await (action === 'restore'
          ? call(reminderRoutes.restoreReminders, { body: { ids: part } })
          : call(reminderRoutes.actOnReminders, { body: { ids: part, action } }));
        results.push(...answer.results);
      }
      return results;
    },
    // Of several requests the first may have done its part when a later one fails.
    onSettled: refresh,
  });
}

/** Copies a reminder into a draft, and answers that. */
export function useDuplicateReminder() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => call(reminderRoutes.duplicateReminder, { params: { id } }),
    onSuccess: () => void refresh(),
  });
}

/** When a reminder will be sent next, and what is to be said of it. */
export function useOccurrences(id: string) {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: [workspaceId, 'occurrences', id],
    queryFn: ({ signal }) => call(reminderRoutes.listOccurrences, { params: { id }, signal }),
    meta: { watches: ['reminders', 'jobs', 'workspaces'] },
  });
}

/** Sends a reminder at once to the given recipients only. */
export function useTestReminder(id: string) {
  return useMutation({
    mutationFn: (body: z.input<typeof TestBody>) => call(reminderRoutes.testReminder, { params: { id }, body }),
  });
}

/** The next occurrences of a schedule and what is to be said of them, from the scheduler itself; null asks nothing. */
export function useForecast(config: z.input<typeof ScheduleConfig> | null) {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: [workspaceId, 'forecast', config],
    queryFn:
      config === null
        ? skipToken
        : ({ signal }) => call(reminderRoutes.forecastReminder, { body: { schedule_config: config }, signal }),
  });
}

/** Refetches what is shown of reminders now, without waiting for the change stream. */
function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  return () => refreshReminders(queryClient, workspaceId);
}

const refreshReminders = (queryClient: QueryClient, workspaceId: string) =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey, meta }: Query) =>
      queryKey[0] === workspaceId && (meta?.watches ?? []).includes('reminders'),
  });
