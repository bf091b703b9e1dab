import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { secureDataDir } from '#platform/data-dir.ts';
import { createCluster, OWNER, stopOrphan, stopServer } from '#platform/embedded-postgres.cluster.ts';
import { EmbeddedPostgresError, embeddedPostgresErrorOf } from '#platform/embedded-postgres.error.ts';
import { type Installation, prepareInstallation } from '#platform/embedded-postgres.installation.ts';
import { type Server, startServer } from '#platform/embedded-postgres.server.ts';
import { lockForThisProcess } from '#platform/process-lock.ts';

export { EmbeddedPostgresError } from '#platform/embedded-postgres.error.ts';

export type EmbeddedPostgres = {
  /** The address as the owner and superuser: postgres://… with the database `cuebird`. */
  url: string;
  port: number;
  /** Ends all sessions, stops the server and unlocks the data folder. Calling it again does nothing. */
  stop(): Promise<void>;
};

/**
 * Runs PostgreSQL 18 on loopback, its files in `dataDir`, until `stop()`; a server that dies meanwhile is started again on
 * the same port. A data folder belongs to one process at a time.
 * @param options.log gets each line that the server says
 * @param options.warn is told of its death and of what keeps it from starting again
 * @param options.isEphemeral for tests: fast, and worth nothing after a power cut
 * @param options.distribution for tests: the npm package of another PostgreSQL
 * @param options.settings for measurements: settings of the server that differ
 * @throws EmbeddedPostgresError, whose message is one line for the person at the terminal
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log?: (line: string) => void;
  warn?: (text: string) => void;
  isEphemeral?: boolean;
  distribution?: string;
  settings?: Readonly<Record<string, string>>;
}): Promise<EmbeddedPostgres> {
  const {
    log = () => {},
    warn = log,
    isEphemeral = false,
    distribution = 'embedded-postgres',
    settings = {},
  } = options;
  const dataDir = resolve(options.dataDir);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const release = await lockDataDir(dataDir);
    return await startLocked({ dataDir, log, warn, isEphemeral, distribution, settings, release }).catch(
      async (error: unknown) => {
        await release();
        throw error;
      },
    );
  } catch (error) {
    throw embeddedPostgresErrorOf(error, dataDir);
  }
}

async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  const lock = await lockForThisProcess(join(dataDir, 'cuebird.lock'));
  if (lock.outcome === 'locked') return lock.release;
  const holder = lock.pid === null ? '' : ` (process ${lock.pid})`;
  throw new EmbeddedPostgresError(
    `Cuebird is already running on ${dataDir}${holder}. Stop it first or set another DATA_DIR.`,
  );
}

type Start = {
  dataDir: string;
  log: (line: string) => void;
  warn: (text: string) => void;
  isEphemeral: boolean;
  distribution: string;
  settings: Readonly<Record<string, string>>;
  release: () => Promise<void>;
};

async function startLocked({
  dataDir,
  log,
  warn,
  isEphemeral,
  distribution,
  settings,
  release,
}: Start): Promise<EmbeddedPostgres> {
  // After the lock is taken: another process's server may have been given access to the folder.
  await secureDataDir(dataDir, warn);
  const installation = await prepareInstallation(dataDir, distribution);
  await stopOrphan(installation);
  const password = await createCluster(installation, { dataDir, isEphemeral });
  const portFile = join(dataDir, 'postgres-port');
  const lastPort = Number(await readFile(portFile, 'utf8').catch(() => '')) || null;
  const server = await startServer(installation, { port: { last: lastPort }, isEphemeral, settings, log });
  const startAgain = () => startServer(installation, { port: { only: server.port }, isEphemeral, settings, log });
  const stop = keepRunning(installation, { server, startAgain, warn, release });
  try {
    await writeFile(portFile, `${server.port}\n`);
    await createDatabase(urlOf(server.port, { password, database: 'postgres' }));
    return { url: urlOf(server.port, { password, database: 'cuebird' }), port: server.port, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Kept = {
  server: Server;
  startAgain: () => Promise<Server>;
  warn: (text: string) => void;
  release: () => Promise<void>;
};

/** Starts the server again when it dies. Returns a function that stops it. */
function keepRunning(installation: Installation, { server, startAgain, warn, release }: Kept): () => Promise<void> {
  let current = server;
  let revival = Promise.resolve();
  let stopping: Promise<void> | null = null;
  const giveUp = new AbortController();
  // A process that ends without stop() still signals the server; only kill -9 leaves it running.
  const leave = () => current.child.kill('SIGINT');
  const revive = () => {
    if (stopping === null) revival = untilRunning();
  };
  process.once('exit', leave);
  current.child.once('exit', revive);

  async function untilRunning(): Promise<void> {
    warn('PostgreSQL stopped unexpectedly. Starting it again.');
    for (let delayMs = 200; stopping === null; delayMs = Math.min(delayMs * 2, 5_000)) {
      try {
        current = await startAgain();
        current.child.once('exit', revive);
        return warn('PostgreSQL runs again.');
      } catch (error) {
        warn(error instanceof Error ? error.message : String(error));
        await wait(delayMs, undefined, { signal: giveUp.signal }).catch(() => {});
      }
    }
  }

  async function stop(): Promise<void> {
    giveUp.abort();
    await revival;
    current.child.off('exit', revive);
    if (current.child.exitCode === null && current.child.signalCode === null) await stopServer(installation);
    await current.ended;
    process.off('exit', leave);
    await release();
  }
  return () => (stopping ??= stop());
}

async function createDatabase(maintenanceUrl: string): Promise<void> {
  const client = new Client({ connectionString: maintenanceUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query(`select from pg_database where datname = 'cuebird'`);
    if (rowCount === 0) await client.query('create database cuebird strategy file_copy');
  } finally {
    await client.end();
  }
}

function urlOf(port: number, { password, database }: { password: string; database: string }): string {
  return `postgres://${OWNER}:${password}@127.0.0.1:${port}/${database}`;
}
