import { isMainThread } from 'node:worker_threads';
import { type DeliveryPause, openDeliveryPause } from '#engine/pause/delivery-pause.ts';
import { type Config, keySourceOf } from '#platform/config.ts';
import { poolSizesOf } from '#platform/connection-budget.ts';
import { secureDataDir } from '#platform/data-dir.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { type DatabaseClock, startDatabaseClock } from '#platform/database-clock.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { loadEncryptionKeys } from '#platform/encryption-keys.ts';
import { assertKeyNotReplaced, takeKeysIntoUse } from '#platform/key-record.ts';
import { watchKeys } from '#platform/key-watch.ts';
import { type AdjustableLog, createLog, levelWith, toStandardError } from '#platform/log.ts';
import { createLogRing, type LogRing, processName } from '#platform/log-ring.ts';
import { migrate } from '#platform/migrate.ts';
import { openInstallationSettings, type SettingsInForce } from '#platform/installation-settings.ts';
import { watchForNewerVersion } from '#platform/newer-version.ts';
import { openPubSub, type PubSub } from '#platform/pubsub.ts';
import { urlForRole } from '#platform/roles.ts';
import { createSecretBox, type SecretBox } from '#platform/secrets.ts';
import { assertSessionsKept } from '#platform/session-check.ts';
import { createStopStack } from '#platform/stop-stack.ts';
import { assertTenantBoundary } from '#platform/tenant-boundary.ts';

/** What another thread needs to connect to this runtime: plain data. */
export type RuntimeOptions = {
  config: Config;
  /** The URL of the database, with its owner's login. */
  ownerUrl: string;
  encryptionKey: string;
  /** The keys from before rotations. */
  olderKeys: readonly string[];
  /** The folder of migrations, as a URL. */
  migrations: string;
};

/** What every module needs. Each thread has a runtime of its own, on the same database. */
export type Runtime = RuntimeOptions & {
  log: AdjustableLog;
  /** Everything that was started, to be stopped in reverse order. */
  stack: ReturnType<typeof createStopStack>;
  database: Database;
  /** The database's time, which decides when something is due. */
  clock: DatabaseClock;
  secrets: SecretBox;
  deliveryPause: DeliveryPause;
  pubsub: PubSub;
  settings: SettingsInForce;
  /** Aborts once a newer version has migrated the database, or another process has a newer encryption key. */
  superseded: AbortSignal;
};

export type RuntimeBase = Pick<Runtime, 'config' | 'log' | 'stack'> & { logRing: LogRing };

export function createRuntimeBase(config: Config): RuntimeBase & { stop(): Promise<void> } {
  const logRing = createLogRing();
  const log = createLog(config.LOG_LEVEL, (line) => {
    toStandardError(line);
    logRing.write(line);
  });
  const stack = createStopStack();
  const stop = () => stack.stopAll((name, error) => log.error({ error: String(error) }, `stopping ${name} failed`));
  return { config, log, logRing, stack, stop };
}

/** Prepares the database (migrations, roles) and the keys, then connects to it. */
export async function createRuntime({ migrations, ...base }: RuntimeBase & { migrations: URL }): Promise<Runtime> {
  const { config } = base;
  const ownerUrl = config.DATABASE_URL ?? (await startOwnPostgres(base));
  // Embedded PostgreSQL secures the folder itself, and may have to open it to its own account.
  if (config.DATABASE_URL !== undefined && config.ENCRYPTION_KEY === undefined)
    await secureDataDir(config.DATA_DIR, (text) => base.log.warn(text));
  const keys = loadEncryptionKeys(keySourceOf(config));
  await assertKeyNotReplaced(ownerUrl, keys);
  const { newest: encryptionKey, older: olderKeys } = keys;
  await migrate(ownerUrl, { encryptionKey, folder: migrations });
  // A pooler may treat the logins of the product otherwise than the owner's.
  await assertSessionsKept(urlForRole(ownerUrl, { role: 'engine', encryptionKey }));
  const runtime = await connectRuntime(base, {
    config,
    ownerUrl,
    encryptionKey,
    olderKeys,
    migrations: migrations.href,
  });
  if (!(await takeKeysIntoUse(runtime.database.engine, keys)))
    base.log.error('the encryption key is not the one that this database was used with: its secrets cannot be opened');
  await assertTenantBoundary(runtime.database.appPool);
  return runtime;
}

/** Connects to a database that is migrated already. */
export async function connectRuntime({ log, logRing, stack }: RuntimeBase, options: RuntimeOptions): Promise<Runtime> {
  const { ownerUrl, encryptionKey, olderKeys } = options;
  const database = openDatabase(ownerUrl, {
    encryptionKey,
    poolSizes: poolSizesOf(options.config.DATABASE_CONNECTIONS),
  });
  stack.add('the database pools', () => database.close());
  const stored = logRing.store(database.engine, processName(options.config.roles));
  stack.add('the log in the database', () => stored.stop());
  const clock = await startDatabaseClock({ pool: database.engine, log });
  stack.add('the clock', () => clock.stop());
  const deliveryPause = await openDeliveryPause({
    database,
    clock,
    log,
    standby: options.config.DATABASE_STANDBY,
    // The other thread sees the same server.
    isReporting: isMainThread,
  });
  stack.add('the watch for a fail-over', () => deliveryPause.stop());
  const pubsub = await openPubSub(urlForRole(ownerUrl, { role: 'engine', encryptionKey }), log);
  stack.add('the listening connection', () => pubsub.close());
  const settings = await openInstallationSettings({ pool: database.engine, pubsub, log });
  stack.add('the settings', () => settings.close());
  settings.subscribe(({ debugLogging }) => {
    log.level = levelWith({ configured: options.config.LOG_LEVEL, debugLogging });
  });
  const folder = new URL(options.migrations);
  const watch = watchForNewerVersion({ pool: database.engine, pubsub, log, folder });
  stack.add('the watch for a newer version', () => watch.stop());
  const secrets = createSecretBox(encryptionKey, olderKeys);
  const keys = { newest: encryptionKey, older: olderKeys };
  const keyWatch = await watchKeys({ pool: database.engine, pubsub, log, keys, secrets });
  stack.add('the watch for another encryption key', () => keyWatch.stop());
  const superseded = AbortSignal.any([watch.superseded, keyWatch.superseded]);
  return { ...options, log, stack, database, clock, secrets, deliveryPause, pubsub, settings, superseded };
}

async function startOwnPostgres({ config, log, stack }: RuntimeBase): Promise<string> {
  const postgres = await startEmbeddedPostgres({
    dataDir: config.DATA_DIR,
    log: (line) => log.debug({ line }, 'postgres'),
    warn: (text) => log.error(text),
  });
  stack.add('PostgreSQL', () => postgres.stop());
  return postgres.url;
}
