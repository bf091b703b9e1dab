import type { Client } from 'pg';
import { content } from '../webhook.ts';
import { tidy } from './reminders.ts';

const contacts = 10_000;
const perReminder = 80;
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'];

/**
 * Writes daily reminders in three zones, each to eighty people, half of them by a tag, and messages of the API that wait for one of the next 60 days.
 * @returns the id of one of the people
 */
export async function writeAgenda(
  owner: Client,
  { workspaceId, reminders, messages }: { workspaceId: string; reminders: number; messages: number },
): Promise<string> {
  await owner.query(
    `insert into contacts (workspace_id, name, email, email_key, tags)
     select $1, 'Tenant ' || k, k || '@example.com', k || '@example.com', array['Building ' || (k / $3::int)] from generate_series(0, $2::int - 1) k`,
    [workspaceId, contacts, perReminder],
  );
  await owner.query(
    `with scheduled as materialized (
       select uuidv7() as id, k, k % ($5::int / $6::int) as building,
              date_trunc('day', now()) + interval '1 day' + (k % 1440) * interval '1 minute' as at
         from generate_series(1, $4::int) k
     ), written as (
       insert into reminders (id, workspace_id, name, status, schedule_config, content, metadata)
       select id, $1, 'Rent', 'active',
              jsonb_build_object('type', 'scheduled', 'scheduleType', 'daily', 'timezone', ($7::text[])[1 + k % 3],
                'startDate', to_char((at - interval '30 days') at time zone ($7::text[])[1 + k % 3], 'YYYY-MM-DD"T"HH24:MI:SS')),
              $2::jsonb || jsonb_build_object('recipients', case when k % 2 = 0
                then (select jsonb_agg(p || '@example.com') from generate_series(building * $6::int, (building + 1) * $6::int - 1) p) else '[]' end),
              jsonb_build_object('channels', array['email'], 'priority', 'medium')
                || case when k % 2 = 0 then '{}' else jsonb_build_object('audience', jsonb_build_object('tags', array['building ' || building])) end
         from scheduled), waits as (
       insert into jobs (workspace_id, reminder_id, name, type, scheduled_for, run_at)
       select $1, id, 'Rent', 'reminder', at, at from scheduled returning id, workspace_id, run_at, reminder_id), posted as (
       insert into jobs (workspace_id, name, type, scheduled_for, run_at, payload)
       select $1, 'Parcel', 'api_notification', at, at, $2::jsonb || jsonb_build_object('recipients', jsonb_build_array(m % $5::int || '@example.com'), 'channels', array['email'])
         from (select m, now() + interval '1 hour' + m * interval '59 days' / $3::int as at from generate_series(1, $3::int) m) m)
     select`,
    [workspaceId, content, messages, reminders, contacts, perReminder, zones],
  );
  await owner.query('analyze contacts');
  await tidy(owner);
  const { rows } = await owner.query<{ id: string }>(
    'select id from contacts where workspace_id = $1 order by id limit 1',
    [workspaceId],
  );
  return rows[0]?.id ?? '';
}
