import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Client, type Pool } from 'pg';
import { writeBackup } from '#commands/backup.ts';
import { CommandFailed } from '#commands/command-failed.ts';
import { assertKeyOf, type Reached, reachDatabase } from '#commands/reach-database.ts';
import { examineBackup, restoreBackup } from '#commands/restore.ts';
import { migrationsIn } from '#commands/tables.ts';
import { backedUpText, heldListText, restoredText } from '#commands/texts.ts';
import { ReleaseInput } from '#contract/hold.ts';
import { listHeld } from '#engine/held-jobs.ts';
import { readNotice, writeNotice } from '#engine/hold.ts';
import { releaseHold } from '#engine/release.ts';
import { systemClock } from '#platform/clock.ts';
import { type Config, ConfigError } from '#platform/config.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { findEncryptionKey, loadEncryptionKey } from '#platform/secrets.ts';
import { counted } from '#terminal.ts';

export type Command = (call: Call) => Promise<void>;
type Call = { config: Config; args: readonly string[]; say: (text: string) => void; signal: AbortSignal };

const commands = new Map<string, Command>([
  ['hold', hold],
  ['release', release],
  ['backup', backup],
  ['restore', restore],
]);

/** What is done instead of starting; undefined where it is to start. */
export const commandNamed = (name: string | undefined) => commands.get(name ?? '');

async function hold({ config, args, say }: Call): Promise<void> {
  const options = { begin: { type: 'boolean', default: false } } as const;
  const { values } = parsed('npm start -- hold [--begin]', () => parseArgs({ args: [...args], options }));
  await inDatabase(config, async ({ engine }) => {
    if (values.begin) await beginHold(engine);
    const notice = await readNotice(engine);
    if (notice === null) return say('Deliveries are not held.');
    say(heldListText(await listHeld({ pool: engine, clock: systemClock }, notice)));
  });
}

/** For a copy that looks like its original: a disk snapshot, a recovery to a point in time. */
async function beginHold(engine: Pool): Promise<void> {
  const { rowCount } = await engine.query(
    'select from pg_stat_activity where datname = current_database() and usename = current_user and pid <> pg_backend_pid()',
  );
  if (rowCount !== 0)
    throw new CommandFailed('Cuebird runs on this database, and what runs would go on delivering: stop it first.');
  if ((await readNotice(engine)) !== null) return;
  await writeNotice(engine, { since: systemClock.now().toString(), reason: 'asked', backup_of: null });
}

async function release({ config, args, say }: Call): Promise<void> {
  const { values } = parsed('npm start -- release [--overdue by_rule|missed]', () =>
    parseArgs({ args: [...args], options: { overdue: { type: 'string', default: 'by_rule' } } }),
  );
  const { data: input } = ReleaseInput.safeParse(values);
  if (input === undefined) throw new ConfigError([`--overdue ${values.overdue}: must be by_rule or missed`]);
  await inDatabase(config, async ({ engine }) => {
    if ((await readNotice(engine)) === null) return say('Deliveries are not held: there is nothing to release.');
    const deps = { pool: engine, clock: systemClock, log: createLog('error') };
    const missed = await releaseHold(deps, { ...input, actorId: null });
    say(`Deliveries are released.${missed > 0 ? ` ${counted(missed, 'occurrence')} recorded as missed.` : ''}`);
  });
}

async function backup({ config, args, say, signal }: Call): Promise<void> {
  const usage = 'npm run backup -- FILE';
  const file = fileOf(
    parsed(usage, () => parseArgs({ args: [...args], allowPositionals: true })),
    usage,
  );
  const encryptionKey = keyOf(config);
  const now = systemClock.now();
  await reaching({ config }, async ({ ownerUrl }) => {
    const made = await writeBackup({ ownerUrl, encryptionKey, file, now, signal });
    const keyPlace =
      config.ENCRYPTION_KEY === undefined ? resolve(config.DATA_DIR, 'encryption.key') : 'ENCRYPTION_KEY';
    say(backedUpText(made, { file, keyPlace, took: systemClock.now().since(now) }));
  });
}

async function restore({ config, args, say }: Call): Promise<void> {
  const usage = 'npm run restore -- FILE [--with-another-key]';
  const options = { 'with-another-key': { type: 'boolean', default: false } } as const;
  const { values, positionals } = parsed(usage, () => parseArgs({ args: [...args], options, allowPositionals: true }));
  const file = fileOf({ positionals }, usage);
  const place = { envKey: config.ENCRYPTION_KEY, dataDir: config.DATA_DIR };
  const header = await examineBackup(file, {
    encryptionKey: findEncryptionKey(place),
    withAnotherKey: values['with-another-key'],
  });
  await reaching({ config, create: true }, async ({ ownerUrl }) => {
    const encryptionKey = loadEncryptionKey(place);
    const restored = await restoreBackup({ file, header, ownerUrl, encryptionKey, now: systemClock.now() });
    say(restoredText(restored, { file }));
  });
}

/** What is wrong with the words of a command is told with how it goes. */
function parsed<T>(usage: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : String(error), `Usage: ${usage}`]);
  }
}

/** npm runs its scripts in the folder of the package; a file is meant from where the person stands. */
function fileOf({ positionals: [file, ...others] }: { positionals: string[] }, usage: string): string {
  if (file === undefined || others.length > 0) throw new ConfigError([`Usage: ${usage}`]);
  return resolve(process.env.INIT_CWD ?? '.', file);
}

function keyOf(config: Config): string {
  const key = findEncryptionKey({ envKey: config.ENCRYPTION_KEY, dataDir: config.DATA_DIR });
  if (key !== null) return key;
  throw new CommandFailed(
    'There is no encryption key here: set ENCRYPTION_KEY, or DATA_DIR to where encryption.key is.',
  );
}

/** The pools of a database in which Cuebird has been. */
async function inDatabase(config: Config, work: (database: Database) => Promise<void>): Promise<void> {
  const encryptionKey = keyOf(config);
  await reaching({ config }, async ({ ownerUrl }) => {
    const owner = new Client({ connectionString: ownerUrl, application_name: 'cuebird command' });
    await owner.connect();
    try {
      if ((await migrationsIn(owner)) === null) throw new CommandFailed('There is no Cuebird in this database yet.');
      await assertKeyOf(owner, encryptionKey);
    } finally {
      await owner.end();
    }
    const database = openDatabase(ownerUrl, { encryptionKey, poolSize: 1 });
    try {
      await work(database);
    } finally {
      await database.close();
    }
  });
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
