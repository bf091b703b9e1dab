import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { createCluster, OWNER, stopOrphan, stopServer } from '#platform/embedded-postgres.cluster.ts';
import { EmbeddedPostgresError, explain } from '#platform/embedded-postgres.error.ts';
import { type Installation, prepareInstallation } from '#platform/embedded-postgres.installation.ts';
import { type Server, startServer } from '#platform/embedded-postgres.server.ts';
import { lockForThisProcess } from '#platform/process-lock.ts';

export { EmbeddedPostgresError } from '#platform/embedded-postgres.error.ts';

export type EmbeddedPostgres = {
  /** postgres://… as the owner and superuser, database `cuebird`. */
  url: string;
  port: number;
  /** Ends all sessions, stops the server and frees the data folder. Calling it again does nothing. */
  stop(): Promise<void>;
};

/**
 * Runs PostgreSQL 18 on loopback, its files in `dataDir`, until `stop()`. A data folder belongs to one process at a time.
 * @param options.log gets each line that the server says
 * @param options.isEphemeral for tests: fast, and worth nothing after a power cut
 * @param options.distribution for tests: the npm package of another PostgreSQL
 * @throws EmbeddedPostgresError, whose message is one line for the person at the terminal
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log?: (line: string) => void;
  isEphemeral?: boolean;
  distribution?: string;
}): Promise<EmbeddedPostgres> {
  const { log = () => {}, isEphemeral = false, distribution = 'embedded-postgres' } = options;
  const dataDir = resolve(options.dataDir);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const release = await lockDataDir(dataDir);
    return await startLocked({ dataDir, log, isEphemeral, distribution, release }).catch(async (error: unknown) => {
      await release();
      throw error;
    });
  } catch (error) {
    throw explain(error, dataDir);
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
  isEphemeral: boolean;
  distribution: string;
  release: () => Promise<void>;
};

async function startLocked({ dataDir, log, isEphemeral, distribution, release }: Start): Promise<EmbeddedPostgres> {
  const installation = await prepareInstallation(dataDir, distribution);
  await stopOrphan(installation);
  const password = await createCluster(installation, { dataDir, isEphemeral });
  const portFile = join(dataDir, 'postgres-port');
  const lastPort = Number(await readFile(portFile, 'utf8').catch(() => '')) || null;
  const server = await startServer(installation, { lastPort, isEphemeral, log });
  const stop = stopOnce(installation, { server, log, release });
  try {
    await writeFile(portFile, `${server.port}\n`);
    await createDatabase(urlOf(server.port, { password, database: 'postgres' }));
    return { url: urlOf(server.port, { password, database: 'cuebird' }), port: server.port, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function stopOnce(
  installation: Installation,
  { server, log, release }: { server: Server; log: (line: string) => void; release: () => Promise<void> },
): () => Promise<void> {
  const { child } = server;
  // A process that ends without stop() still asks the server to end; only kill -9 leaves it behind.
  const leave = () => child.kill('SIGINT');
  const complain = () => log('PostgreSQL has ended although nobody stopped it.');
  process.once('exit', leave);
  child.once('exit', complain);
  let stopping: Promise<void> | null = null;
  const stop = async () => {
    child.off('exit', complain);
    await stopServer(installation);
    await server.ended;
    process.off('exit', leave);
    await release();
  };
  return () => (stopping ??= stop());
}

async function createDatabase(maintenanceUrl: string): Promise<void> {
  const client = new Client({ connectionString: maintenanceUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query(`select from pg_database where datname = 'cuebird'`);
    if (rowCount === 0) await client.query('create database cuebird');
  } finally {
    await client.end();
  }
}

function urlOf(port: number, { password, database }: { password: string; database: string }): string {
  return `postgres://${OWNER}:${password}@127.0.0.1:${port}/${database}`;
}
