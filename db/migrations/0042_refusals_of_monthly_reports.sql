-- Why the report that is due did not arrive: when the mail server did not take it, how, and what it said.
alter table monthly_reports
  add column refused_at timestamptz,
  add column refusal text check (refusal in ('declined', 'unreachable')),
  add column refusal_words text check (octet_length(refusal_words) <= 2000),
  add constraint monthly_reports_refused check ((refused_at is null) = (refusal is null) and (refusal_words is null or refusal = 'declined'));
grant update (refused_at, refusal, refusal_words) on monthly_reports to cuebird_engine;
-- A corrected address is tried soon.
grant update (refused_at, refusal, refusal_words, next_attempt_at) on monthly_reports to cuebird_app;
