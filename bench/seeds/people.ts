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

/** Audiences of a large workspace: few people, too many for one occurrence, and those whom no index finds. */
const largeAudiences = [
  { tags: ['vip'] },
  { everyone: true },
  { tags: ['tenant'] },
  { tags: ['nobody has this tag'] },
  { groups: ['contains'] },
];

/** Writes the contacts of a large workspace, and reminders to audiences of it that come due at this rate, the first of them in six seconds. */
export async function writeToLargeAudiences(
  owner: Client,
  {
    workspaceId,
    contacts: n,
    perSecond,
    seconds,
  }: { workspaceId: string; contacts: number; perSecond: number; seconds: number },
): Promise<void> {
  await owner.query(
    `insert into contacts (workspace_id, name, email, email_key, tags, variables)
     select $1, 'Tenant ' || k, k || '@example.com', k || '@example.com', array['Area ' || k % 50, 'Tenant'] || case when k % $3::int = 0 then array['VIP'] else '{}' end,
            jsonb_build_object('building', k % 2000 || ' Elm Street', 'unit', (k % 40)::text)
       from generate_series(1, $2::int) k`,
    [workspaceId, n, Math.ceil(n / 20)],
  );
  const rule = { match: 'all', conditions: [{ test: 'contains', variable: 'building', value: 'no such street' }] };
  const { rows } = await owner.query<{ id: string }>(
    "insert into contact_groups (workspace_id, name, rule) values ($1, 'Contains', $2) returning id",
    [workspaceId, rule],
  );
  const audiences = largeAudiences.map((one) => ('groups' in one ? { groups: [rows[0]?.id] } : one));
  await owner.query('vacuum (analyze) contacts, contact_words');
  await tidy(owner);
  await owner.query(
    `with scheduled as materialized (
       select uuidv7() as id, now() + interval '6 seconds' + k / $5::numeric * interval '1 second' as at, k % jsonb_array_length($4) as audience
         from generate_series(0, $6::int - 1) k
     ), written as (
       insert into reminders (id, workspace_id, name, status, schedule_config, content, metadata)
       select id, $1, 'Rent', 'active', $2, $3::jsonb || '{"recipients": []}',
              jsonb_build_object('channels', array['webhook'], 'priority', 'medium', 'audience', $4::jsonb -> audience)
         from scheduled)
     insert into jobs (workspace_id, reminder_id, name, type, scheduled_for, run_at)
     select $1, id, 'Rent', 'reminder', at, at from scheduled`,
    [workspaceId, scheduleSince(), content, JSON.stringify(audiences), perSecond, Math.round(perSecond * seconds)],
  );
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
