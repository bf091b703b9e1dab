import { z } from 'zod';
import { deliveryStatuses } from '#contract/jobs.ts';
import type { Past } from '#domain/timeline.ts';

const Instant = z.string().transform((text) => new Date(text).toISOString());
const OrNull = <T extends z.ZodType>(shape: T) => shape.nullable().default(null);

/** As the database's `past_of` writes it: what has no value is left out. */
const Stood = z
  .object({
    attempt: z.number().int(),
    status: z.enum(deliveryStatuses),
    began: OrNull(Instant),
    answered: OrNull(Instant),
    reason: OrNull(z.string()),
    channel: OrNull(z.uuid()),
    provider: OrNull(z.string()),
    answer: OrNull(z.string()),
    next: OrNull(Instant),
  })
  .transform((row): Past => {
    const { status, reason, provider } = row;
    return {
      kind: 'stood',
      stand: {
        status,
        attempts: row.attempt,
        reason,
        channel_id: row.channel,
        provider,
        provider_answer: row.answer,
        last_attempt_at: row.began,
        next_attempt_at: row.next,
        completed_at: row.answered,
        answered_at: null,
      },
    };
  });

const Retried = z.object({ retried: Instant }).transform(({ retried: at }): Past => ({ kind: 'retried', at }));

/** What a line of the ledger said before, oldest first. */
export const PastRows = z
  .array(z.union([Retried, Stood]))
  .nullable()
  .transform((rows) => rows ?? []);
