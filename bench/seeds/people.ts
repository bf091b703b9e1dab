import type { Client } from 'pg';
import { content } from '../webhook.ts';
import { tidy } from './reminders.ts';

/** The recipients of one reminder. */
export const peoplePerReminder = 1_000;
const contacts = 10_000;

/**
 * Writes due reminders for n people, and the contacts of the workspace unless they are there. A reminder lists the addresses of a thousand
 * contacts, or names the tag that only these have.
 */
export async function writeDueToPeople(
  owner: Client,
  { workspaceId, n, by }: { workspaceId: string; n: number; by: 'address' | 'audience' },
): Promise<void> {
  await owner.query(
    `insert into contacts (workspace_id, name, email, email_key, tags)
     select $1, 'Tenant ' || k, k || '@example.com', k || '@example.com', array['Building ' || (k / $3::int)]
       from generate_series(0, $2::int - 1) k
      where not exists (select from contacts where workspace_id = $1)`,
    [workspaceId, contacts, peoplePerReminder],
  );
  await owner.query(
    `with scheduled as materialized (
       select uuidv7() as id, k % ($6::int / $5::int) as building from generate_series(0, $4::int / $5::int - 1) k
     ), written as (
       insert into reminders (id, workspace_id, name, status, schedule_config, content, metadata)
       select id, $1, 'Rent', 'active', $2,
              $3::jsonb || jsonb_build_object('recipients', case when $7 = 'address'
                then (select jsonb_agg(k || '@example.com') from generate_series(building * $5::int, (building + 1) * $5::int - 1) k) else '[]' end),
              jsonb_build_object('channels', array['webhook'], 'priority', 'medium')
                || case when $7 = 'audience' then jsonb_build_object('audience', jsonb_build_object('tags', array['building ' || building])) else '{}' end
         from scheduled)
     insert into jobs (workspace_id, reminder_id, name, type, scheduled_for, run_at)
     select $1, id, 'Rent', 'reminder', at, at from scheduled cross join (select date_trunc('second', now()) - interval '1 second' as at) due`,
    [workspaceId, scheduleSince(), content, n, peoplePerReminder, contacts, by],
  );
  await owner.query('analyze contacts');
  await tidy(owner);
}

/** Daily at this time of day, for a month. */
function scheduleSince(): object {
  const startDate = Temporal.Now.zonedDateTimeISO('UTC').round('second').subtract({ seconds: 2, days: 30 });
  return {
    type: 'scheduled',
    scheduleType: 'daily',
    startDate: startDate.toPlainDateTime().toString(),
    timezone: 'UTC',
  };
}
