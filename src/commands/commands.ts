import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { DatabaseClient } from '#platform/database-client.ts';
import { writeBackup } from '#commands/backup.ts';
import { backupPassphrase } from '#commands/backup-passphrase.ts';
import { CommandFailed } from '#commands/command-failed.ts';
import { assertKeyOf, type Reached, reachDatabase } from '#commands/reach-database.ts';
import { examineBackup, restoreBackup } from '#commands/restore.ts';
import { migrationsIn } from '#commands/tables.ts';
import { readGivenKey, rotate } from '#commands/rotate-key.ts';
import { backedUpText, pausedJobsText, restoredText } from '#commands/texts.ts';
import { ResumeInput } from '#contract/delivery-pause.ts';
import { listPausedJobs } from '#engine/pause/paused-jobs.ts';
import { pauseDeliveries, readNotice } from '#engine/pause/delivery-pause.ts';
import { inTransaction } from '#platform/transaction.ts';
import { resumeDeliveries } from '#engine/pause/resume.ts';
import { systemClock } from '#platform/clock.ts';
import { type Config, ConfigError, keySourceOf } from '#platform/config.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { type AppliedMigrations, OutdatedDatabase, replacedMigrations } from '#platform/replaced-migrations.ts';
import { createLog } from '#platform/log.ts';
import { assertSessionsKept } from '#platform/session-check.ts';
import { findEncryptionKeys, keyFileIn, loadEncryptionKeys } from '#platform/encryption-keys.ts';
import { counted } from '#terminal.ts';

export type Command = (call: Call) => Promise<void>;
type Call = { config: Config; args: readonly string[]; say: (text: string) => void; signal: AbortSignal };

const commands = new Map<string, Command>([
  ['pause', pause],
  ['resume', resume],
  ['backup', backup],
  ['restore', restore],
  ['rotate-key', rotateKey],
]);

/** The command to run instead of starting the server; undefined without one. */
export const commandNamed = (name: string | undefined) => commands.get(name ?? '');

async function pause({ config, args, say }: Call): Promise<void> {
  const options = { begin: { type: 'boolean', default: false } } as const;
  const { values } = parsed('npm start -- pause [--begin]', () => parseArgs({ args: [...args], options }));
  await inDatabase(config, async ({ engine }) => {
    if (values.begin) await beginDeliveryPause(engine);
    const notice = await readNotice(engine);
    if (notice === null) return say('Deliveries are not paused.');
    say(pausedJobsText(await listPausedJobs({ pool: engine, clock: systemClock }, notice)));
  });
}

/** Pauses deliveries before a copy is made that looks like its original, such as a disk snapshot or a point-in-time recovery. */
async function beginDeliveryPause(engine: Pool): Promise<void> {
  const { rowCount } = await engine.query(
    'select from pg_stat_activity where datname = current_database() and usename = current_user and pid <> pg_backend_pid()',
  );
  if (rowCount !== 0)
    throw new CommandFailed('Cuebird is running on this database and would keep delivering: stop it first.');
  if ((await readNotice(engine)) !== null) return;
  await inTransaction(engine, (client) => pauseDeliveries(client, systemClock.now()));
}

async function resume({ config, args, say }: Call): Promise<void> {
  const { values } = parsed('npm start -- resume [--overdue by_rule|missed]', () =>
    parseArgs({ args: [...args], options: { overdue: { type: 'string', default: 'by_rule' } } }),
  );
  const { data: input } = ResumeInput.safeParse(values);
  if (input === undefined) throw new ConfigError([`--overdue ${values.overdue}: must be by_rule or missed`]);
  await inDatabase(config, async ({ engine }) => {
    if ((await readNotice(engine)) === null) return say('Deliveries are not paused: there is nothing to resume.');
    const deps = { pool: engine, clock: systemClock, log: createLog('error') };
    const missed = await resumeDeliveries(deps, { ...input, actorId: null });
    say(`Deliveries are resumed.${missed > 0 ? ` ${counted(missed, 'occurrence')} recorded as missed.` : ''}`);
  });
}

async function backup({ config, args, say, signal }: Call): Promise<void> {
  const usage = 'npm run backup -- FILE';
  const file = fileOf(
    parsed(usage, () => parseArgs({ args: [...args], allowPositionals: true })),
    usage,
  );
  const encryptionKey = keyOf(config);
  const passphrase = await backupPassphrase(config);
  const now = systemClock.now();
  await reaching({ config }, async ({ ownerUrl }) => {
    const made = await writeBackup({ ownerUrl, encryptionKey, file, now, signal, passphrase });
    const keySource = config.ENCRYPTION_KEY === undefined ? resolve(keyFileIn(config.DATA_DIR)) : 'ENCRYPTION_KEY';
    say(backedUpText(made, { file, keySource, took: systemClock.now().since(now) }));
  });
}

async function restore({ config, args, say }: Call): Promise<void> {
  const usage = 'npm run restore -- FILE [--with-another-key]';
  const options = { 'with-another-key': { type: 'boolean', default: false } } as const;
  const { values, positionals } = parsed(usage, () => parseArgs({ args: [...args], options, allowPositionals: true }));
  const file = fileOf({ positionals }, usage);
  const source = keySourceOf(config);
  const found = findEncryptionKeys(source);
  const passphrase = await backupPassphrase(config);
  const header = await examineBackup(file, {
    passphrase,
    encryptionKey: found?.newest ?? null,
    olderKeys: found?.older ?? [],
    withAnotherKey: values['with-another-key'],
  });
  await reaching({ config, create: true }, async ({ ownerUrl }) => {
    const { newest: encryptionKey, older: olderKeys } = loadEncryptionKeys(source);
    const restored = await restoreBackup({
      file,
      header,
      ownerUrl,
      encryptionKey,
      olderKeys,
      passphrase,
      now: systemClock.now(),
    });
    say(restoredText(restored, { file }));
  });
}

async function rotateKey({ config, args, say, signal }: Call): Promise<void> {
  const usage = 'npm run rotate-key -- [--revoke | --remove-older] [--key-file FILE]';
  const options = {
    revoke: { type: 'boolean', default: false },
    'remove-older': { type: 'boolean', default: false },
    'key-file': { type: 'string' },
  } as const;
  const { values } = parsed(usage, () => parseArgs({ args: [...args], options }));
  const { revoke, 'remove-older': removeOlder, 'key-file': file } = values;
  if ((revoke || file !== undefined) && removeOlder) throw new ConfigError([`Usage: ${usage}`]);
  const given = file === undefined ? null : await readGivenKey(fileOf({ positionals: [file] }, usage));
  keyOf(config);
  await reaching({ config }, ({ ownerUrl }) =>
    rotate({ ownerUrl, source: keySourceOf(config), given, revoke, removeOlder, say, signal }),
  );
}

/** Parses a command's arguments. Its error says what is wrong, and how the command is used. */
function parsed<T>(usage: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : String(error), `Usage: ${usage}`]);
  }
}

/** The path of a file, relative to the person's working directory: npm runs scripts in the package's folder. */
function fileOf({ positionals: [file, ...others] }: { positionals: string[] }, usage: string): string {
  if (file === undefined || others.length > 0) throw new ConfigError([`Usage: ${usage}`]);
  return resolve(process.env.INIT_CWD ?? '.', file);
}

function keyOf(config: Config): string {
  const keys = findEncryptionKeys(keySourceOf(config));
  if (keys !== null) return keys.newest;
  throw new CommandFailed('No encryption key was found: set ENCRYPTION_KEY, or DATA_DIR to where encryption.key is.');
}

/** Runs the work in the database. Throws a CommandFailed where Cuebird was never installed in it. */
async function inDatabase(config: Config, work: (database: Database) => Promise<void>): Promise<void> {
  const encryptionKey = keyOf(config);
  await reaching({ config }, async ({ ownerUrl }) => {
    await assertSessionsKept(ownerUrl);
    const owner = new DatabaseClient({ connectionString: ownerUrl, application_name: 'cuebird command' });
    await owner.connect();
    try {
      const ran = await migrationsIn(owner);
      if (ran === null) throw new CommandFailed('There is no Cuebird in this database yet.');
      assertOfBaseline(ran);
      await assertKeyOf(owner, encryptionKey);
    } finally {
      await owner.end();
    }
    const database = openDatabase(ownerUrl, { encryptionKey, poolSizes: { app: 1 } });
    try {
      await work(database);
    } finally {
      await database.close();
    }
  });
}

/** Refuses a database from before the baseline, and says how to upgrade it. */
function assertOfBaseline(ran: AppliedMigrations): void {
  switch (replacedMigrations(ran)) {
    case 'none':
      return;
    case 'complete':
      throw new CommandFailed(
        'The database is from an earlier version of Cuebird: start this version with it once, then try again.',
      );
    case 'incomplete':
      throw new CommandFailed(new OutdatedDatabase(ran).message);
  }
}

async function reaching(
  { config, create = false }: { config: Config; create?: boolean },
  work: (reached: Reached) => Promise<void>,
): Promise<void> {
  const reached = await reachDatabase(config, { create });
  try {
    await work(reached);
  } finally {
    await reached.leave();
  }
}
