import type { QueryClient } from '@tanstack/react-query';
import { Page } from '#contract/common.ts';
import { type ReminderSort, type ReminderState, ReminderSummary, reminderRoutes } from '#contract/reminders.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { type PagedList, prefetchPages, usePagedList } from '#web/api/paged-list.ts';
import { keyOf } from '#web/api/query-key.ts';

/** `search` matches name and description; no `status` means all, no `sort` means newest first. */
type ReminderFilters = {
  search?: string | undefined;
  status?: ReminderState | undefined;
  sort?: ReminderSort | undefined;
};

/** The message and all recipients are loaded with the reminder when its dialog or form opens. */
const listSummaries = { ...reminderRoutes.listReminders, answer: Page(ReminderSummary) };

/** The matching reminders without their messages; `data` is one flat list of the pages loaded so far. */
export const useReminders = (filters: ReminderFilters, pageSize: number) =>
  usePagedList(reminderList({ ...filters, workspaceId: useWorkspaceId(), pageSize }));

/** Reads the first reminders before the list asks for them. */
export const prefetchReminders = (queryClient: QueryClient, of: ReminderListOf): Promise<void> =>
  prefetchPages(queryClient, reminderList(of));

type ReminderListOf = ReminderFilters & { workspaceId: string; pageSize: number };

const reminderList = ({ workspaceId, pageSize, search, status, sort }: ReminderListOf): PagedList<ReminderSummary> => ({
  queryKey: keyOf(workspaceId, 'reminders', 'list', { search, status, sort, pageSize }),
  read: ({ cursor, signal }) =>
    call(listSummaries, {
      query: { search, status, sort, limit: pageSize, cursor, view: 'summary' },
      signal,
      workspaceId,
    }),
  watches: ['reminders'],
  keepsRows: true,
});
