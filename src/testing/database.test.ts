import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from './database.ts';

describe('a test database', () => {
  it('is migrated and isolated from other ones', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await query(one.url, 'create table only_here (id int)');
    const seen = `select to_regclass('only_here') is not null as here, to_regclass('reminders') is not null as migrated`;
    expect(await query(one.url, seen)).toEqual([{ here: true, migrated: true }]);
    expect(await query(other.url, seen)).toEqual([{ here: false, migrated: true }]);
    await Promise.all([one.drop(), other.drop()]);
    await expect(query(one.url, seen)).rejects.toThrow(/does not exist/);
  });

  it('is emptied and reused when a test left only rows and ledger partitions', async () => {
    const { first, next } = await takenAgain(async (first) => {
      await query(first.url, `insert into profiles (email) values ('dana@example.com')`);
      await query(first.url, `insert into workspaces (name, slug) values ('Elm', 'elm')`);
      await query(first.url, `select make_month_partition('deliveries', '2031-01-01')`);
      const open = await connect(first.url);
      await first.drop();
      await expect(open.query('select 1')).rejects.toThrow();
    });
    await expect(query(first.url, 'select 1')).rejects.toThrow(/does not exist/);
    const left = `select (select count(*)::int from profiles) as profiles, (select count(*)::int from workspaces) as workspaces,
                         to_regclass('deliveries_2031_01') as month, pg_relation_size('profiles')::int as bytes`;
    expect(await query(next.url, left)).toEqual([{ profiles: 0, workspaces: 0, month: null, bytes: 0 }]);
    await next.drop();
  });

  it.each([
    'create table added (id int)',
    'alter table profiles add column added int',
    'alter table workspaces disable row level security',
    'alter table workspaces alter column name drop not null',
    'grant delete on audit_log to cuebird_app',
    'drop policy owner_reads on workspaces',
    'create index on profiles (full_name)',
    'create or replace function allow_owner_reads() returns void language sql as $$ $$',
    'drop table deliveries_other',
    `update schema_migrations set hash = 'another' where name like '0001%'`,
    'insert into profiles (email) values (gen_random_uuid()); analyze profiles',
    'alter table reminders disable trigger user',
  ])('is never taken again after: %s', async (change) => {
    const changed = await createTestDatabase();
    await query(changed.url, change);
    const [oid] = await query(changed.url, ownOid);
    await changed.drop();
    const other = await createTestDatabase();
    expect(await query(other.url, `select from pg_database where oid = ${oid.oid}`)).toEqual([]);
    await other.drop();
  });

  it('accepts connections again after an installation closed it', async () => {
    const { next } = await takenAgain(async (closed) => {
      await query(
        closed.url,
        `do $$ begin execute format('revoke connect on database %I from public', current_database()); end $$`,
      );
      await closed.drop();
    });
    expect(await query(next.url, 'select datacl from pg_database where datname = current_database()')).toEqual([
      { datacl: null },
    ]);
    await next.drop();
  });
});

const ownOid = 'select oid::int from pg_database where datname = current_database()';

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>;

/** Creates a database, which `spend` uses and drops, until it is given out again here, and not to a test file that runs at the same time. */
async function takenAgain(spend: (one: TestDatabase) => Promise<void>) {
  for (let round = 0; round < 10; round += 1) {
    const first = await createTestDatabase();
    const [oid] = await query(first.url, ownOid);
    await spend(first);
    const next = await takeByOid(oid);
    if (next !== null) return { first, next };
  }
  throw new Error('It was never given out again.');
}

/** Takes some databases until it gets this one, because other test files use the same pool. */
async function takeByOid(wanted: unknown): Promise<TestDatabase | null> {
  const others: TestDatabase[] = [];
  let found: TestDatabase | null = null;
  while (found === null && others.length < 10) {
    const one = await createTestDatabase();
    const [oid] = await query(one.url, ownOid);
    if (JSON.stringify(oid) === JSON.stringify(wanted)) found = one;
    else others.push(one);
  }
  await Promise.all(others.map((other) => other.drop()));
  return found;
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function query(url: string, sql: string) {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
