import { readdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Header, readBackup, type TakeRows } from '#commands/backup-file.ts';
import { CommandFailed } from '#commands/command-failed.ts';
import { fixSequences } from '#commands/sequences.ts';
import { migrationsIn, quoted, type Table, tablesOf } from '#commands/tables.ts';
import { writeNotice } from '#engine/hold.ts';
import { migrate, ownMigrations } from '#platform/migrate.ts';
import { keyFingerprint } from '#platform/secrets.ts';

export type Restored = { madeAt: string; tables: number; rows: number };

/**
 * Checks what can be checked before a database is touched: that the file is whole, that it is of this version or an older
 * one, and that the key is the one whose secrets it holds. Throws a BadBackup or CommandFailed.
 * @param options.encryptionKey null where none was found
 */
export async function examineBackup(
  file: string,
  { encryptionKey, withAnotherKey }: { encryptionKey: string | null; withAnotherKey: boolean },
): Promise<Header> {
  const header = await readBackup(file);
  const known = new Set(await readdir(ownMigrations));
  const newer = header.migrations.filter(({ name }) => !known.has(name));
  if (newer.length > 0)
    throw new CommandFailed(
      `The backup is of a newer Cuebird (${header.cuebird}; this version does not know ${newer.map(({ name }) => name).join(', ')}). Restore it with that version.`,
    );
  const isSameKey = encryptionKey !== null && keyFingerprint(encryptionKey) === header.key_fingerprint;
  if (isSameKey || withAnotherKey) return header;
  throw new CommandFailed(
    `The backup needs the encryption key with the fingerprint ${header.key_fingerprint}, and ${encryptionKey === null ? 'none' : 'another one'} is set here. Put its encryption.key into DATA_DIR, or set ENCRYPTION_KEY. ` +
      'If that key is lost, add --with-another-key: the secrets of channels and hooks stay closed for good and have to be entered anew, and addresses of hooks change.',
  );
}

/**
 * Loads a backup into an empty database, all or nothing, brings it to this version, and holds its deliveries: what it has
 * as due may have been sent since. Nobody stays signed in, because a session that was ended since would be open again.
 */
export async function restoreBackup({
  file,
  header,
  ownerUrl,
  encryptionKey,
  now,
}: {
  file: string;
  header: Header;
  ownerUrl: string;
  encryptionKey: string;
  now: Temporal.Instant;
}): Promise<Restored> {
  const owner = new Client({ connectionString: ownerUrl, application_name: 'cuebird restore' });
  await owner.connect();
  try {
    await assertBlank(owner, header);
    await migrate(ownerUrl, { encryptionKey, only: header.migrations.map(({ name }) => name) });
    if (JSON.stringify(await migrationsIn(owner)) !== JSON.stringify(header.migrations))
      throw new CommandFailed('The backup is of a Cuebird whose migrations were others than those of this one.');
    for (const month of header.months) await owner.query('select ensure_month_partitions($1, 1)', [month]);
    const rows = await load(owner, { file, header, now });
    await migrate(ownerUrl, { encryptionKey });
    await owner.query('analyze');
    return { madeAt: header.made_at, tables: header.tables.length, rows };
  } finally {
    await owner.end();
  }
}

/** A restore that was broken off has left a database of the right shape without a row, which is as good as none. */
async function assertBlank(owner: Client, { migrations }: Header): Promise<void> {
  const known = await migrationsIn(owner);
  if (known === null ? (await tablesOf(owner)).length > 0 : JSON.stringify(known) !== JSON.stringify(migrations))
    throw notEmpty();
}

const notEmpty = () =>
  new CommandFailed(
    'The database is not empty, and a restore overwrites nothing: set DATA_DIR or DATABASE_URL to an empty one.',
  );

async function load(
  owner: Client,
  { file, header, now }: { file: string; header: Header; now: Temporal.Instant },
): Promise<number> {
  const tables = await tablesOf(owner);
  assertSameTables(tables, header);
  let rows = 0;
  const takeRows: TakeRows = async ({ table, columns }, chunks) => {
    const copy = owner.query(copyFrom(`copy ${quoted([table])} (${quoted(columns)}) from stdin`));
    await pipeline(Readable.from(chunks, { objectMode: false }), copy);
    const { rows: counted } = await owner.query<{ count: string }>(`select count(*) as count from ${quoted([table])}`);
    rows += copy.rowCount;
    return Number(counted[0]?.count);
  };
  await owner.query('begin');
  try {
    await letLoad(owner, tables);
    await readBackup(file, takeRows);
    await fixSequences(owner);
    await owner.query('delete from auth_sessions; delete from auth_verifications');
    await writeNotice(owner, { since: now.toString(), reason: 'restored', backup_of: header.made_at });
    await closeAgain(owner, tables);
    await owner.query('commit');
    return rows;
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
}

function assertSameTables(tables: readonly Table[], header: Header): void {
  const missing = header.tables.filter((name) => !tables.some((table) => table.name === name));
  if (missing.length > 0)
    throw new CommandFailed(`The backup holds tables that Cuebird does not know: ${missing.join(', ')}.`);
}

/**
 * Nobody else comes in from here to the commit. Row-level security binds the owner too, who has to write for all
 * workspaces; and what triggers would add stands in the backup already.
 */
async function letLoad(owner: Client, tables: readonly Table[]): Promise<void> {
  for (const { name, is_forced: isForced } of tables) {
    const table = quoted([name]);
    await owner.query(`lock table ${table} in access exclusive mode`);
    if (isForced) await owner.query(`alter table ${table} no force row level security`);
    await owner.query(`alter table ${table} disable trigger user`);
    const { rowCount } = await owner.query(`select from ${table} limit 1`);
    if (rowCount !== 0) throw notEmpty();
  }
}

async function closeAgain(owner: Client, tables: readonly Table[]): Promise<void> {
  for (const { name, is_forced: isForced } of tables) {
    const table = quoted([name]);
    await owner.query(`alter table ${table} enable trigger user`);
    if (isForced) await owner.query(`alter table ${table} force row level security`);
  }
}
