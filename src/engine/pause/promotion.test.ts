import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDeliveryPause } from '#engine/pause/delivery-pause.ts';
import { systemClock } from '#platform/clock.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { createLog } from '#platform/log.ts';
import { migrate } from '#platform/migrate.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';

const log = createLog('silent');
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
