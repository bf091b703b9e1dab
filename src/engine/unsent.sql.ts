/**
 * What an open row `d` of the ledger becomes when it will not be attempted: skipped for this reason, or, where an earlier
 * attempt may have arrived, unknown for its own.
 * @param reason and `now` are SQL
 */
export const endUnsent = (reason: string, now: string) => `
  status = case when d.unknowns > 0 then 'unknown' else 'skipped' end,
  reason = case when d.unknowns > 0 then d.reason else ${reason} end, completed_at = ${now}, next_attempt_at = null,
  past = past_of(d)`;
