import { sql } from 'kysely';
import type { DeliveryStatus } from '#contract/jobs.ts';

/**
 * What an open row of the ledger becomes when it will not be attempted: skipped for this reason, or, where an earlier
 * attempt may have arrived, unknown for its own.
 */
export const endUnsent = ({ reason, now }: { reason: string; now: string }) => ({
  status: sql<DeliveryStatus>`case when unknowns > 0 then 'unknown' else 'skipped' end`,
  reason: sql<string>`case when unknowns > 0 then reason else ${reason} end`,
  completed_at: now,
  next_attempt_at: null,
  past: sql<string>`past_of(deliveries)`,
});
