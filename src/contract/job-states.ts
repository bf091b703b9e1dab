import { z } from 'zod';

export const jobStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled', 'paused'] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** How many deliveries of a job are in each group; a recipient counts once for each channel. */
export const RecipientCounts = z.object({
  total: z.number().int(),
  sent: z.number().int(),
  waiting: z.number().int(),
  problems: z.number().int(),
  skipped: z.number().int(),
});
export type RecipientCounts = z.output<typeof RecipientCounts>;
