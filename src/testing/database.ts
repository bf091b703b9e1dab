import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { migrate } from '#platform/migrate.ts';

/** Seals secrets and derives the passwords of the database's roles in every test database. */
export const TEST_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');

const TEMPLATE = 'cuebird_template';
const TEMPLATE_LOCK = 726_001;

/**
 * A database of one test's own, migrated and empty.
 * @returns the owner's URL; `drop` ends whoever is still connected
 */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(async (admin) => {
    await ensureTemplate(admin);
    await admin.query(`create database ${name} template ${TEMPLATE}`);
  });
  return {
    url: urlOf(name),
    drop: () => asAdmin(async (admin) => void (await admin.query(`drop database if exists ${name} with (force)`))),
  };
}

// The first test to ask, in whichever worker, migrates the template; the others wait for it.
async function ensureTemplate(admin: Client): Promise<void> {
  await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [TEMPLATE]);
    if (rowCount === 1) return;
    const draft = `${TEMPLATE}_draft`;
    await admin.query(`drop database if exists ${draft} with (force)`);
    await admin.query(`create database ${draft}`);
    await migrate(urlOf(draft), { encryptionKey: TEST_ENCRYPTION_KEY });
    await admin.query(`alter database ${draft} rename to ${TEMPLATE}`);
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
}

async function asAdmin(work: (admin: Client) => Promise<void>): Promise<void> {
  const admin = new Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${database}`;
  return url.href;
}
