-- Until now by the day of the outcome, which few messages have after midnight only.
comment on table delivery_days is 'Deliveries of all workspaces by the day (UTC) on which they were due; tests of reminders are left out.';
