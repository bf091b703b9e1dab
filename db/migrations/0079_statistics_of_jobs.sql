-- No statement searches, joins or sorts by these columns. While deliveries are under way, jobs are analyzed every few seconds, and
-- each column adds to what that takes.

alter table jobs
  alter column name set statistics 0,
  alter column payload set statistics 0,
  alter column error_message set statistics 0,
  alter column stop_reason set statistics 0,
  alter column claim_id set statistics 0,
  alter column attempts set statistics 0,
  alter column max_attempts set statistics 0,
  alter column revision set statistics 0,
  alter column expires_at set statistics 0,
  alter column created_at set statistics 0;
