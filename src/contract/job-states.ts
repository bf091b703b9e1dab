import { z } from 'zod';
import { ParamsOfRow } from '#contract/reason-params.ts';

export const jobStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled', 'paused'] as const;
export type JobStatus = (typeof jobStatuses)[number];

export const executionStatuses = ['pending', 'running', 'completed', 'failed'] as const;

/** The recipients of a run by what became of them, in the order in which a person wants to see them. */
export const recipientGroups = ['problems', 'waiting', 'skipped', 'sent'] as const;
export type RecipientGroup = (typeof recipientGroups)[number];

/** How many deliveries of a job are in each group; a recipient counts once for each channel. */
export const RecipientCounts = z.object({
  total: z.number().int(),
  sent: z.number().int(),
  waiting: z.number().int(),
  problems: z.number().int(),
  skipped: z.number().int(),
});
export type RecipientCounts = z.output<typeof RecipientCounts>;

/** How many reasons `unreached` has at most: the most frequent. */
export const shownReasons = 10;

/**
 * The people of a run: each contact once, over however many channels, and each recipient without a contact. `reached`: a message to them was sent;
 * `waiting`: none was, and one waits; otherwise what came last counts. `unreached` groups failed and skipped ones by reason, the most frequent first.
 * `excluded`, which `total` leaves out, were not to get it: their run was skipped, or reminders to them are paused.
 */
export const PeopleCounts = z.object({
  total: z.number().int(),
  reached: z.number().int(),
  waiting: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int(),
  excluded: z.number().int(),
  unreached: z.array(
    z.object({
      outcome: z.enum(['failed', 'skipped']),
      /** One of the codes of deliveries. A list of them here would load with the dashboard. */
      reason_code: z.string().nullable(),
      reason_params: ParamsOfRow,
      people: z.number().int(),
    }),
  ),
});
export type PeopleCounts = z.output<typeof PeopleCounts>;
