import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { CommandFailed } from '#commands/command-failed.ts';
import type { Config } from '#platform/config.ts';
import { assertCurrent, readKeyRecord } from '#platform/key-record.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { loginOf } from '#platform/roles.ts';

export type Reached = { ownerUrl: string; leave(): Promise<void> };

/**
 * The database of this installation, with its owner's login: the one of DATABASE_URL, otherwise the embedded one. A
 * running embedded server stays running; a stopped one is started until `leave`.
 * @param options.create creates the embedded database where there is none; otherwise a CommandFailed says so
 */
export async function reachDatabase(config: Config, { create = false } = {}): Promise<Reached> {
  const nothingToLeave = async () => {};
  if (config.DATABASE_URL !== undefined) return { ownerUrl: config.DATABASE_URL, leave: nothingToLeave };
  const dataDir = resolve(config.DATA_DIR);
  const running = await runningUrl(dataDir);
  if (running !== null) return { ownerUrl: running, leave: nothingToLeave };
  if (!create && (await passwordIn(dataDir)) === null)
    throw new CommandFailed(`There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL to where it is.`);
  const server = await startEmbeddedPostgres({ dataDir });
  return { ownerUrl: server.url, leave: () => server.stop() };
}

/** Checks the encryption key: the names of an installation's logins depend on it. Throws KeyReplaced for one from before a rotation. */
export async function assertKeyOf(owner: Client, encryptionKey: string): Promise<void> {
  const record = await readKeyRecord(owner);
  if (record !== null) assertCurrent(record, { newest: encryptionKey, older: [] });
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [loginOf('engine', encryptionKey)]);
  if (rowCount === 0)
    throw new CommandFailed(
      'The encryption key that is set does not belong to this database: set ENCRYPTION_KEY, or DATA_DIR to where encryption.key is.',
    );
}

/** The URL of the running embedded server, whose port is in the data folder. Its password tells it from any other server. */
async function runningUrl(dataDir: string): Promise<string | null> {
  const [password, port] = [await passwordIn(dataDir), await textOf(join(dataDir, 'postgres-port'))];
  if (password === null || port === null) return null;
  const url = `postgres://cuebird:${password}@127.0.0.1:${port}/cuebird`;
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    return url;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => {});
  }
}

const passwordIn = (dataDir: string) => textOf(join(dataDir, 'postgres-password'));

const textOf = (file: string): Promise<string | null> =>
  readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
