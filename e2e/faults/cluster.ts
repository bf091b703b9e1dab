import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { migrate } from '#platform/migrate.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { postgresOf, signalIfThere, untilGone } from '#testing/processes.ts';

/** A PostgreSQL that keeps what it has committed, whatever is done to it; with the product's tables. */
export type Cluster = {
  url: string;
  dataDir: string;
  /** Resolves once a new server takes connections in the place of the killed one. */
  killServer(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void>;
  /** Resolves once it lets somebody in. */
  isReachable(): Promise<void>;
  /** Leaves the files to whoever starts a server on them. */
  stop(): Promise<void>;
  /** Ends whatever server runs on the files, and removes them. */
  drop(): Promise<void>;
};

/** @param folder for the files; one of its own below the machine's temporary folder, if not given */
export async function startCluster(folder?: string): Promise<Cluster> {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'cuebird-cluster-')));
  let onReady: () => void = () => {};
  const server = await startEmbeddedPostgres({
    dataDir,
    log(line) {
      if (line.includes('ready to accept connections')) onReady();
    },
  });
  await migrate(server.url, { encryptionKey: TEST_ENCRYPTION_KEY });
  return {
    url: server.url,
    dataDir,
    async killServer(signal) {
      const isReady = new Promise<void>((resolve) => (onReady = resolve));
      killServerOf(dataDir, signal);
      await isReady;
    },
    async isReachable() {
      for (;;) {
        const owner = await connectOwner(server.url).catch(() => null);
        if (owner !== null) return owner.end();
        await wait(50);
      }
    },
    stop: () => server.stop(),
    async drop() {
      await server.stop();
      const left = postgresOf(dataDir);
      killServerOf(dataDir, 'SIGQUIT');
      await Promise.all(left.map(untilGone));
      if (folder === undefined) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The server itself: its sessions notice by themselves. */
export function killServerOf(dataDir: string, signal: NodeJS.Signals): void {
  const [server] = postgresOf(dataDir);
  if (server !== undefined) signalIfThere(server, signal);
}
