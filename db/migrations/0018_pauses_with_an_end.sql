-- Pauses that end by themselves: of a reminder, and of all reminders of a workspace.

-- Null: paused until somebody resumes it.
alter table reminders add column paused_until timestamptz,
  add constraint only_a_pause_has_an_end check (paused_until is null or coalesce(deleted_from, status) = 'paused');
create index reminders_paused_until on reminders (paused_until, id) where status = 'paused' and paused_until is not null;

-- When the last pause of all reminders ends or has ended. Reminders keep their status: what comes due before this is not sent.
alter table workspaces add column reminders_paused_until timestamptz;
