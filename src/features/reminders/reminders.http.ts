import type { Reminder, reminderRoutes } from '#contract/reminders.ts';
import { warningsOf } from '#domain/warnings.ts';
import * as reminders from '#features/reminders/reminders.service.ts';
import { forecast } from '#features/reminders/schedule.service.ts';
import type { HandlersOf } from '#platform/handler.ts';
import { type EgressGuard, portOf } from '#platform/outbound/guard.ts';

export const reminderHandlers = ({ guard }: { guard: EgressGuard }): HandlersOf<typeof reminderRoutes> => {
  // The sandbox and the networks of EGRESS_ALLOW are private, and open all the same.
  const isOpen = (url: URL) => guard.checkAddress(url.hostname.replace(/^\[|\]$/g, ''), portOf(url)) === 'allowed';
  const answer = (reminder: reminders.StoredReminder): Reminder => ({
    ...reminder,
    warnings: warningsOf(reminder, { isOpen }),
  });
  return {
    async listReminders({ ctx, query }) {
      const page = await reminders.listReminders(ctx, query);
      return { ...page, data: page.data.map(answer) };
    },
    createReminder: async ({ ctx, body }) => answer(await reminders.createReminder(ctx, body)),
    getReminder: async ({ ctx, params }) => answer(await reminders.getReminder(ctx, params.id)),
    updateReminder: async ({ ctx, params, body }) =>
      answer(await reminders.updateReminder(ctx, { id: params.id, input: body })),
    setReminderStatus: async ({ ctx, params, body }) =>
      answer(await reminders.setReminderStatus(ctx, { id: params.id, status: body.status })),
    deleteReminder: async ({ ctx, params }) => {
      await reminders.deleteReminder(ctx, params.id);
      return {};
    },
    testReminder: ({ ctx, params, body }) => reminders.testReminder(ctx, { id: params.id, test: body }),
    forecastReminder: ({ ctx, body }) => forecast(ctx, body),
  };
};
