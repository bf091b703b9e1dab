import { randomUUID } from 'node:crypto';
import { Client, type ClientBase, Pool } from 'pg';
import { inject } from 'vitest';
import { migrate } from '#platform/migrate.ts';
import { emptyDatabase, readShape } from '#testing/database-shape.ts';

/** Seals secrets and derives the passwords of the database's roles in every test database. */
export const TEST_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');

const TEMPLATE = 'cuebird_template';
const TEMPLATE_LOCK = 726_001;

/**
 * A database of one test's own, migrated and empty. It may have served other tests of the run, under other names.
 * @returns the owner's URL; `drop` ends whoever is still connected, and the URL then leads nowhere
 */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = await asAdmin(async (admin) => {
    await ensureTemplate(admin);
    return (await takeEmptied(admin)) ?? (await cloneTemplate(admin));
  });
  return { url: urlOf(name), drop: () => asAdmin((admin) => giveBack(admin, name)) };
}

/** A database that nobody has migrated. `options` are SQL of `create database`. */
export async function createBlankDatabase(options = ''): Promise<{ url: string; drop(): Promise<void> }> {
  const name = newName();
  await asAdmin((admin) => admin.query(`create database ${name} ${options}`));
  return {
    url: urlOf(name),
    drop: () => asAdmin(async (admin) => void (await admin.query(`drop database if exists ${name} with (force)`))),
  };
}

/** Null until this worker knows that there is a template. */
let templateShape: string | null = null;

// The first test to ask, in whichever worker, migrates the template; the others wait for it.
async function ensureTemplate(admin: ClientBase): Promise<void> {
  if (templateShape !== null) return;
  await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [TEMPLATE]);
    if (rowCount === 0) await createTemplate(admin);
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
  const { rows } = await admin.query<{ shape: string }>('select shape from test_template');
  templateShape = rows[0]?.shape ?? null;
}

async function createTemplate(admin: ClientBase): Promise<void> {
  const draft = `${TEMPLATE}_draft`;
  await admin.query(`drop database if exists ${draft} with (force)`);
  await admin.query(`create database ${draft}`);
  await migrate(urlOf(draft), { encryptionKey: TEST_ENCRYPTION_KEY });
  const shape = await inDatabase(draft, readShape);
  await admin.query('create table if not exists test_template (shape text)');
  await admin.query('create table if not exists emptied_databases (name text primary key)');
  await admin.query('insert into test_template values ($1)', [shape]);
  await admin.query(`alter database ${draft} rename to ${TEMPLATE}`);
}

async function takeEmptied(admin: ClientBase): Promise<string | null> {
  const { rows } = await admin.query<{ name: string }>(
    'delete from emptied_databases where name = (select name from emptied_databases limit 1 for update skip locked) returning name',
  );
  return rows[0]?.name ?? null;
}

async function cloneTemplate(admin: ClientBase): Promise<string> {
  const name = newName();
  // A copy of small files, without the log that the default strategy writes of each page.
  await admin.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  return name;
}

/** Emptied for the next test, or dropped where more than rows has changed: emptying takes a tenth of cloning. */
async function giveBack(admin: ClientBase, name: string): Promise<void> {
  const next = newName();
  await endSessions(admin, name);
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 0) return;
  // Under another name, so that nobody of the test before reaches what the next one writes.
  await admin.query(`alter database ${name} rename to ${next}`);
  await admin.query('update pg_database set datacl = null where datname = $1', [next]);
  if (await inDatabase(next, emptyAgain).catch(() => false))
    await admin.query('insert into emptied_databases values ($1)', [next]);
  else await admin.query(`drop database ${next} with (force)`);
}

/** Removes all rows of a test database. False where more than rows has changed. */
export const emptyAgain = async (client: Client): Promise<boolean> => (await emptyDatabase(client)) === templateShape;

// Asked again and again: the server's own wait looks every tenth of a second.
async function endSessions(admin: ClientBase, name: string): Promise<void> {
  const ending = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1';
  while (((await admin.query(ending, [name])).rowCount ?? 0) > 0);
}

const newName = () => `test_${randomUUID().replaceAll('-', '')}`;

let pool: Pool | undefined;

async function asAdmin<T>(work: (admin: ClientBase) => Promise<T>): Promise<T> {
  pool ??= new Pool({ connectionString: inject('postgresUrl'), max: 2, allowExitOnIdle: true }).on('error', () => {});
  const admin = await pool.connect();
  try {
    return await work(admin);
  } finally {
    admin.release();
  }
}

async function inDatabase<T>(name: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: urlOf(name) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${database}`;
  return url.href;
}
