-- Who changed a reminder, and when, is read from the audit log by the reminder's page.
create index audit_log_of_reminder on audit_log (workspace_id, target, created_at desc, id desc) where kind = 'reminder';
