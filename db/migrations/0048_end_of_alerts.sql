-- An alert ends when its cause is gone, and leaves the console when an administrator dismisses it.
alter table alerts
  add column resolved_at timestamptz,
  add column dismissed_at timestamptz;
comment on column alerts.resolved_at is 'Since when the cause was not seen any more; null while it goes on.';
comment on column alerts.dismissed_at is 'When an administrator took it from the console; null again once the cause is back after it was gone.';
