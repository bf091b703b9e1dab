import type { Client } from 'pg';
import { tidy } from './reminders.ts';

/** A workspace with a history: active reminders, each with its next occurrence, and earlier jobs. */
export async function writeWorkday(
  owner: Client,
  { workspaceId, reminders, jobs }: { workspaceId: string; reminders: number; jobs: number },
): Promise<void> {
  await owner.query(
    `with written as (
       insert into reminders (workspace_id, name, description, status, schedule_config, content, metadata, created_at)
       select $1, 'Rent of ' || (1 + n % 400) || ' Elm Street, flat ' || n, 'To the tenants, on the first', 'active',
              '{"type": "scheduled", "scheduleType": "daily", "startDate": "2026-01-01T09:00:00", "timezone": "Europe/Berlin"}',
              '{"subject": "Rent", "message": "Dear {{recipient_name}}, the rent is due.", "recipients": ["Dana <dana@example.com>"]}',
              '{"channels": ["email"], "priority": "medium"}', now() - n * interval '1 minute'
         from generate_series(1, $2::int) n
       returning id, name
     ), numbered as (
       select id, name, row_number() over () as n from written
     )
     insert into jobs (workspace_id, reminder_id, name, type, status, scheduled_for, run_at, completed_at, error_message)
     select $1, id, name, 'reminder', u.status, u.at, u.at, case when u.status = 'pending' then null else u.at end,
            case u.status when 'failed' then '1 of 1 failed: No such mailbox' end
       from numbered
      cross join generate_series(0, $3::int / $2::int - 1) back
      cross join lateral (select case when back = 0 then 'pending' when (n + back) % 50 = 0 then 'failed' else 'completed' end as status,
                                 now() + interval '10 hours' - back * interval '1 day' + n * interval '1 second' as at) u`,
    [workspaceId, reminders, jobs],
  );
  await owner.query(
    `with ended as (
       insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms)
       select workspace_id, id, status, completed_at, completed_at, 40 from jobs where workspace_id = $1 and completed_at is not null
     )
     insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts)
     select workspace_id, id, scheduled_for, 'email', 'dana@example.com', case status when 'failed' then 'failed' else 'accepted' end, 1
       from jobs where workspace_id = $1 and completed_at is not null`,
    [workspaceId],
  );
  await tidy(owner);
}
