import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { readBackup } from '#commands/backup-file.ts';
import { quoted } from '#commands/tables.ts';
import { ensureRoles } from '#platform/roles.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';

/** A backup of one of everything, made by the last code before the baseline with the key of the tests. */
export const earlierBackup = fileURLToPath(new URL('earlier/all.backup', import.meta.url));
/** The migrations of that code. */
const schema = new URL('earlier/schema.sql.br', import.meta.url);

/** No superuser, so that row-level security binds it. */
export const earlierOwner = { user: 'cuebird_earlier_owner', password: 'owner' };
const template = 'cuebird_earlier';
const templateLock = 726_002;

export type EarlierDatabase = {
  /** The owner's, who is no superuser. */
  url: string;
  /** An administrator's, who reads the rows of every table. */
  adminUrl: string;
  drop(): Promise<void>;
};

/** A database as the last code before the baseline left it, with the rows of the backup. */
export async function createEarlierDatabase(serverUrl: string): Promise<EarlierDatabase> {
  const name = `earlier_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(serverUrl, async (admin) => {
    await ensureTemplate(admin, serverUrl);
    await admin.query(`create database ${name} template ${template} owner ${earlierOwner.user}`);
  });
  return {
    url: urlOf(serverUrl, { database: name, login: earlierOwner }),
    adminUrl: urlOf(serverUrl, { database: name }),
    drop: () =>
      asAdmin(serverUrl, async (admin) => void (await admin.query(`drop database if exists ${name} with (force)`))),
  };
}

async function ensureTemplate(admin: Client, serverUrl: string): Promise<void> {
  await admin.query('select pg_advisory_lock($1)', [templateLock]);
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [template]);
  if (rowCount === 0) {
    await ensureRoles(admin, TEST_ENCRYPTION_KEY);
    await admin.query(`create role ${earlierOwner.user} login password '${earlierOwner.password}'`);
    const draft = `${template}_draft`;
    await admin.query(`create database ${draft} owner ${earlierOwner.user}`);
    await fill(urlOf(serverUrl, { database: draft, login: earlierOwner }), urlOf(serverUrl, { database: draft }));
    await admin.query(`alter database ${draft} rename to ${template}`);
  }
  await admin.query('select pg_advisory_unlock($1)', [templateLock]);
}

async function fill(ownerUrl: string, adminUrl: string): Promise<void> {
  const { migrations, months } = await readBackup(earlierBackup);
  await asAdmin(ownerUrl, async (client) => {
    await client.query(
      'create table schema_migrations (name text primary key, hash text not null, ran_at timestamptz not null default now())',
    );
    await client.query('grant select on schema_migrations to cuebird_engine');
    await client.query((await promisify(brotliDecompress)(await readFile(schema))).toString());
    for (const { name, hash } of migrations)
      await client.query('insert into schema_migrations (name, hash) values ($1, $2)', [name, hash]);
    for (const month of months) await client.query('select ensure_month_partitions($1, 1)', [month]);
    await client.query('select allow_owner_reads()');
  });
  await asAdmin(adminUrl, async (client) => {
    // Disables triggers and foreign keys: the rows hold what triggers would add.
    await client.query('set session_replication_role = replica');
    const takeRows = async ({ table, columns }: { table: string; columns: string[] }, rows: AsyncIterable<Buffer>) => {
      const copy = client.query(copyFrom(`copy ${quoted([table])} (${quoted(columns)}) from stdin`));
      await pipeline(Readable.from(rows, { objectMode: false }), copy);
      return copy.rowCount;
    };
    await readBackup(earlierBackup, { takeRows });
  });
}

function urlOf(serverUrl: string, { database, login }: { database: string; login?: typeof earlierOwner }): string {
  const url = new URL(`/${database}`, serverUrl);
  if (login !== undefined) Object.assign(url, { username: login.user, password: login.password });
  return url.href;
}

async function asAdmin<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connectOwner(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
