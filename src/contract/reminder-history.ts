import { z } from 'zod';
import { ActorKind } from '#contract/audit-log.ts';
import { Id, InstantText } from '#contract/common.ts';
import { MessageFormat } from '#contract/message-format.ts';
import { get } from '#contract/route.ts';

/** What a reminder said before an edit. `last_sent_at` is when it was last sent with this text; null where none of its last 1,000 runs had it. */
export const EarlierText = z.object({
  revision: z.number().int(),
  subject: z.string(),
  message: z.string(),
  format: MessageFormat.optional(),
  last_sent_at: InstantText.nullable(),
});
export type EarlierText = z.output<typeof EarlierText>;

/** Who changed a reminder, when, and which of its fields. */
export const ReminderChange = z.object({
  id: Id,
  created_at: InstantText,
  /** Who made the change, by the name that they had then. */
  actor: z.object({ kind: ActorKind, name: z.string().nullable() }),
  action: z.string(),
  /** The labels of the edited fields, such as `message, recipients`; null for other changes than edits. */
  fields: z.string().nullable(),
  /** Until when the change paused it; null for a pause without an end. */
  until: InstantText.nullable(),
});
export type ReminderChange = z.output<typeof ReminderChange>;

export const reminderHistoryRoutes = {
  listEarlierTexts: get('/api/reminders/:id/texts', {
    access: 'member',
    summary: 'What a reminder said before its edits, where it was sent so; the latest 20, newest first',
    answer: z.object({ data: z.array(EarlierText) }),
  }),
  listReminderChanges: get('/api/reminders/:id/changes', {
    access: 'member',
    summary: 'Who changed a reminder, when and what; the latest 50 of the last 400 days, newest first',
    answer: z.object({ data: z.array(ReminderChange) }),
  }),
};
