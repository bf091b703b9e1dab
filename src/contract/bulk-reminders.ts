import { z } from 'zod';
import { Id } from '#contract/common.ts';
import { onlyPauses, PauseEnd } from '#contract/reminder-pauses.ts';
import { post } from '#contract/route.ts';

export const bulkActions = ['pause', 'resume', 'delete'] as const;
export type BulkAction = (typeof bulkActions)[number];

/** The maximum number of reminders in one bulk request. */
export const bulkLimit = 200;

const Ids = z.array(Id).min(1, 'At least one reminder is required').max(bulkLimit);

/** The results in the order of the request. A refusal has its reason and does not affect the other reminders. */
export const BulkAnswer = z.object({
  results: z.array(
    z.discriminatedUnion('result', [
      z.object({ id: Id, result: z.literal('done') }),
      /** The reminder's status leaves nothing to do, such as pausing a draft. */
      z.object({ id: Id, result: z.literal('unchanged'), message: z.string() }),
      z.object({ id: Id, result: z.literal('refused'), message: z.string() }),
    ]),
  ),
});
export type BulkAnswer = z.output<typeof BulkAnswer>;

export const bulkReminderRoutes = {
  restoreReminders: post('/api/reminders/restore', {
    access: 'member',
    beginsMessages: true,
    summary: 'Restore reminders within a day of their deletion, with their pending jobs',
    body: z.strictObject({ ids: Ids }),
    answer: BulkAnswer,
  }),
  actOnReminders: post('/api/reminders/bulk', {
    access: 'member',
    beginsMessages: true,
    summary: 'Pause, resume or delete several reminders, with a result for each',
    body: z
      .strictObject({ ids: Ids, action: z.enum(bulkActions), until: PauseEnd.optional() })
      .refine(({ action, until }) => action === 'pause' || until === undefined, onlyPauses),
    answer: BulkAnswer,
  }),
};
