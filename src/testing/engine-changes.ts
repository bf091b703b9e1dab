import { ReminderInput } from '#contract/reminders.ts';
import { deleteReminder } from '#features/reminders/deletion.service.ts';
import { getReminder, setReminderStatus, updateReminder } from '#features/reminders/reminders.service.ts';
import type { TenantContext } from '#platform/context.ts';

/** Changes that a person can make to a reminder during an occurrence. */
export const reminderChanges = {
  paused: async (ctx: TenantContext, id: string): Promise<void> => {
    await setReminderStatus(ctx, { id, status: 'paused' });
  },
  edited: async (ctx: TenantContext, id: string): Promise<void> => {
    const { name, description, status, schedule_config, content, metadata } = await getReminder(ctx, id);
    const input = ReminderInput.parse({ name, description, status, schedule_config, content, metadata });
    await updateReminder(ctx, { id, input });
  },
  deleted: (ctx: TenantContext, id: string): Promise<void> => deleteReminder(ctx, id),
};
