import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runToEnd } from '#platform/embedded-postgres.account.ts';
import { createCluster, OWNER, stopServer } from '#platform/embedded-postgres.cluster.ts';
import { type Installation, prepareInstallation } from '#platform/embedded-postgres.installation.ts';
import { type Server, startServer } from '#platform/embedded-postgres.server.ts';
import { migrate } from '#platform/migrate.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';

/** A primary with its standby, which streams from it: two real servers, with the product's tables. */
export type DatabasePair = {
  primaryUrl: string;
  standbyUrl: string;
  /** Both hosts in one URL, the primary first. */
  url: string;
  /** Whether the primary answers a commit only once the standby has it. As a cluster manager does, without a restart. */
  waitForStandby(isWaiting: boolean): Promise<void>;
  /** The standby gets nothing more, and falls behind. */
  cutOffStandby(): Promise<void>;
  killPrimary(): Promise<void>;
  /** Resolves once the standby takes changes. */
  promote(): Promise<void>;
  drop(): Promise<void>;
};

const settings = {
  wal_level: 'replica',
  max_wal_senders: '4',
  synchronous_commit: 'on',
  max_connections: '100',
  wal_retrieve_retry_interval: '100ms',
};

export async function startDatabasePair(): Promise<DatabasePair> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cuebird-pair-'));
  const primary = await prepareInstallation(dataDir, 'embedded-postgres');
  const password = await createCluster(primary, { dataDir, isEphemeral: true });
  const start = (installation: Installation) =>
    startServer(installation, { port: { last: null }, isEphemeral: true, settings, log: () => {} });
  const urlOf = (hosts: string, database = 'cuebird') => `postgres://${OWNER}:${password}@${hosts}/${database}`;
  const hostOf = ({ port }: Server) => `127.0.0.1:${port}`;

  const first = await start(primary);
  await inDatabase(urlOf(hostOf(first), 'postgres'), 'create database cuebird');
  await migrate(urlOf(hostOf(first)), { encryptionKey: TEST_ENCRYPTION_KEY });
  await stopServer(primary);
  await first.ended;
  const standby = await copyOf(primary);
  const servers = [await start(primary)];
  const primaryHost = servers.map(hostOf).join();
  const [, port = ''] = primaryHost.split(':');
  const source = `host=127.0.0.1 port=${port} user=${OWNER} password=${password} application_name=standby`;
  // Not on the command line, which would win over what `cutOffStandby` says.
  await appendFile(join(standby.cluster, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  servers.push(await start(standby));
  const hosts = servers.map(hostOf);
  const [primaryUrl = '', standbyUrl = ''] = hosts.map((host) => urlOf(host));
  await untilTrue(primaryUrl, "select count(*) = 1 as is_true from pg_stat_replication where state = 'streaming'");

  return {
    primaryUrl,
    standbyUrl,
    url: urlOf(hosts.join()),
    async waitForStandby(isWaiting) {
      await inDatabase(
        primaryUrl,
        `alter system ${isWaiting ? "set synchronous_standby_names = 'standby'" : 'reset synchronous_standby_names'}`,
        'select pg_reload_conf()',
      );
      await untilTrue(
        primaryUrl,
        isWaiting
          ? "select count(*) = 1 as is_true from pg_stat_replication where sync_state = 'sync'"
          : "select current_setting('synchronous_standby_names') = '' as is_true",
      );
    },
    async cutOffStandby() {
      await inDatabase(standbyUrl, "alter system set primary_conninfo = ''", 'select pg_reload_conf()');
      await untilTrue(primaryUrl, 'select count(*) = 0 as is_true from pg_stat_replication');
    },
    async killPrimary() {
      servers[0]?.child.kill('SIGKILL');
      await servers[0]?.ended;
    },
    promote: () => inDatabase(standbyUrl, 'select pg_promote(true, 60)'),
    async drop() {
      for (const { child } of servers) child.kill('SIGQUIT');
      await Promise.all(servers.map(({ ended }) => ended));
      for (const folder of new Set([dataDir, dirname(primary.cluster), dirname(standby.cluster)]))
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The files of a server that is stopped, for another one that follows it. */
async function copyOf(primary: Installation): Promise<Installation> {
  const folder = await mkdtemp(join(dirname(dirname(primary.cluster)), 'cuebird-standby-'));
  await chmod(folder, 0o711);
  const cluster = join(folder, 'postgres-18');
  const copied = await runToEnd({ runAs: 'self' }, { file: 'cp', args: ['-a', primary.cluster, cluster], cwd: folder });
  if (copied.code !== 0) throw new Error(copied.output);
  await writeFile(join(cluster, 'standby.signal'), '');
  await chmod(join(cluster, 'standby.signal'), 0o666);
  return { ...primary, cluster };
}

async function inDatabase(url: string, ...statements: string[]): Promise<void> {
  const owner = await connectOwner(url);
  try {
    for (const statement of statements) await owner.query(statement);
  } finally {
    await owner.end();
  }
}

/** Asks until the statement says so: PostgreSQL announces none of it. */
async function untilTrue(url: string, statement: string): Promise<void> {
  const owner = await connectOwner(url);
  try {
    while ((await owner.query<{ is_true: boolean }>(statement)).rows[0]?.is_true !== true);
  } finally {
    await owner.end();
  }
}
