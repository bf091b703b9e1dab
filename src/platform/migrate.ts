import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { Client, type Pool } from 'pg';
import { closeToOthers, ensureRoles } from '#platform/roles.ts';

/** The migrations that this version knows. */
export const ownMigrations = new URL('../../db/migrations/', import.meta.url);

/** A newer version has been here: what it changed, this one does not understand. */
export class NewerDatabase extends Error {
  constructor(names: readonly string[]) {
    super(
      `The database was brought up to date by a newer Cuebird (this version does not know ${names.join(', ')}). Start that version, or restore a backup from before it.`,
    );
  }
}

/** Any number will do, as long as every Cuebird asks for the same. */
const lockKey = 7_263_409_151;

/**
 * Brings the database to the newest shape: roles, then each numbered file that has not run, one transaction each.
 * Several processes may call it at once; one does the work. Throws when a file that has run was edited since, and a
 * NewerDatabase when one has run that is not in the folder.
 * @param options.only the files to run: an older shape, into which a backup is loaded
 */
export async function migrate(
  ownerUrl: string,
  { encryptionKey, folder = ownMigrations, only }: { encryptionKey: string; folder?: URL; only?: readonly string[] },
): Promise<void> {
  const owner = new Client({ connectionString: ownerUrl, application_name: 'cuebird migrate' });
  await owner.connect();
  try {
    await owner.query('select pg_advisory_lock($1)', [lockKey]);
    await assertVersion(owner);
    await ensureRoles(owner, encryptionKey);
    await closeToOthers(owner, encryptionKey);
    await runMissing(owner, { folder, only });
    await owner.query(
      "select ensure_month_partitions((date_trunc('month', now() at time zone 'UTC') - interval '1 month')::date, 6)",
    );
    // An older shape has no such function yet.
    const { rows } = await owner.query<{ is_there: boolean }>(
      "select to_regproc('let_owner_read') is not null as is_there",
    );
    if (rows[0]?.is_there === true) await owner.query('select let_owner_read()');
  } finally {
    await owner.end();
  }
}

async function assertVersion(owner: Client): Promise<void> {
  const { rows } = await owner.query(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as text",
  );
  if (rows[0].number < 170000) throw new Error(`PostgreSQL ${rows[0].text} is too old: Cuebird needs version 17 or 18`);
}

async function runMissing(
  owner: Client,
  { folder, only }: { folder: URL; only: readonly string[] | undefined },
): Promise<void> {
  await owner.query(
    'create table if not exists schema_migrations (name text primary key, hash text not null, ran_at timestamptz not null default now())',
  );
  // Every process looks whether a newer version has been here meanwhile.
  await owner.query('grant select on schema_migrations to cuebird_engine');
  const newer = await newerMigrations(owner, folder);
  if (newer.length > 0) throw new NewerDatabase(newer);
  const { rows } = await owner.query<{ name: string; hash: string }>('select name, hash from schema_migrations');
  const ran = new Map(rows.map((row) => [row.name, row.hash]));
  for (const name of await filesIn(folder)) {
    if (only?.includes(name) === false) continue;
    const sql = await readFile(new URL(name, folder), 'utf8');
    const hash = createHash('sha256').update(sql).digest('hex');
    const known = ran.get(name);
    if (known === hash) continue;
    if (known !== undefined) throw new Error(`${name} was changed after it had run here; migrations are never edited`);
    await runOne(owner, { name, sql, hash });
  }
}

/** What has run in the database and is not in the folder: names of files, oldest first. */
export async function newerMigrations(db: Pick<Client | Pool, 'query'>, folder: URL): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    'select name from schema_migrations where name <> all ($1::text[]) order by name',
    [await filesIn(folder)],
  );
  return rows.map(({ name }) => name);
}

const filesIn = async (folder: URL) => (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort();

async function runOne(owner: Client, { name, sql, hash }: { name: string; sql: string; hash: string }): Promise<void> {
  await owner.query('begin');
  try {
    await owner.query(sql);
    await owner.query('insert into schema_migrations (name, hash) values ($1, $2)', [name, hash]);
    await owner.query("select pg_notify('cuebird_schema', $1)", [name]);
    await owner.query('commit');
  } catch (error) {
    await owner.query('rollback');
    throw new Error(`${name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
