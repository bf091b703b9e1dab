import { randomUUIDv7 } from 'node:crypto';
import type { Client } from 'pg';
import { ReminderInput } from '#contract/reminders.ts';
import { deleteReminder } from '#features/reminders/deletion.service.ts';
import { createReminder } from '#features/reminders/reminders.service.ts';
import { createWorkspace } from '#features/workspaces/workspaces.service.ts';
import { systemClock } from '#platform/clock.ts';
import type { TenantContext } from '#platform/context.ts';
import { inTenant, openDatabase } from '#platform/database.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import type { Sink } from '#testing/sink.ts';

export type DueReminder = { recipients: string[]; at: Temporal.Instant; channel?: 'webhook' | 'email' };

let tenants = 0;

/** Nine of ten reminders' recipients stand alone, the others in lists of forty. */
export function dueReminders(
  sink: Sink,
  { recipients, since }: { recipients: number; since: Temporal.DurationLike },
): DueReminder[] {
  const at = Temporal.Now.instant().subtract(since).round('second');
  const urls = Array.from({ length: recipients }, () => sink.urlFor(`tenant ${(tenants += 1)}`));
  const alone = Math.ceil(recipients * 0.9);
  const lists = Map.groupBy(urls.slice(alone).entries(), ([index]) => Math.floor(index / 40));
  return [
    ...urls.slice(0, alone).map((url) => ({ at, recipients: [url] })),
    ...[...lists.values()].map((list) => ({ at, recipients: list.map(([, url]) => url) })),
  ];
}

/** Writes one-time reminders, spread over some workspaces: one of a kind as a request would, the rest like it. */
export async function writeReminders(
  databaseUrl: string,
  { reminders, workspaces = 4 }: { reminders: readonly DueReminder[]; workspaces?: number },
): Promise<void> {
  const database = openDatabase(databaseUrl, { encryptionKey: TEST_ENCRYPTION_KEY });
  const owner = await connectOwner(databaseUrl);
  const userId = randomUUIDv7();
  const person = { actor: { kind: 'user', userId }, now: systemClock.now() } as const;
  const inWorkspace = <T>(workspaceId: string, work: (ctx: TenantContext) => Promise<T>) =>
    inTenant(database.app, { workspaceId, userId }, (db) => work({ ...person, db, workspaceId, role: 'owner' }));
  try {
    const profile = [userId, `${userId}@example.com`, 'Ann'];
    await database.auth.query('insert into profiles (id, email, full_name) values ($1, $2, $3)', profile);
    for (let share = 0; share < Math.min(workspaces, reminders.length); share += 1) {
      const { id: workspaceId } = await inTenant(database.app, { workspaceId: null, userId }, (db) =>
        createWorkspace({ ...person, db }, { name: 'Elm Street', description: '' }),
      );
      await owner.query(patientChannel, [workspaceId]);
      const members = reminders.filter((_, index) => index % workspaces === share);
      for (const alike of Map.groupBy(members, ({ at, channel }) => `${at.toString()} ${channel}`).values()) {
        const [first] = alike;
        if (first === undefined) continue;
        const { id } = await inWorkspace(workspaceId, (ctx) => createReminder(ctx, inputOf(first)));
        await multiply(owner, { id, at: first.at, alike });
        await inWorkspace(workspaceId, (ctx) => deleteReminder(ctx, id));
      }
    }
  } finally {
    await owner.end();
    await database.close();
  }
}

/** A receiver may hold its answers back for longer than usual: on a busy machine another process takes half a minute to start. */
const patientChannel = `
  insert into channels (workspace_id, name, type, is_verified, configuration, sealed_secrets)
  values ($1, 'Receiver', 'webhook', true, '{"timeout": 120}', '{}')`;

/** For a time that nobody lives to see: it is there to be copied. */
const inputOf = ({ recipients, channel = 'webhook' }: DueReminder) =>
  ReminderInput.parse({
    name: 'Rent',
    schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: '2900-01-01T00:00:00', timezone: 'UTC' },
    content: { subject: 'Rent', message: 'Rent is due', recipients },
    metadata: { channels: [channel] },
  });

async function multiply(
  owner: Client,
  { id, at, alike }: { id: string; at: Temporal.Instant; alike: readonly Pick<DueReminder, 'recipients'>[] },
): Promise<void> {
  const columns = await writtenColumns(owner, 'reminders');
  const ofJobs = await writtenColumns(owner, 'jobs');
  await owner.query(
    `with made as (
       select uuidv7() as id, u.recipients from json_array_elements($2::json) as u (recipients)
     ), copied as (
       insert into reminders (${columns.join(', ')})
       select ${columns.map((column) => `copy.${column}`).join(', ')}
         from reminders r, made,
              jsonb_populate_record(r, jsonb_build_object('id', made.id,
                'content', jsonb_set(r.content::jsonb, '{recipients}', made.recipients::jsonb),
                'schedule_config', jsonb_set(r.schedule_config::jsonb, '{startDate}', to_jsonb($3::text)))) copy
        where r.id = $1
     )
     insert into jobs (${ofJobs.join(', ')})
     select ${ofJobs.map((column) => `copy.${column}`).join(', ')}
       from jobs j, made,
            jsonb_populate_record(j, jsonb_build_object('id', uuidv7(), 'reminder_id', made.id,
              'scheduled_for', $3::text, 'run_at', $3::text)) copy
      where j.reminder_id = $1`,
    [id, JSON.stringify(alike.map(({ recipients }) => recipients)), at.toString()],
  );
}

/** Not those that the database computes. */
async function writtenColumns(owner: Client, table: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows.map(({ name }) => name);
}
