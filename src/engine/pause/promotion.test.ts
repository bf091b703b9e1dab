import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDeliveryPause } from '#engine/pause/delivery-pause.ts';
import { systemClock } from '#platform/clock.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { createLog } from '#platform/log.ts';
import { migrate } from '#platform/migrate.ts';
import { startDatabasePair } from '#testing/database-pair.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { startTcpProxy } from '#testing/tcp-proxy.ts';
import { createVirtualClock } from '#testing/virtual-clock.ts';

const log = createLog('silent');

describe('a server', () => {
  let dataDir: string;
  let server: EmbeddedPostgres;
  let database: Database;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cuebird-promoted-'));
    server = await start();
    await migrate(server.url, { encryptionKey: TEST_ENCRYPTION_KEY });
    database = openDatabase(server.url, { encryptionKey: TEST_ENCRYPTION_KEY });
  });
  afterEach(async () => {
    await database.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = () =>
    startEmbeddedPostgres({
      dataDir,
      isEphemeral: true,
      // A recovery ends where it finds no more, and begins another timeline.
      settings: { wal_level: 'replica', restore_command: 'false' },
    });

  /** The same files, address and identity, on a timeline of their own. */
  async function promote(): Promise<void> {
    const { port } = server;
    await server.stop();
    const signal = join(dataDir, 'postgres-18', 'recovery.signal');
    await writeFile(signal, '');
    await chmod(signal, 0o666);
    server = await start();
    expect(server.port).toBe(port);
    // It answers already while it recovers.
    const owner = await connectOwner(server.url);
    const isPromoted = async () => (await owner.query('select not pg_is_in_recovery() as promoted')).rows[0].promoted;
    await expect.poll(isPromoted, { timeout: 30_000 }).toBe(true);
    await owner.end();
  }

  it('a process that runs pauses deliveries once its database is a promoted one, before anything is claimed', async () => {
    const pause = await openDeliveryPause({ database, clock: systemClock, log });
    expect(await pause.notice()).toBeNull();
    await database.engine.query('select');
    await promote();
    // The first statement finds the lost connection, or opens another.
    await database.engine.query('select').catch(() => database.engine.query('select'));
    expect(await pause.notice()).toMatchObject({ reason: 'promoted' });
  }, 60_000);

  it('a server that was killed and comes back on its timeline goes on delivering', async () => {
    const pause = await openDeliveryPause({ database, clock: systemClock, log });
    await server.stop();
    server = await start();
    await database.engine.query('select').catch(() => database.engine.query('select'));
    expect(await pause.notice()).toBeNull();
  }, 60_000);
});

describe('a primary with a synchronous standby', () => {
  it.each([
    ['goes on delivering from the promoted standby while it waits for it', { isDropped: false, notice: null }],
    [
      'pauses deliveries once it has stopped waiting for it, although the standby never learned of that',
      { isDropped: true, notice: { reason: 'promoted' } },
    ],
  ])(
    '%s',
    async (_, { isDropped, notice }) => {
      const clock = createVirtualClock('2026-03-02T08:00:00Z');
      const pair = await startDatabasePair();
      await pair.waitForStandby(true);
      const proxy = await startTcpProxy(pair.primaryUrl);
      const database = openDatabase(proxy.through(pair.primaryUrl), { encryptionKey: TEST_ENCRYPTION_KEY });
      const reported = Promise.withResolvers<string>();
      const pause = await openDeliveryPause({
        database,
        clock,
        standby: 'synchronous',
        log: createLog('info', (line) => line.includes('waits for no standby') && reported.resolve(line)),
      });
      expect([pause.afterFailOver(), await locationIn(pair.primaryUrl)]).toMatchObject([
        'continues',
        { waitsForStandby: true },
      ]);
      if (isDropped) {
        await pair.cutOffStandby();
        await pair.waitForStandby(false);
        await clock.untilAsleep(1);
        clock.advance({ seconds: 5 });
        await reported.promise;
        await expect
          .poll(async () => [pause.afterFailOver(), await locationIn(pair.primaryUrl)])
          .toMatchObject(['not_synchronous', { waitsForStandby: false }]);
      }
      await pair.killPrimary();
      await pair.promote();
      expect(await locationIn(pair.standbyUrl)).toMatchObject({ waitsForStandby: true });
      proxy.leadTo(pair.standbyUrl);
      await database.engine.query('select').catch(() => database.engine.query('select'));
      expect(await pause.notice()).toEqual(notice === null ? null : expect.objectContaining(notice));
      await pause.stop();
      await database.close();
      await proxy.close();
      await pair.drop();
    },
    60_000,
  );

  async function locationIn(url: string): Promise<unknown> {
    const owner = await connectOwner(url);
    const { rows } = await owner.query("select value from app_settings where key = 'engine.location'");
    await owner.end();
    return rows[0]?.value;
  }
});

it('a standby is refused with one sentence', async () => {
  const pair = await startDatabasePair();
  const database = openDatabase(pair.standbyUrl, { encryptionKey: TEST_ENCRYPTION_KEY });
  await expect(openDeliveryPause({ database, clock: systemClock, log })).rejects.toThrow(
    'DATABASE_URL: the database is a standby, which accepts no changes. Name its primary.',
  );
  await database.close();
  await pair.drop();
}, 60_000);
