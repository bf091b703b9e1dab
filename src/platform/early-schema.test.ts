import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { openDeliveryPause } from '#engine/pause/delivery-pause.ts';
import { lastEarlyMigration, UnfinishedDatabase } from '#platform/early-schema.ts';
import { systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import { migrate } from '#platform/migrate.ts';
import { assertTenantBoundary } from '#platform/tenant-boundary.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { earlyDatabase } from '#testing/early-database.ts';
import { connectOwner } from '#testing/owner.ts';
import { schemaText } from '#testing/schema-text.ts';

const encryptionKey = TEST_ENCRYPTION_KEY;

/** No superuser, so that row-level security binds it. */
let role: string;
let admin: Client;
let cleanups: (() => Promise<unknown>)[];
beforeEach(async () => {
  cleanups = [];
  // Makes the groups and logins.
  const { drop } = await createTestDatabase();
  admin = await connectOwner(inject('postgresUrl'));
  role = `owner_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`create role ${role} login password 'owner'`);
  cleanups.push(
    drop,
    () => admin.end(),
    () => admin.query(`drop role ${role}`),
  );
});
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});

async function makeDatabase() {
  const name = `early_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`create database ${name} owner ${role}`);
  cleanups.push(() => admin.query(`drop database ${name} with (force)`));
  const superUrl = new URL(`/${name}`, inject('postgresUrl'));
  const url = new URL(superUrl);
  Object.assign(url, { username: role, password: 'owner' });
  const connect = async (to: URL) => {
    const client = await connectOwner(to.href);
    cleanups.push(() => client.end());
    return client;
  };
  return { url: url.href, owner: await connect(url), superuser: await connect(superUrl) };
}

async function makeEarlyDatabase() {
  const database = await makeDatabase();
  const { schema, rows } = await earlyDatabase();
  await database.owner.query(schema);
  await database.superuser.query(rows);
  return database;
}

async function rowCounts(client: Client): Promise<number[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'schema_migrations'`,
  );
  const counts: number[] = [];
  for (const { name } of rows) counts.push((await client.query(`select from ${name}`)).rowCount ?? 0);
  return counts.toSorted((a, b) => a - b);
}

it('a database from before the baseline gets the schema of a new one, and keeps its rows', async () => {
  const [early, fresh] = [await makeEarlyDatabase(), await makeDatabase()];
  const before = await rowCounts(early.superuser);
  // Three processes start at once.
  await Promise.all([1, 2, 3].map(() => migrate(early.url, { encryptionKey })));
  await migrate(fresh.url, { encryptionKey });

  const withoutMonths = async (client: Client) =>
    (await schemaText(client)).filter((line) => !/(deliveries|job_executions)_\d{4}_\d\d/.test(line));
  expect(await withoutMonths(early.superuser)).toEqual(await withoutMonths(fresh.superuser));
  const ran = 'select name, hash from schema_migrations order by name';
  expect((await early.owner.query(ran)).rows).toEqual((await fresh.owner.query(ran)).rows);
  expect(before).not.toContain(0);
  // Tables that are younger than the baseline have no rows.
  expect((await rowCounts(early.superuser)).filter((count) => count > 0)).toEqual(before);

  const { rows } = await early.superuser.query(`
    select (select attempt_history from deliveries) as history, (select backoff_until = '2026-11-02Z' from channel_rate_limits) as backs_off,
           (select mailed_on::text from notices) as mailed_on, (select times from sandbox_simulated_failures) as times,
           (select array_agg(key order by key) from app_settings) as settings`);
  expect(rows).toEqual([
    {
      history: [{ attempt: 1, status: 'failed', reason: '503' }],
      backs_off: true,
      mailed_on: '2026-11-21',
      times: 2,
      settings: ['admin_setup', 'engine.delivery_pause', 'engine.location', 'engine.tz_version'],
    },
  ]);
  const database = openDatabase(early.url, { encryptionKey });
  await assertTenantBoundary(database.appPool);
  const pause = await openDeliveryPause({ pool: database.engine, clock: systemClock });
  expect(await pause.notice()).toMatchObject({ reason: 'moved', since: '2026-11-20T08:00:00Z' });
  await database.close();
});

it.each([
  [
    'stands at an earlier migration',
    `delete from schema_migrations where name = '${lastEarlyMigration.migration}'`,
    '0021_address_keys.sql',
  ],
  [
    'had other migrations',
    "update schema_migrations set hash = 'h' where name like '0004%'",
    lastEarlyMigration.migration,
  ],
])('one that %s is refused with what to do, and left as it is', async (_, change, last) => {
  const early = await makeEarlyDatabase();
  await early.owner.query(change);
  const before = await schemaText(early.superuser);
  const refusal = await migrate(early.url, { encryptionKey }).catch((error: unknown) => error);
  expect(refusal).toEqual(new UnfinishedDatabase(last));
  expect(String(refusal)).toContain(
    `The database is from an early version of Cuebird, at migration ${last}, which this version cannot upgrade.`,
  );
  expect(await schemaText(early.superuser)).toEqual(before);
});
