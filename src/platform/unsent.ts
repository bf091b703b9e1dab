import { sql } from 'kysely';
import type { DeliveryStatus } from '#contract/deliveries.ts';
import type { ReasonCode } from '#contract/reason-codes.ts';

/**
 * The final status of an open delivery that will not be attempted: skipped for this reason, or unknown for its own,
 * where an earlier attempt may have arrived.
 */
export const endUnsent = ({ code, reason, now }: { code: ReasonCode; reason: string; now: string }) => ({
  status: sql<DeliveryStatus>`case when unknowns > 0 then 'unknown' else 'skipped' end`,
  reason: sql<string>`case when unknowns > 0 then reason else ${reason} end`,
  reason_code: sql<ReasonCode>`case when unknowns > 0 then reason_code else ${code} end`,
  reason_params: sql<null>`case when unknowns > 0 then reason_params end`,
  completed_at: now,
  next_attempt_at: null,
  attempt_history: sql<string>`attempt_history_of(deliveries)`,
});
