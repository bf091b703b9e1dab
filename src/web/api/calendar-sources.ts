import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { calendarSourceRoutes as routes } from '#contract/calendar-sources.ts';
import { reminderRoutes } from '#contract/reminders.ts';
import { call } from '#web/api/client.ts';
import { keyOf } from '#web/api/query-key.ts';

/** The calendars that are read for a workspace. */
export const useCalendarSources = (workspaceId: string) =>
  useQuery({
    queryKey: keyOf(workspaceId, 'calendar-sources'),
    queryFn: async ({ signal }) => (await call(routes.listCalendarSources, { workspaceId, signal })).data,
    meta: { watches: ['reminders', 'jobs'] },
  });

export const usePreviewCalendar = (workspaceId: string) =>
  useMutation({
    mutationFn: (body: z.input<typeof routes.previewCalendarSource.body>) =>
      call(routes.previewCalendarSource, { body, workspaceId }),
  });

export type NewCalendar = z.input<typeof routes.createCalendarSource.body>;
type Change = z.input<typeof routes.updateCalendarSource.body>;

export function useCreateCalendarSource(workspaceId: string) {
  const refresh = useRefresh(workspaceId);
  return useMutation({
    mutationFn: (body: NewCalendar) => call(routes.createCalendarSource, { body, workspaceId }),
    onSuccess: refresh,
  });
}

export function useUpdateCalendarSource(workspaceId: string) {
  const refresh = useRefresh(workspaceId);
  return useMutation({
    mutationFn: ({ id, ...body }: Change & { id: string }) =>
      call(routes.updateCalendarSource, { params: { id }, body, workspaceId }),
    onSuccess: refresh,
  });
}

export function useReadCalendarSource(workspaceId: string) {
  const refresh = useRefresh(workspaceId);
  return useMutation({
    mutationFn: (id: string) => call(routes.readCalendarSource, { params: { id }, workspaceId }),
    onSuccess: refresh,
  });
}

export function useRemoveCalendarSource(workspaceId: string) {
  const refresh = useRefresh(workspaceId);
  return useMutation({
    mutationFn: ({ id, reminder }: { id: string; reminder: 'delete' | 'keep' }) =>
      call(routes.removeCalendarSource, { params: { id }, query: { reminder }, workspaceId }),
    onSuccess: refresh,
  });
}

/** A calendar is paused with its reminder, which need not be of the current workspace. */
export function usePauseCalendarSource(workspaceId: string) {
  const refresh = useRefresh(workspaceId);
  return useMutation({
    mutationFn: ({ reminderId, status }: { reminderId: string; status: 'active' | 'paused' }) =>
      call(reminderRoutes.setReminderStatus, { params: { id: reminderId }, body: { status }, workspaceId }),
    onSuccess: refresh,
  });
}

function useRefresh(workspaceId: string): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: keyOf(workspaceId, 'calendar-sources') });
}
