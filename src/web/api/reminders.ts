import { reminderHistoryRoutes } from '#contract/reminder-history.ts';
import { skipToken, useMutation, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { type BulkAction, type BulkAnswer, bulkLimit, bulkReminderRoutes } from '#contract/bulk-reminders.ts';
import { type ReminderInput, reminderRoutes } from '#contract/reminders.ts';
import { type OwnTestBody, type TestBody, reminderTestRoutes } from '#contract/reminder-tests.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import { call } from '#web/api/client.ts';
import { useAboutReminders, useRefreshReminders } from '#web/api/reminder-pauses.ts';
import { useChange } from '#web/api/change.ts';
import { useKey } from '#web/api/query-key.ts';

/** One reminder, never from the cache: a form must not edit an old copy. */
export const useReminder = (id: string | undefined) =>
  useQuery({
    queryKey: useKey('reminders', 'one', id),
    queryFn:
      id === undefined ? skipToken : ({ signal }) => call(reminderRoutes.getReminder, { params: { id }, signal }),
    gcTime: 0,
    staleTime: 0,
    meta: { watches: ['reminders'] },
  });

type ReminderBody = z.input<typeof ReminderInput>;

/** Creates a reminder, or updates the one with the given id. */
/** `unchangedSince`: the change is refused where the reminder has changed since; without it, the change goes over any other. */
export function useSaveReminder(id?: string) {
  const refresh = useRefreshReminders();
  return useMutation({
    mutationFn: ({ body, unchangedSince }: { body: ReminderBody; unchangedSince?: string | undefined }) =>
      id === undefined
        ? call(reminderRoutes.createReminder, { body })
        : call(reminderRoutes.updateReminder, { params: { id }, query: { unchanged_since: unchangedSince }, body }),
    onSuccess: () => void refresh(),
  });
}

/** Pauses or resumes a reminder; resolves after the lists are refetched. */
export const useSetReminderStatus = () =>
  useChange([useAboutReminders()], ({ id, ...body }: { id: string; status: 'active' | 'paused'; until?: string }) =>
    call(reminderRoutes.setReminderStatus, { params: { id }, body }),
  );

/** Deletes a reminder; resolves after the lists are refetched. */
export const useDeleteReminder = () =>
  useChange([useAboutReminders()], (id: string) => call(reminderRoutes.deleteReminder, { params: { id } }));

/**
 * Pauses, resumes, deletes or restores several reminders and returns each result; resolves after the lists are
 * refetched.
 */
export const useActOnReminders = () =>
  useChange(
    [useAboutReminders()],
    async ({ ids, action, until }: { ids: readonly string[]; action: BulkAction | 'restore'; until?: string }) => {
      const results: BulkAnswer['results'] = [];
      for (let at = 0; at < ids.length; at += bulkLimit) {
        const part = ids.slice(at, at + bulkLimit);
        const answer = await (action === 'restore'
          ? call(bulkReminderRoutes.restoreReminders, { body: { ids: part } })
          : call(bulkReminderRoutes.actOnReminders, { body: { ids: part, action, until } }));
        results.push(...answer.results);
      }
      return results;
    },
    // With several requests, earlier ones may have succeeded when a later one fails.
    { alsoAfterFailure: true },
  );

/** Copies a reminder and returns the copy, a draft. */
export function useDuplicateReminder() {
  const refresh = useRefreshReminders();
  return useMutation({
    mutationFn: (id: string) => call(reminderRoutes.duplicateReminder, { params: { id } }),
    onSuccess: () => void refresh(),
  });
}

/** The earlier texts of a reminder that were sent. */
export const useEarlierTexts = (id: string) =>
  useQuery({
    queryKey: useKey('reminders', 'texts', id),
    queryFn: async ({ signal }) =>
      (await call(reminderHistoryRoutes.listEarlierTexts, { params: { id }, signal })).data,
    meta: { watches: ['reminders'] },
  });

/** Who changed a reminder, newest first. */
export const useReminderChanges = (id: string) =>
  useQuery({
    queryKey: useKey('reminders', 'changes', id),
    queryFn: async ({ signal }) =>
      (await call(reminderHistoryRoutes.listReminderChanges, { params: { id }, signal })).data,
    meta: { watches: ['reminders'] },
  });

/** The next occurrences of a reminder, with notes about them. */
export const useOccurrences = (id: string) =>
  useQuery({
    queryKey: useKey('reminders', 'occurrences', id),
    queryFn: ({ signal }) => call(reminderRoutes.listOccurrences, { params: { id }, signal }),
    meta: { watches: ['reminders', 'jobs', 'workspaces'] },
  });

/** Sends a reminder now to the given recipients only. */
export const useTestReminder = (id: string) =>
  useMutation({
    mutationFn: (body: z.input<typeof TestBody>) => call(reminderTestRoutes.testReminder, { params: { id }, body }),
  });

/** Sends a message, saved or not, to the person who asks. */
export const useSendToMyself = () =>
  useMutation({
    mutationFn: (body: z.input<typeof OwnTestBody>) => call(reminderTestRoutes.sendToMyself, { body }),
  });

/** The scheduler's next occurrences of a schedule, with notes; null sends no request. */
export const useForecast = (config: z.input<typeof ScheduleConfig> | null) =>
  useQuery({
    queryKey: useKey('reminders', 'forecast', config),
    queryFn: config === null ? skipToken : ({ signal }) => readForecast(config, signal),
  });

/** The next occurrences of a schedule that may be unsaved. */
export const readForecast = (config: z.input<typeof ScheduleConfig>, signal?: AbortSignal) =>
  call(reminderRoutes.forecastReminder, { body: { schedule_config: config }, signal });
