import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Client, Pool } from 'pg';
import { advisoryLocks } from '#platform/advisory-locks.ts';
import { DatabaseClient } from '#platform/database-client.ts';
import { isBaseline, OutdatedDatabase, replacedMigrations } from '#platform/replaced-migrations.ts';
import { closeToOthers, ensureRoles } from '#platform/roles.ts';
import { assertSessionsKept } from '#platform/session-check.ts';
import { inTransactionOn } from '#platform/transaction.ts';

/** The migrations that this version knows. */
export const ownMigrations = new URL('../../db/migrations/', import.meta.url);

/** A newer version has migrated this database, which this version does not understand. */
export class NewerDatabase extends Error {
  constructor(names: readonly string[]) {
    super(
      `The database was brought up to date by a newer Cuebird (this version does not know ${names.join(', ')}). Start that version, or restore a backup from before it.`,
    );
  }
}

/** The server is too old, the database cannot store every text, or it accepts no changes. */
export class UnfitDatabase extends Error {}

export const standbyRefused = 'DATABASE_URL: the database is a standby, which accepts no changes. Name its primary.';

/**
 * Migrates the database: roles, then each numbered file that has not run, one transaction each. Where the migrations have run
 * that the baseline replaces, it counts as run. Several processes may call it at once; one does the work. Throws when a file that has run was
 * edited since, a NewerDatabase when one has run that is not in the folder, an UnfitDatabase, an OutdatedDatabase, and SessionsNotKept.
 * @param options.only the files to run: an older shape, into which a backup is loaded
 */
export async function migrate(
  ownerUrl: string,
  { encryptionKey, folder = ownMigrations, only }: { encryptionKey: string; folder?: URL; only?: readonly string[] },
): Promise<void> {
  const owner = new DatabaseClient({ connectionString: ownerUrl, application_name: 'cuebird migrate' });
  await owner.connect();
  try {
    await assertServer(owner);
    // Before the lock, which a pooler in transaction mode would leave to somebody else.
    await assertSessionsKept(ownerUrl);
    await owner.query('select pg_advisory_lock($1)', [advisoryLocks.migrations]);
    await ensureRoles(owner, encryptionKey);
    await closeToOthers(owner, encryptionKey);
    await runMissing(owner, { folder, only });
    await owner.query(
      "select ensure_month_partitions((date_trunc('month', now() at time zone 'UTC') - interval '1 month')::date, 6)",
    );
    await owner.query('select allow_owner_reads()');
  } finally {
    await owner.end();
  }
}

async function assertServer(owner: Client): Promise<void> {
  const { rows } = await owner.query(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as text,
            current_setting('server_encoding') as encoding, pg_is_in_recovery() as is_standby,
            current_setting('transaction_read_only') = 'on' as is_read_only`,
  );
  const [{ number, text, encoding, is_standby: isStandby, is_read_only: isReadOnly }] = rows;
  if (isStandby) throw new UnfitDatabase(standbyRefused);
  if (isReadOnly)
    throw new UnfitDatabase(
      'DATABASE_URL: the database accepts no changes (default_transaction_read_only is on for it or its user).',
    );
  if (number < 170000) throw new UnfitDatabase(`PostgreSQL ${text} is too old: Cuebird needs version 17 or 18`);
  if (encoding !== 'UTF8')
    throw new UnfitDatabase(
      `The database's encoding is ${encoding}, and Cuebird needs UTF8: create another with "create database cuebird encoding 'UTF8' template template0"`,
    );
}

async function runMissing(
  owner: Client,
  { folder, only }: { folder: URL; only: readonly string[] | undefined },
): Promise<void> {
  await owner.query(
    'create table if not exists schema_migrations (name text primary key, hash text not null, ran_at timestamptz not null default now())',
  );
  // Processes without the owner's login read this table too, to notice a newer version.
  await owner.query('grant select on schema_migrations to cuebird_engine');
  const files = await migrationsOf(folder);
  await acceptReplaced(owner, files);
  const newer = await newerMigrations(owner, folder);
  if (newer.length > 0) throw new NewerDatabase(newer);
  const ran = new Map((await readRan(owner)).map((row) => [row.name, row.hash]));
  for (const file of files) {
    if (only?.includes(file.name) === false) continue;
    const known = ran.get(file.name);
    if (known === file.hash) continue;
    if (known !== undefined) throw new Error(`${file.name} was changed after it had run; migrations are never edited`);
    await inOneStep(owner, { name: file.name, work: () => runOne(owner, file) });
  }
}

/** A database that has run all migrations that the baseline replaces has its schema: only the list changes. */
async function acceptReplaced(owner: Client, files: readonly Migration[]): Promise<void> {
  const ran = await readRan(owner);
  const replaced = replacedMigrations(ran);
  if (replaced === 'none') return;
  if (replaced === 'incomplete') throw new OutdatedDatabase(ran);
  await inOneStep(owner, {
    name: 'baseline',
    work: async () => {
      await owner.query('delete from schema_migrations');
      for (const file of files.filter(({ name }) => isBaseline(name))) await addToRan(owner, file);
    },
  });
}

/** The migrations that have run, oldest first. */
export const readRan = async (owner: Client) =>
  (await owner.query<{ name: string; hash: string }>('select name, hash from schema_migrations order by name')).rows;

/** Migrations that have run and are not in the folder, oldest first. */
export async function newerMigrations(db: Pick<Client | Pool, 'query'>, folder: URL): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    'select name from schema_migrations where name <> all ($1::text[]) order by name',
    [await filesIn(folder)],
  );
  return rows.map(({ name }) => name);
}

const filesIn = async (folder: URL) => (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort();

type Migration = { name: string; sql: string; hash: string };

/** The numbered files of a folder, in the order in which they run. */
export async function migrationsOf(folder: URL): Promise<Migration[]> {
  const names = await filesIn(folder);
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function runOne(owner: Client, file: Migration): Promise<void> {
  await owner.query(file.sql);
  await addToRan(owner, file);
}

const addToRan = (owner: Client, { name, hash }: Migration) =>
  owner.query('insert into schema_migrations (name, hash) values ($1, $2)', [name, hash]);

/** Runs the work in one transaction, which also notifies processes of an older version. */
async function inOneStep(owner: Client, { name, work }: { name: string; work: () => Promise<void> }): Promise<void> {
  try {
    await inTransactionOn(owner, async () => {
      await work();
      await owner.query("select pg_notify('cuebird_schema', $1)", [name]);
    });
  } catch (error) {
    throw new Error(`${name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
