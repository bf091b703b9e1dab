import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { closeToOthers, ensureRoles } from '#platform/roles.ts';

const folder = new URL('../../db/migrations/', import.meta.url);

/** Any number will do, as long as every Cuebird asks for the same. */
const lockKey = 7_263_409_151;

/**
 * Brings the database to the newest shape: roles, then each numbered file that has not run, one transaction each.
 * Several processes may call it at once; one does the work. Throws when a file that has run was edited since.
 */
export async function migrate(ownerUrl: string, { encryptionKey }: { encryptionKey: string }): Promise<void> {
  const owner = new Client({ connectionString: ownerUrl, application_name: 'cuebird migrate' });
  await owner.connect();
  try {
    await owner.query('select pg_advisory_lock($1)', [lockKey]);
    await assertVersion(owner);
    await ensureRoles(owner, encryptionKey);
    await closeToOthers(owner, encryptionKey);
    await runMissing(owner);
    await owner.query(
      "select ensure_month_partitions((date_trunc('month', now() at time zone 'UTC') - interval '1 month')::date, 6)",
    );
    await owner.query('select let_owner_read()');
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

async function runMissing(owner: Client): Promise<void> {
  await owner.query(
    'create table if not exists schema_migrations (name text primary key, hash text not null, ran_at timestamptz not null default now())',
  );
  const { rows } = await owner.query<{ name: string; hash: string }>('select name, hash from schema_migrations');
  const ran = new Map(rows.map((row) => [row.name, row.hash]));
  const files = (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort();
  for (const name of files) {
    const sql = await readFile(new URL(name, folder), 'utf8');
    const hash = createHash('sha256').update(sql).digest('hex');
    const known = ran.get(name);
    if (known === hash) continue;
    if (known !== undefined) throw new Error(`${name} was changed after it had run here; migrations are never edited`);
    await runOne(owner, { name, sql, hash });
  }
}

async function runOne(owner: Client, { name, sql, hash }: { name: string; sql: string; hash: string }): Promise<void> {
  await owner.query('begin');
  try {
    await owner.query(sql);
    await owner.query('insert into schema_migrations (name, hash) values ($1, $2)', [name, hash]);
    await owner.query('commit');
  } catch (error) {
    await owner.query('rollback');
    throw new Error(`${name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
