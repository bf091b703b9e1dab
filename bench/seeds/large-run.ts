import type { Client } from 'pg';
import { tidy } from './reminders.ts';

/** A reminder to a group, and its last run. */
export type LargeRun = { reminderId: string; jobId: string; contactId: string };

/** Contacts who are all in one group of a hundred, and the run of a reminder that was sent to it. */
export async function writeLargeRun(
  owner: Client,
  { workspaceId, people }: { workspaceId: string; people: number },
): Promise<LargeRun> {
  const { rows } = await owner.query<LargeRun>(
    `with tenants as (
       insert into contacts (workspace_id, name, email, email_key, tags, variables)
       select $1, 'Tenant ' || n, n || '@example.com', n || '@example.com', array['Tenant'],
              jsonb_build_object('building', (n % 90) || ' Elm', 'amount', n::text)
         from generate_series(1, $2::int) n
       returning id, name, email
     ), groups as (
       insert into contact_groups (workspace_id, name, rule)
       select $1, case n when 1 then 'All tenants' else 'Building ' || n end,
              case n when 1 then '{"match": "all", "conditions": [{"test": "has_tag", "tag": "Tenant"}]}'::jsonb
                     else jsonb_build_object('match', 'all', 'conditions', jsonb_build_array(
                            jsonb_build_object('test', 'is', 'variable', 'building', 'value', n || ' Elm'))) end
         from generate_series(1, 100) n
       returning id, name
     ), written as (
       insert into reminders (workspace_id, name, status, schedule_config, content, metadata)
       select $1, 'To all tenants', 'active',
              '{"type": "scheduled", "scheduleType": "monthly", "startDate": "2026-01-01T09:00:00", "timezone": "Europe/Berlin"}',
              '{"subject": "Rent", "message": "Dear {{recipient_name}}, {{amount}} is due.", "recipients": []}',
              jsonb_build_object('channels', array['email'], 'priority', 'medium', 'audience', jsonb_build_object('groups', array[id]))
         from groups where name = 'All tenants'
       returning id
     ), run as (
       insert into jobs (workspace_id, reminder_id, name, type, status, scheduled_for, run_at, completed_at)
       select $1, id, 'To all tenants', 'reminder', 'completed', now() - interval '2 days', now() - interval '2 days', now() - interval '2 days'
         from written
       returning id, reminder_id, scheduled_for
     ), executed as (
       insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms)
       select $1, id, 'completed', scheduled_for, scheduled_for, 40000 from run
     ), sent as (
       insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, attempts, contact_id, through)
       select $1, run.id, run.scheduled_for, 'email', t.email, t.name, 'accepted', 1, t.id, 'group All tenants' from run cross join tenants t
     )
     select run.reminder_id as "reminderId", run.id as "jobId", t.id as "contactId"
       from run cross join tenants t where t.name = 'Tenant 1'`,
    [workspaceId, people],
  );
  await tidy(owner);
  const [run] = rows;
  if (run === undefined) throw new Error('the large run was not written');
  return run;
}
