import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { advisoryLocks } from '#platform/advisory-locks.ts';
import { DatabaseClient } from '#platform/database-client.ts';
import { from as copyFrom } from 'pg-copy-streams';
import { z } from 'zod';
import { type Header, readBackup, type TakeRows } from '#commands/backup-file.ts';
import { CommandFailed } from '#commands/command-failed.ts';
import { fixSequences } from '#commands/sequences.ts';
import { migrationsIn, quoted, type Table, tablesOf } from '#commands/tables.ts';
import { writeNotice } from '#engine/pause/delivery-pause.ts';
import { isBaseline, lastReplaced, replacedMigrations } from '#platform/replaced-migrations.ts';
import { migrate, migrationsOf, ownMigrations } from '#platform/migrate.ts';
import { keyFingerprint } from '#platform/encryption-keys.ts';
import { resetKeyRecord } from '#platform/key-record.ts';
import { dropLogins, hasLogins } from '#platform/roles.ts';
import { readSetting, writeSetting } from '#platform/settings.ts';
import { inTransactionOn } from '#platform/transaction.ts';

/** `isResealed`: nothing in the backup is sealed with an older key. */
export type Restored = { madeAt: string; tables: number; rows: number; isResealed: boolean };

/**
 * Checks a backup before the database is touched: that the file is complete, that it is of this version or an older
 * one, and that the encryption key matches. Throws a BadBackup or CommandFailed.
 * @param options.encryptionKey null where none was found
 * @param options.olderKeys from before rotations: one of them may be the backup's
 * @param options.passphrase opens an encrypted file
 */
export async function examineBackup(
  file: string,
  {
    encryptionKey,
    olderKeys = [],
    withAnotherKey,
    passphrase = null,
  }: {
    encryptionKey: string | null;
    olderKeys?: readonly string[];
    withAnotherKey: boolean;
    passphrase?: string | null;
  },
): Promise<Header> {
  const header = await readBackup(file, { passphrase });
  const known = new Set((await migrationsOf(ownMigrations)).map(({ name }) => name));
  const replaced = replacedMigrations(header.migrations);
  if (replaced === 'incomplete')
    throw new CommandFailed(
      `The backup is from an earlier version of Cuebird, at migration ${header.migrations.at(-1)?.name}, which this version cannot restore. Restore it with the code of commit ${lastReplaced.commit}, back it up there, and restore that backup here.`,
    );
  const newer = replaced === 'complete' ? [] : header.migrations.filter(({ name }) => !known.has(name));
  if (newer.length > 0)
    throw new CommandFailed(
      `The backup is from a newer version of Cuebird (${header.cuebird}; this version does not know ${newer.map(({ name }) => name).join(', ')}). Restore it with that version.`,
    );
  const missing = missingKeys(header, encryptionKey === null ? [] : [encryptionKey, ...olderKeys]);
  if (missing.length === 0 || withAnotherKey) return header;
  throw new CommandFailed(
    `The backup needs the encryption key with the fingerprint ${missing.join(' and the one with ')}, and ${encryptionKey === null ? 'none' : 'another one'} is set here. Put its encryption.key into DATA_DIR, or set ENCRYPTION_KEY; a key from before a rotation may follow the newer one, as another line of encryption.key or in OLDER_ENCRYPTION_KEYS. ` +
      'If that key is lost, add --with-another-key: the secrets of channels and hooks are lost and have to be entered again, and the addresses of hooks change.',
  );
}

/** The fingerprints of keys that the backup needs, but that are not among these. */
function missingKeys(header: Header, keys: readonly string[]): string[] {
  const known = keys.map(keyFingerprint);
  return [header.key_fingerprint, ...(header.older_key_fingerprints ?? [])].filter((one) => !known.includes(one));
}

/**
 * Loads a backup into an empty database in one transaction, migrates it to this version, and pauses its deliveries:
 * what is due in it may have been sent since. Sessions are not restored, because one that was ended since would be open
 * again.
 */
export async function restoreBackup({
  file,
  header,
  ownerUrl,
  encryptionKey,
  olderKeys = [],
  now,
  passphrase = null,
}: {
  file: string;
  header: Header;
  ownerUrl: string;
  encryptionKey: string;
  olderKeys?: readonly string[];
  now: Temporal.Instant;
  passphrase?: string | null;
}): Promise<Restored> {
  const owner = new DatabaseClient({ connectionString: ownerUrl, application_name: 'cuebird restore' });
  await owner.connect();
  let hadLogins = true;
  try {
    await assertAlone(owner);
    hadLogins = await hasLogins(owner, encryptionKey);
    const rows =
      (await rowsLoadedBefore(owner, header)) ??
      (await loadIntoBlank(owner, { file, header, ownerUrl, encryptionKey, now, passphrase }));
    await migrate(ownerUrl, { encryptionKey });
    const older = olderKeys.map(keyFingerprint);
    const isResealed = ![header.key_fingerprint, ...(header.older_key_fingerprints ?? [])].some((one) =>
      older.includes(one),
    );
    await resetKeyRecord(owner, { keys: { newest: encryptionKey, older: olderKeys }, isResealed });
    await owner.query('analyze');
    await owner.query('delete from app_settings where key = $1', [unfinishedKey]);
    return { madeAt: header.made_at, tables: header.tables.length, rows, isResealed };
  } catch (error) {
    // Nobody may sign in to a database that holds nothing; a repeated restore creates them again.
    if (!hadLogins && (await rowsLoadedBefore(owner, header).catch(() => null)) === null)
      await dropLogins(owner, encryptionKey).catch(() => {});
    throw error;
  } finally {
    await owner.end();
  }
}

/** Throws where another restore loads into this database: whichever lost would drop the logins of the other. */
async function assertAlone(owner: Client): Promise<void> {
  const { rows } = await owner.query<{ is_free: boolean }>('select pg_try_advisory_lock($1) as is_free', [
    advisoryLocks.restore,
  ]);
  if (rows[0]?.is_free !== true)
    throw new CommandFailed('Another restore is writing into this database. Wait until it has ended.');
}

/** The key in `app_settings` of a restore whose rows are loaded, until the rest is done. */
const unfinishedKey = 'restore.unfinished';

const Unfinished = z.object({ made_at: z.string(), rows: z.number() });

/** How many rows an interrupted restore of the same backup has loaded, all of them; null where there was none. */
async function rowsLoadedBefore(owner: Client, header: Header): Promise<number | null> {
  const { rows } = await owner.query<{ is_there: boolean }>(
    "select to_regclass('public.app_settings') is not null as is_there",
  );
  if (rows[0]?.is_there !== true) return null;
  const unfinished = Unfinished.safeParse(await readSetting(owner, unfinishedKey));
  return unfinished.data?.made_at === header.made_at ? unfinished.data.rows : null;
}

async function loadIntoBlank(
  owner: Client,
  {
    ownerUrl,
    encryptionKey,
    ...backup
  }: {
    file: string;
    header: Header;
    ownerUrl: string;
    encryptionKey: string;
    now: Temporal.Instant;
    passphrase: string | null;
  },
): Promise<number> {
  const migrations = await shapeFor(backup.header);
  await assertBlank(owner, migrations);
  await migrate(ownerUrl, { encryptionKey, only: migrations.map(({ name }) => name) });
  if (JSON.stringify(await migrationsIn(owner)) !== JSON.stringify(migrations))
    throw new CommandFailed('The migrations of the backup differ from those of this version.');
  for (const month of backup.header.months) await owner.query('select ensure_month_partitions($1, 1)', [month]);
  return load(owner, backup);
}

/** The migrations that create the tables for the rows: those of the backup, or the baseline that replaces them. */
async function shapeFor({ migrations }: Header): Promise<Header['migrations']> {
  if (replacedMigrations(migrations) === 'none') return migrations;
  const files = await migrationsOf(ownMigrations);
  return files.filter(({ name }) => isBaseline(name)).map(({ name, hash }) => ({ name, hash }));
}

/**
 * Throws unless the database is empty. An interrupted restore leaves tables without rows, which count as empty: all of them, or those of the first
 * migrations.
 */
async function assertBlank(owner: Client, migrations: Header['migrations']): Promise<void> {
  const known = await migrationsIn(owner);
  const isBlank =
    known === null
      ? (await tablesOf(owner)).length === 0
      : JSON.stringify(known) === JSON.stringify(migrations.slice(0, known.length));
  if (!isBlank) throw notEmpty();
}

const notEmpty = () =>
  new CommandFailed(
    'The database is not empty, and a restore overwrites nothing: set DATA_DIR or DATABASE_URL to an empty one.',
  );

async function load(
  owner: Client,
  { file, header, now, passphrase }: { file: string; header: Header; now: Temporal.Instant; passphrase: string | null },
): Promise<number> {
  const tables = await tablesOf(owner);
  assertSameTables(tables, header.tables);
  let rows = 0;
  const takeRows: TakeRows = async ({ table, columns }, chunks) => {
    const name = quoted([table]);
    const copy = owner.query(copyFrom(`copy ${name} (${quoted(columns)}) from stdin`));
    await pipeline(Readable.from(chunks, { objectMode: false }), copy);
    const { rows: counted } = await owner.query<{ count: string }>(`select count(*) as count from ${name}`);
    rows += copy.rowCount;
    return Number(counted[0]?.count);
  };
  return inTransactionOn(owner, async () => {
    await openForLoad(owner, tables);
    await readBackup(file, { takeRows, passphrase });
    await fixSequences(owner);
    await owner.query('delete from auth_sessions; delete from auth_verifications');
    await writeNotice(owner, { since: now.toString(), reason: 'restored', backup_of: header.made_at });
    await writeSetting(owner, { key: unfinishedKey, value: { made_at: header.made_at, rows }, now: now.toString() });
    await restoreProtection(owner, tables);
    return rows;
  });
}

function assertSameTables(tables: readonly Table[], names: readonly string[]): void {
  const missing = names.filter((name) => !tables.some((table) => table.name === name));
  if (missing.length > 0)
    throw new CommandFailed(`The backup holds tables that Cuebird does not know: ${missing.join(', ')}.`);
}

/**
 * Locks the tables until the commit. Row-level security applies to the owner too, who has to write for all workspaces,
 * and the backup already contains what triggers would add.
 */
async function openForLoad(owner: Client, tables: readonly Table[]): Promise<void> {
  for (const { name, is_forced: isForced } of tables) {
    const table = quoted([name]);
    await owner.query(`lock table ${table} in access exclusive mode`);
    if (isForced) await owner.query(`alter table ${table} no force row level security`);
    await owner.query(`alter table ${table} disable trigger user`);
    const { rowCount } = await owner.query(`select from ${table} limit 1`);
    if (rowCount !== 0) throw notEmpty();
  }
}

async function restoreProtection(owner: Client, tables: readonly Table[]): Promise<void> {
  for (const { name, is_forced: isForced } of tables) {
    const table = quoted([name]);
    await owner.query(`alter table ${table} enable trigger user`);
    if (isForced) await owner.query(`alter table ${table} force row level security`);
  }
}
