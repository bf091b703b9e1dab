import { type Hold, openHold } from '#engine/hold.ts';
import { systemClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { createLog, type Log } from '#platform/log.ts';
import { migrate } from '#platform/migrate.ts';
import { watchForNewerVersion } from '#platform/newer-version.ts';
import { openPubSub, type PubSub } from '#platform/pubsub.ts';
import { urlForRole } from '#platform/roles.ts';
import { createSecretBox, loadEncryptionKey, type SecretBox } from '#platform/secrets.ts';
import { createStopStack } from '#platform/stop-stack.ts';
import { assertTenantBoundary } from '#platform/tenant-boundary.ts';

/** What names a house to another thread: plain data. */
export type HouseKeys = {
  config: Config;
  /** The owner's address of the database. */
  ownerUrl: string;
  encryptionKey: string;
  /** The folder of migrations that this process knows, as a URL. */
  migrations: string;
};

/** What every room needs. Each thread has a house of its own, on the same database. */
export type House = HouseKeys & {
  log: Log;
  /** What was started, to be stopped in reverse order. */
  stack: ReturnType<typeof createStopStack>;
  database: Database;
  secrets: SecretBox;
  hold: Hold;
  pubsub: PubSub;
  /** Aborts once a newer version has migrated the database. */
  superseded: AbortSignal;
};

export type Foundation = Pick<House, 'config' | 'log' | 'stack'>;

export function layFoundation(config: Config): Foundation & { stop(): Promise<void> } {
  const log = createLog(config.LOG_LEVEL);
  const stack = createStopStack();
  const stop = () => stack.stopAll((name, error) => log.error({ error: String(error) }, `stopping ${name} failed`));
  return { config, log, stack, stop };
}

/** The database, migrated and bounded, and the keys to it. */
export async function buildHouse({ migrations, ...foundation }: Foundation & { migrations: URL }): Promise<House> {
  const { config } = foundation;
  const ownerUrl = config.DATABASE_URL ?? (await startOwnPostgres(foundation));
  const encryptionKey = loadEncryptionKey({ envKey: config.ENCRYPTION_KEY, dataDir: config.DATA_DIR });
  await migrate(ownerUrl, { encryptionKey, folder: migrations });
  const house = await enterHouse(foundation, { config, ownerUrl, encryptionKey, migrations: migrations.href });
  await assertTenantBoundary(house.database.appPool);
  return house;
}

/** Connections to a database that stands, and what is known from it. */
export async function enterHouse({ log, stack }: Foundation, keys: HouseKeys): Promise<House> {
  const { ownerUrl, encryptionKey } = keys;
  const database = openDatabase(ownerUrl, { encryptionKey });
  stack.add('the database pools', () => database.close());
  const hold = await openHold({ pool: database.engine, clock: systemClock });
  const pubsub = await openPubSub(urlForRole(ownerUrl, { role: 'engine', encryptionKey }), log);
  stack.add('the listening connection', () => pubsub.close());
  const folder = new URL(keys.migrations);
  const watch = watchForNewerVersion({ pool: database.engine, pubsub, log, folder });
  stack.add('the watch for a newer version', () => watch.stop());
  const secrets = createSecretBox(encryptionKey);
  return { ...keys, log, stack, database, secrets, hold, pubsub, superseded: watch.superseded };
}

async function startOwnPostgres({ config, log, stack }: Foundation): Promise<string> {
  const postgres = await startEmbeddedPostgres({
    dataDir: config.DATA_DIR,
    log: (line) => log.debug({ line }, 'postgres'),
    warn: (text) => log.error(text),
  });
  stack.add('PostgreSQL', () => postgres.stop());
  return postgres.url;
}
