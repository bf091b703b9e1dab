import { useMutation, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { calendarSourceRoutes as routes } from '#contract/calendar-sources.ts';
import { reminderRoutes } from '#contract/reminders.ts';
import { useChange } from '#web/api/change.ts';
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

export const useCreateCalendarSource = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'calendar-sources')], (body: NewCalendar) =>
    call(routes.createCalendarSource, { body, workspaceId }),
  );

export const useUpdateCalendarSource = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'calendar-sources')], ({ id, ...body }: Change & { id: string }) =>
    call(routes.updateCalendarSource, { params: { id }, body, workspaceId }),
  );

export const useReadCalendarSource = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'calendar-sources')], (id: string) =>
    call(routes.readCalendarSource, { params: { id }, workspaceId }),
  );

export const useRemoveCalendarSource = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'calendar-sources')], ({ id, reminder }: { id: string; reminder: 'delete' | 'keep' }) =>
    call(routes.removeCalendarSource, { params: { id }, query: { reminder }, workspaceId }),
  );

/** A calendar is paused with its reminder, which need not be of the current workspace. */
export const usePauseCalendarSource = (workspaceId: string) =>
  useChange(
    [keyOf(workspaceId, 'calendar-sources')],
    ({ reminderId, status }: { reminderId: string; status: 'active' | 'paused' }) =>
      call(reminderRoutes.setReminderStatus, { params: { id: reminderId }, body: { status }, workspaceId }),
  );
