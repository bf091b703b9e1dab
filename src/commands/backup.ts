import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { DatabaseClient } from '#platform/database-client.ts';
import { to as copyTo } from 'pg-copy-streams';
import { encrypted } from '#commands/age.ts';
import { endOfRows, type Header, lineOf, readBackup } from '#commands/backup-file.ts';
import { CommandFailed } from '#commands/command-failed.ts';
import { assertKeyOf } from '#commands/reach-database.ts';
import { migrationsIn, quoted, type Table, tablesOf } from '#commands/tables.ts';
import { keyFingerprint } from '#platform/encryption-keys.ts';
import { readKeyRecord } from '#platform/key-record.ts';
import { version } from '#version.ts';

export type Backup = { tables: number; rows: number; bytes: number };

type Request = {
  ownerUrl: string;
  encryptionKey: string;
  file: string;
  now: Temporal.Instant;
  signal?: AbortSignal /** The passphrase that encrypts the file; null leaves it readable for anybody. */;
  passphrase?: string | null;
};

/**
 * Copies a snapshot of the whole database into one file, while Cuebird may keep running. The file is read back before
 * it is renamed into place. Throws a CommandFailed, and leaves no file, where the backup would be incomplete.
 */
export async function writeBackup(request: Request): Promise<Backup> {
  const { ownerUrl, file, signal, passphrase = null } = request;
  if (await stat(file).catch(() => null))
    throw new CommandFailed(`${file} exists already; a backup does not overwrite a file.`);
  const draft = `${file}.part`;
  await rm(draft, { force: true });
  const owner = new DatabaseClient({ connectionString: ownerUrl, application_name: 'cuebird backup' });
  await owner.connect();
  const made = { tables: 0, rows: 0 };
  try {
    const output = createWriteStream(draft, { mode: 0o600, flush: true });
    const content = contentOf(owner, { request, made });
    const gzip = createGzip({ level: 4 });
    if (passphrase === null) await pipeline(content, gzip, output, { signal });
    else await pipeline(content, gzip, (source) => encrypted(source, { passphrase }), output, { signal });
    await readBackup(draft, { passphrase });
    await rename(draft, file);
    return { ...made, bytes: (await stat(file)).size };
  } catch (error) {
    throw backupErrorOf(error, file);
  } finally {
    await rm(draft, { force: true });
    await owner.end();
  }
}

/** Translates a full disk into a sentence for the person at the terminal; other errors stay. */
export function backupErrorOf(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new CommandFailed(
    `The disk is full: there is no room for the backup in ${dirname(resolve(file))}. No file was left; make room there, or name a file on another disk.`,
  );
}

async function* contentOf(
  owner: Client,
  { request, made }: { request: Request; made: { tables: number; rows: number } },
): AsyncIterable<Buffer | string> {
  const { tables, migrations } = await openSnapshot(owner);
  await assertKeyOf(owner, request.encryptionKey);
  await assertAllVisible(owner, tables);
  const header: Header = {
    format: 'cuebird backup',
    version: 1,
    cuebird: version,
    made_at: request.now.toString(),
    key_fingerprint: keyFingerprint(request.encryptionKey),
    ...(await olderKeysIn(owner)),
    migrations,
    months: await monthsOf(owner),
    tables: tables.map((table) => table.name),
  };
  yield lineOf(header);
  for (const table of tables) {
    yield lineOf({ table: table.name, columns: table.columns });
    const hash = createHash('sha256');
    const columns = quoted(table.columns);
    const copy = owner.query(copyTo(`copy (select ${columns} from ${quoted([table.name])}) to stdout`));
    for await (const chunk of copy) {
      hash.update(chunk);
      yield chunk;
    }
    yield endOfRows;
    yield lineOf({ rows: copy.rowCount, sha256: hash.digest('hex') });
    made.tables += 1;
    made.rows += copy.rowCount;
  }
  yield lineOf({ complete: true });
}

/**
 * Begins the transaction with the snapshot. The tables are locked before it against schema changes: otherwise a
 * partition that is dropped while its rows are still visible would be missing.
 */
async function openSnapshot(owner: Client): Promise<{ tables: Table[]; migrations: Header['migrations'] }> {
  for (;;) {
    const before = await tablesOf(owner);
    if ((await migrationsIn(owner)) === null) throw new CommandFailed('There is no Cuebird in this database yet.');
    await owner.query('begin isolation level repeatable read, read only');
    await owner.query(
      `lock table ${quoted(['schema_migrations', ...before.map((table) => table.name)])} in access share mode`,
    );
    const tables = await tablesOf(owner);
    const migrations = (await migrationsIn(owner)) ?? [];
    if (JSON.stringify(tables) === JSON.stringify(before)) return { tables, migrations };
    // A migration has run between the list of tables and the snapshot: starts again.
    await owner.query('rollback');
  }
}

/** Row-level security hides rows from an owner who is no superuser, without an error. */
async function assertAllVisible(owner: Client, tables: readonly Table[]): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relname = any ($1::text[]) and row_security_active(c.oid)
        and (not exists (select from pg_policy p
                          where p.polrelid = c.oid and p.polpermissive and p.polcmd in ('r', '*')
                            and pg_get_expr(p.polqual, p.polrelid) = 'true'
                            and exists (select from unnest(p.polroles) r (id) where r.id = 0 or pg_has_role(r.id, 'usage')))
             or exists (select from pg_policy p where p.polrelid = c.oid and not p.polpermissive))
      order by 1`,
    [tables.map((table) => table.name)],
  );
  if (rows.length > 0)
    throw new CommandFailed(
      `The database user may not read all rows of ${rows.map((row) => row.name).join(', ')}: start this version of Cuebird once with it, or back up as a superuser.`,
    );
}

/** The older keys with which some secrets are still sealed. */
async function olderKeysIn(owner: Client): Promise<Pick<Header, 'older_key_fingerprints'>> {
  const record = await readKeyRecord(owner);
  return record === null || record.is_resealed ? {} : { older_key_fingerprints: record.replaced };
}

async function monthsOf(owner: Client): Promise<string[]> {
  const { rows } = await owner.query<{ day: string }>(
    `select distinct replace(right(c.relname, 7), '_', '-') || '-01' as day
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname ~ '_\\d{4}_\\d{2}$' order by 1`,
  );
  return rows.map((row) => row.day);
}
