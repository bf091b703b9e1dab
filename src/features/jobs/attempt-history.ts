import { z } from 'zod';
import { deliveryStatuses } from '#contract/deliveries.ts';
import { CodeOfRow } from '#contract/reason-codes.ts';
import { ParamsOfRow } from '#contract/reason-params.ts';
import type { HistoryEntry } from '#domain/timeline.ts';

const Instant = z.string().transform((text) => new Date(text).toISOString());
const OrNull = <T extends z.ZodType>(shape: T) => shape.nullable().default(null);

/** An earlier state of a delivery, in the format of the database function `attempt_history_of`, which omits missing values. */
const EarlierState = z
  .object({
    attempt: z.number().int(),
    status: z.enum(deliveryStatuses),
    began: OrNull(Instant),
    answered: OrNull(Instant),
    reason: OrNull(z.string()),
    code: CodeOfRow.default(null),
    params: ParamsOfRow.default(null),
    channel: OrNull(z.uuid()),
    provider: OrNull(z.string()),
    answer: OrNull(z.string()),
    next: OrNull(Instant),
  })
  .transform((row): HistoryEntry => {
    const { status, reason, provider } = row;
    return {
      kind: 'state',
      state: {
        status,
        attempts: row.attempt,
        reason,
        reason_code: row.code,
        reason_params: row.params,
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

const Retried = z.object({ retried: Instant }).transform(({ retried: at }): HistoryEntry => ({ kind: 'retried', at }));

/**
 * The earlier states of a delivery, oldest first; the oldest sixty are kept. The UPDATE that overwrites a delivery appends its previous
 * state, so a message that is sent at its first attempt has no history.
 */
export const AttemptHistory = z
  .array(z.union([Retried, EarlierState]))
  .nullable()
  .transform((rows) => rows ?? []);
