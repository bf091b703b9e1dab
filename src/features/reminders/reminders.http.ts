import type { reminderRoutes } from '#contract/reminders.ts';
import * as reminders from '#features/reminders/reminders.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const reminderHandlers: HandlersOf<typeof reminderRoutes> = {
  listReminders: ({ ctx, query }) => reminders.listReminders(ctx, query),
  createReminder: ({ ctx, body }) => reminders.createReminder(ctx, body),
  getReminder: ({ ctx, params }) => reminders.getReminder(ctx, params.id),
  updateReminder: ({ ctx, params, body }) => reminders.updateReminder(ctx, { id: params.id, input: body }),
  setReminderStatus: ({ ctx, params, body }) =>
    reminders.setReminderStatus(ctx, { id: params.id, status: body.status }),
  deleteReminder: async ({ ctx, params }) => {
    await reminders.deleteReminder(ctx, params.id);
    return {};
  },
  testReminder: ({ ctx, params, body }) => reminders.testReminder(ctx, { id: params.id, test: body }),
  forecastReminder: ({ ctx, body }) => reminders.forecast(ctx, body),
};
