import { z } from 'zod';

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
