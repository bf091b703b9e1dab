import type { Reminder, reminderRoutes } from '#contract/reminders.ts';
import type { Contact } from '#domain/variables.ts';
import { needsContacts, warningsOf } from '#domain/warnings.ts';
import { contactsAmong } from '#features/contacts/lookup.service.ts';
import { actOnReminders } from '#features/reminders/bulk.service.ts';
import { deleteReminder } from '#features/reminders/deletion.service.ts';
import { duplicateReminder } from '#features/reminders/duplicate.service.ts';
import { withHours } from '#features/reminders/forecast-hours.service.ts';
import { listReminders } from '#features/reminders/reminder-lists.service.ts';
import * as reminders from '#features/reminders/reminders.service.ts';
import { forecast } from '#features/reminders/schedule.service.ts';
import { upcomingOf } from '#features/reminders/upcoming.service.ts';
import type { TenantContext } from '#platform/context.ts';
import type { HandlersOf } from '#platform/handler.ts';
import { type EgressGuard, portOf } from '#platform/outbound/guard.ts';

export const reminderHandlers = ({ guard }: { guard: EgressGuard }): HandlersOf<typeof reminderRoutes> => {
  // The sandbox and the networks of EGRESS_ALLOW are private, and open all the same.
  const isOpen = (url: URL) => guard.checkAddress(url.hostname.replace(/^\[|\]$/g, ''), portOf(url)) === 'allowed';
  const answers = async (ctx: TenantContext, found: readonly reminders.StoredReminder[]): Promise<Reminder[]> => {
    const recipients = found.filter(needsContacts).flatMap(({ content }) => content.recipients);
    const contacts = recipients.length === 0 ? nobody : await contactsAmong(ctx, recipients);
    return found.map((reminder) => ({ ...reminder, warnings: warningsOf(reminder, { isOpen, contacts }) }));
  };
  const answer = async (ctx: TenantContext, found: Promise<reminders.StoredReminder>): Promise<Reminder> => {
    const reminder = await found;
    const [answered] = await answers(ctx, [reminder]);
    return answered ?? { ...reminder, warnings: [] };
  };
  return {
    async listReminders({ ctx, query }) {
      const page = await listReminders(ctx, query);
      return { ...page, data: await answers(ctx, page.data) };
    },
    createReminder: ({ ctx, body }) => answer(ctx, reminders.createReminder(ctx, body)),
    getReminder: ({ ctx, params }) => answer(ctx, reminders.getReminder(ctx, params.id)),
    updateReminder: ({ ctx, params, body }) =>
      answer(ctx, reminders.updateReminder(ctx, { id: params.id, input: body })),
    setReminderStatus: ({ ctx, params, body }) =>
      answer(ctx, reminders.setReminderStatus(ctx, { id: params.id, status: body.status })),
    deleteReminder: async ({ ctx, params }) => {
      await deleteReminder(ctx, params.id);
      return {};
    },
    restoreReminders: ({ ctx, body }) => actOnReminders(ctx, { ids: body.ids, action: 'restore' }),
    actOnReminders: ({ ctx, body }) => actOnReminders(ctx, body),
    duplicateReminder: ({ ctx, params }) => answer(ctx, duplicateReminder(ctx, params.id)),
    listOccurrences: ({ ctx, params, query }) => upcomingOf(ctx, { id: params.id, count: query.count }),
    testReminder: ({ ctx, params, body }) => reminders.testReminder(ctx, { id: params.id, test: body }),
    forecastReminder: ({ ctx, body }) => withHours(ctx, forecast(ctx, body)),
  };
};

const nobody: ReadonlyMap<string, Contact> = new Map();
