-- Tests of reminders are left out of every count, and listed on their own. An engine's update changes none of these columns.
create index jobs_tests on jobs (workspace_id, id) where type = 'test_reminder';

-- Runs that did not complete are rare among those that did.
create index job_executions_incomplete on job_executions (workspace_id, started_at desc, id desc) where status <> 'completed';
