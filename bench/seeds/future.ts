import { Client } from 'pg';
import type { BenchContext } from '../context.ts';
import { migrate } from '../../src/platform/migrate.ts';
import { content } from '../webhook.ts';
import { tidy } from './reminders.ts';
import { encryptionKey } from './workspace.ts';

const chunk = 100_000;
const workspaces = 1_000;

/** Creates the template at the first call. @returns its name */
export const futureTemplate = (context: BenchContext, count: number) =>
  context.template(`future_${count}`, async (databaseUrl) => {
    context.say(`Writing ${count} future jobs`);
    await seedFuture(databaseUrl, count);
  });

/**
 * A database with this many daily reminders in a thousand workspaces, due the next day and at least an hour from now, so that none of them
 * becomes due during the benchmark.
 */
async function seedFuture(databaseUrl: string, count: number): Promise<void> {
  await migrate(databaseUrl, { encryptionKey });
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  // The queue is filled by one statement below, and this data needs no durability.
  await owner.query(
    "select set_config('cuebird.keeps_queue', 'on', false), set_config('synchronous_commit', 'off', false)",
  );
  await owner.query(
    "insert into workspaces (name, slug) select 'Tenant ' || i, 'tenant-' || i from generate_series(1, $1::int) i",
    [workspaces],
  );
  for (let written = 0; written < count; written += chunk) await writeChunk(owner, Math.min(chunk, count - written));
  await owner.query(
    'insert into queue (job_id, workspace_id, run_at, reminder_id) select id, workspace_id, run_at, reminder_id from jobs order by workspace_id, run_at',
  );
  // The engine records the version of its time zone data; without it, the first start would recompute all times.
  await owner.query("insert into app_settings (key, value) values ('engine.tz_version', to_jsonb($1::text))", [
    process.versions.tz,
  ]);
  await tidy(owner);
  await owner.end();
}

async function writeChunk(owner: Client, count: number): Promise<void> {
  await owner.query(
    `with tenants as materialized (
       select array_agg(id) as ids from workspaces
     ), scheduled as materialized (
       select uuidv7() as id, ids[1 + i % cardinality(ids)] as workspace_id,
              date_trunc('second', now() + interval '1 hour' + random() * interval '22 hours') as at
         from tenants, generate_series(1, $3::int) i
     ), written as (
       insert into reminders (id, workspace_id, name, status, schedule_config, content, metadata)
       select id, workspace_id, 'Rent', 'active',
              json_build_object('type', 'scheduled', 'scheduleType', 'daily', 'timezone', 'UTC',
                'startDate', to_char((at - interval '30 days') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')), $1, $2
         from scheduled)
     insert into jobs (workspace_id, reminder_id, name, type, scheduled_for, run_at)
     select workspace_id, id, 'Rent', 'reminder', at, at from scheduled`,
    [
      { ...content, recipients: ['https://hooks.example.com/rent'] },
      { channels: ['webhook'], priority: 'medium' },
      count,
    ],
  );
}
