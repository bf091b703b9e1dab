/**
 * Sets how an open ledger row `d` ends when it will not be attempted: skipped with this reason, or unknown with its own
 * reason when an earlier attempt may have arrived.
 * @param because and `now` are SQL
 */
export const endUnsent = (because: { code: string; reason: string }, now: string) => `
  status = case when d.unknowns > 0 then 'unknown' else 'skipped' end,
  reason = case when d.unknowns > 0 then d.reason else ${because.reason} end,
  reason_code = case when d.unknowns > 0 then d.reason_code else ${because.code} end,
  reason_params = case when d.unknowns > 0 then d.reason_params end, completed_at = ${now}, next_attempt_at = null,
  attempt_history = attempt_history_of(d)`;
