import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import pg, { type Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, inTenant, openDatabase } from '#platform/database.ts';
import { poolSizesOf } from '#platform/connection-budget.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { startTcpProxy } from '#testing/tcp-proxy.ts';

describe('the database', () => {
  let test: Awaited<ReturnType<typeof createTestDatabase>>;
  let owner: Client;
  let database: Database;
  let workspace: string;
  beforeAll(async () => {
    test = await createTestDatabase();
    owner = await connectOwner(test.url);
    database = openDatabase(test.url, { encryptionKey: TEST_ENCRYPTION_KEY, poolSizes: { app: 3 } });
    const { rows } = await owner.query("insert into workspaces (name, slug) values ('Elm', 'elm') returning id");
    workspace = rows[0].id;
  });
  afterAll(async () => {
    await database.close();
    await owner.end();
    await test.drop();
  });

  const inElm = <T>(work: Parameters<typeof inTenant<T>>[2]) =>
    inTenant(database.app, { workspaceId: workspace, userId: null }, work);

  const names = async () => (await owner.query('select name from channels order by name')).rows.map(({ name }) => name);

  it('sends the statements of a transaction together', async () => {
    for (const pool of [database.appPool, database.engine]) {
      const client = await pool.connect();
      try {
        if (!(client instanceof pg.Client)) throw new Error('The pool hands out no client of the driver.');
        const { stream } = client.connection;
        const answers: Promise<unknown>[] = [];
        let buffered = 0;
        for (const text of ['begin', 'select $1::int', 'commit']) {
          answers.push(client.query(text, text.includes('$') ? [1] : []));
          expect(stream.writableLength).toBeGreaterThan(buffered);
          buffered = stream.writableLength;
          // As between the statements of a service.
          await Promise.resolve();
        }
        await Promise.all(answers);
        expect(stream.writableLength).toBe(0);
      } finally {
        client.release();
      }
    }
  });

  it('keeps neither rows nor parameters once a query is answered', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const submitted = vi.spyOn(pg.Query.prototype, 'submit');
    // The driver's functions outlive their query: what they refer to is kept with them.
    const kept: unknown[] = [];
    const ask = async (client: pg.Pool | pg.PoolClient) => {
      const values = [['What', 'was', 'asked']];
      const { rows } = await client.query({ text: "select n || ' of many' as text from unnest($1::text[]) n", values });
      expect(rows).toHaveLength(3);
      for (const query of submitted.mock.contexts)
        if (query instanceof pg.Query && 'callback' in query) kept.push(query.callback);
      submitted.mockClear();
      return [new WeakRef(values), new WeakRef(rows)];
    };
    try {
      const client = await database.engine.connect();
      const released = await ask(client).finally(() => client.release());
      released.push(...(await ask(database.engine)));
      // The pool keeps its last caller.
      await database.engine.query('select 1');
      expect(kept).toEqual([expect.any(Function), expect.any(Function)]);
      await expect.poll(() => (collect(), released.map((one) => one.deref()))).toEqual(released.map(() => undefined));
    } finally {
      submitted.mockRestore();
    }
  });

  it('tells of a failed statement who asked for it, and gives a callback its answer', async () => {
    const error = await database.engine.query('select 1 / 0').catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: '22012', stack: expect.stringContaining('database.test') });
    const client = await database.engine.connect();
    try {
      const answers = new Promise((resolve) => {
        client.query('select 1 / 0', (failure) => {
          client.query('select $1::int as n', [7], (_, { rows }) => resolve({ failure, rows }));
        });
      });
      await expect(answers).resolves.toEqual({ failure: expect.objectContaining({ code: '22012' }), rows: [{ n: 7 }] });
    } finally {
      client.release();
    }
  });

  it('gives a statement the time-out that it asks for', async () => {
    const impatient = openDatabase(`${test.url}?query_timeout=100`, {
      encryptionKey: TEST_ENCRYPTION_KEY,
      poolSizes: { app: 1 },
    });
    try {
      const client = await impatient.engine.connect();
      await client.query('set statement_timeout = 0');
      const statement = { text: "select pg_sleep(0.3), 'slept' as did", query_timeout: 20_000 };
      expect((await client.query(statement)).rows).toEqual([expect.objectContaining({ did: 'slept' })]);
      client.release();
    } finally {
      await impatient.close();
    }
  });

  it('lets go of connections that the network has cut off without a word, and goes on with others', async () => {
    const proxy = await startTcpProxy(test.url);
    const far = openDatabase(`${proxy.through(test.url)}?query_timeout=300`, {
      encryptionKey: TEST_ENCRYPTION_KEY,
      poolSizes: { app: 1 },
    });
    const look = [
      () => inTenant(far.app, { workspaceId: null, userId: null }, (db) => sql`select 1`.execute(db)),
      () => far.engine.query('select 1'),
      () => far.auth.query('select 1'),
    ];
    await Promise.all(look.map((one) => one()));
    proxy.drop();
    const answers = await Promise.allSettled(look.map((one) => one()));
    expect(answers.map((answer) => answer.status === 'rejected' && answer.reason.message)).toEqual(
      // The time of `begin` is up first, and its connection is closed before or under the statement of the work.
      [
        expect.stringMatching(/^(Connection terminated unexpectedly|Client has encountered a connection error)/),
        'Query read timeout',
        'Query read timeout',
      ],
    );
    // A connection that has just been closed may be handed out once more.
    await vi.waitFor(() => Promise.all(look.map((one) => one())), { timeout: 30_000 });
    await far.close();
    await proxy.close();
  });

  it('ends a statement on the server too when the time of its query is up', async () => {
    const short = openDatabase(`${test.url}?query_timeout=300`, {
      encryptionKey: TEST_ENCRYPTION_KEY,
      poolSizes: { app: 1 },
    });
    const slow = inTenant(short.app, { workspaceId: null, userId: null }, (db) =>
      sql`select pg_sleep(600)`.execute(db),
    );
    await expect(slow).rejects.toThrow();
    const running =
      "select from pg_stat_activity where state = 'active' and query = 'select pg_sleep(600)' and datname = current_database()";
    await expect.poll(async () => (await owner.query(running)).rowCount).toBe(0);
    await short.close();
  });

  it('gives back what a lost process has locked', async () => {
    const proxy = await startTcpProxy(test.url);
    const lost = openDatabase(`${proxy.through(test.url)}?idle_in_transaction_session_timeout=300`, {
      encryptionKey: TEST_ENCRYPTION_KEY,
    });
    const client = await lost.engine.connect();
    await client.query('begin; lock table claims in access exclusive mode');
    proxy.drop();
    expect((await database.engine.query('select from claims')).rowCount).toBe(0);
    client.release(true);
    await lost.close();
    await proxy.close();
  });

  it('keeps all of a transaction, or nothing of it', async () => {
    const add = (name: string) =>
      inElm(async (db) => {
        await db
          .insertInto('channels')
          .values({ workspace_id: workspace, name, type: 'email', configuration: '{}', sealed_secrets: '{}' })
          .execute();
        if (name === 'refused') throw new Error('on second thoughts');
      });
    await add('kept');
    await expect(add('refused')).rejects.toThrow('on second thoughts');
    expect(await names()).toEqual(['kept']);
  });

  it('lets a transaction that only reads change nothing', async () => {
    const tenant = { workspaceId: workspace, userId: null, isReadOnly: true };
    const change = inTenant(database.app, tenant, (db) =>
      db.updateTable('workspaces').set({ name: 'Ash' }).where('id', '=', workspace).execute(),
    );
    await expect(change).rejects.toThrow('read-only transaction');
  });

  it('uses the connection of a transaction that only read for one that writes', async () => {
    const one = openDatabase(test.url, { encryptionKey: TEST_ENCRYPTION_KEY, poolSizes: { app: 1 } });
    const read = (workspaceId: string) =>
      inTenant(one.app, { workspaceId, userId: null, isReadOnly: true }, (db) =>
        db.selectFrom('workspaces').select('name').execute(),
      );
    const rename = inTenant(one.app, { workspaceId: workspace, userId: null }, (db) =>
      db.updateTable('workspaces').set({ name: 'Oak' }).where('id', '=', workspace).execute(),
    );
    const seen = await Promise.all([rename, read(workspace), read(randomUUID()), read(workspace)]);
    expect(seen.slice(1)).toEqual([[{ name: 'Oak' }], [], [{ name: 'Oak' }]]);
    await one.close();
  });

  it('keeps transactions that run at once apart, each in its own workspace', async () => {
    const { rows } = await owner.query(
      "insert into workspaces (name, slug) select 'W', 'w-' || n from generate_series(1, 20) n returning id",
    );
    const seen = await Promise.all(
      rows.map(({ id }) =>
        inTenant(database.app, { workspaceId: id, userId: null }, (db) =>
          db.selectFrom('workspaces').select('id').execute(),
        ),
      ),
    );
    expect(seen).toEqual(rows.map(({ id }) => [{ id }]));
  });

  it.each([
    ["'2026-03-29 02:30:00+02'", '2026-03-29T00:30:00.000Z'],
    ["'2026-12-01 09:00:00.5Z'", '2026-12-01T09:00:00.500Z'],
    ["'2026-12-01 09:00:00.123456Z'", '2026-12-01T09:00:00.123456Z'],
    ["'2026-12-01 09:00:00.1234Z'", '2026-12-01T09:00:00.123400Z'],
    ["'1969-12-31 23:59:59.9Z'", '1969-12-31T23:59:59.900Z'],
  ])('hands %s out as %s, whatever the zone of the session', async (text, wire) => {
    for (const zone of ['UTC', 'America/St_Johns', 'Asia/Kathmandu']) {
      const client = await database.appPool.connect();
      await client.query(`set time zone '${zone}'`);
      const { rows } = await client.query(
        `select timestamptz ${text} as at, $1::timestamptz = timestamptz ${text} as same`,
        [wire],
      );
      client.release(true);
      expect(rows).toEqual([{ at: wire, same: true }]);
    }
  });

  it('replaces connections that the server has ended', async () => {
    const { appPool } = database;
    await appPool.query('select 1');
    await owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cuebird app' and datname = current_database()",
    );
    await expect.poll(() => appPool.totalCount).toBe(0);
    expect((await appPool.query('select 1 as alive')).rows).toEqual([{ alive: 1 }]);
  });

  it("loses a connection in somebody's hands without ending the process", async () => {
    const client = await database.engine.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const { promise: noticed, resolve } = Promise.withResolvers<void>();
    client.on('end', () => resolve());
    await owner.query('select pg_terminate_backend($1, 10000)', [rows[0]?.pid]);
    await noticed;
    await expect(client.query('select 1')).rejects.toThrow();
    client.release(true);
    expect((await database.engine.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('opens no more connections than it was given, however much is asked at once', async () => {
    const few = openDatabase(test.url, { encryptionKey: TEST_ENCRYPTION_KEY, poolSizes: poolSizesOf(24) });
    const pools = [few.appPool, few.engine, few.auth];
    await Promise.all(pools.flatMap((pool) => Array.from({ length: 20 }, () => pool.query('select'))));
    expect(pools.map(({ totalCount }) => totalCount)).toEqual([2, 6, 2]);
    await few.close();
  });
});
