import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { spawnArguments, spawnOptions } from '#platform/embedded-postgres.account.ts';
import { lastErrorLine } from '#platform/embedded-postgres.cluster.ts';
import { EmbeddedPostgresError } from '#platform/embedded-postgres.error.ts';
import type { Installation } from '#platform/embedded-postgres.installation.ts';

/** `ended` resolves when the server has ended and its output was read. */
export type Server = { child: ChildProcess; port: number; ended: Promise<unknown> };

type Options = {
  /** The port of the last start if it is free, or the only permitted one. */
  port: { last: number | null } | { only: number };
  isEphemeral: boolean;
  settings: Readonly<Record<string, string>>;
  log: (line: string) => void;
};

/** Starts PostgreSQL on loopback, and waits until it accepts connections. */
export async function startServer(installation: Installation, options: Options): Promise<Server> {
  let port = 'only' in options.port ? options.port.only : (options.port.last ?? (await freePort()));
  for (let attempt = 1; ; attempt += 1) {
    const launch = await launchServer(installation, { ...options, port });
    if (launch.outcome === 'ready') return { ...launch, port };
    const canRetry = /Address already in use|pre-existing shared memory block is still in use/.test(launch.output);
    if (!canRetry || attempt === 10)
      throw new EmbeddedPostgresError(`PostgreSQL did not start: ${lastErrorLine(launch.output)}`);
    if (launch.output.includes('Address already in use') && 'last' in options.port) port = await freePort();
    // The port is free, so the failure is that sessions of a killed server are still ending.
    else await setTimeout(200);
  }
}

type Launch = { outcome: 'ready'; child: ChildProcess; ended: Promise<unknown> } | { outcome: 'ended'; output: string };

async function launchServer(
  installation: Installation,
  options: Omit<Options, 'port'> & { port: number },
): Promise<Launch> {
  const { account, binaries, cluster } = installation;
  const command = {
    file: binaries.postgres,
    args: ['-D', cluster, ...settingArguments(options)],
    cwd: dirname(binaries.postgres),
  };
  const child = spawn(...spawnArguments(account, command), {
    ...spawnOptions(account, command),
    // A process group of its own: Ctrl-C reaches only Cuebird, which then stops this server.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  const { promise, resolve, reject } = Promise.withResolvers<Launch>();
  const ended = new Promise((settle) => child.once('close', settle));
  const lines = createInterface({ input: child.stderr });
  lines.on('line', (line) => {
    if (!quotesValues.test(line)) options.log(line);
    output = `${output}${line}\n`.slice(-10_000);
    // A standby is ready for read-only ones.
    if (/database system is ready to accept (?:read-only )?connections/.test(line))
      resolve({ outcome: 'ready', child, ended });
  });
  child.once('error', reject);
  child.once('close', () => resolve({ outcome: 'ended', output }));
  return promise;
}

/** The lines after an error that repeat rows or statements, and so what people have written. A line that begins with a tab continues one. */
const quotesValues = /^(?:DETAIL|STATEMENT|CONTEXT|QUERY):|^\t/;

function settingArguments({
  port,
  isEphemeral,
  settings,
}: Pick<Options, 'isEphemeral' | 'settings'> & { port: number }): string[] {
  const all = { ...SETTINGS, port, ...(isEphemeral ? EPHEMERAL_SETTINGS : {}), ...settings };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

// Settings for a queue on an SSD: many small transactions, short-lived rows, one machine, no replicas.
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 100,
  shared_buffers: '256MB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  // Off, because these builds can only compress with pglz, which costs more processor time than it saves in writing.
  wal_compression: 'off',
  min_wal_size: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: 1.1,
  jit: 'off',
  // Claimed and finished jobs leave thousands of dead rows; frequent vacuuming keeps claims fast.
  autovacuum_naptime: '10s',
  autovacuum_vacuum_scale_factor: 0.05,
  autovacuum_vacuum_cost_limit: 2000,
  // Executions and deliveries are partitioned by month.
  max_locks_per_transaction: 256,
  shared_preload_libraries: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_line_prefix: '',
  logging_collector: 'off',
};

const EPHEMERAL_SETTINGS = {
  // High, because one server serves all tests that run at a time.
  max_connections: 400,
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  // Off, so that the planner's statistics in a test are only those that the test has asked for.
  autovacuum: 'off',
  // Saves a millisecond for each new connection, of which tests open thousands.
  scram_iterations: 1,
};

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return address.port;
}
