import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { writeBackup } from '#commands/backup.ts';
import { examineBackup, restoreBackup } from '#commands/restore.ts';
import { tablesOf } from '#commands/tables.ts';
import { createBlankDatabase, createTestDatabase, TEST_ENCRYPTION_KEY as encryptionKey } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { insertThings } from '#testing/sample-rows.ts';

export const now = Temporal.Instant.from('2026-11-20T09:00:00Z');

export type BackupFixture = Awaited<ReturnType<typeof openBackupFixture>>;

/** A database to back up, a folder for its backup, and empty databases to restore it into. */
export async function openBackupFixture() {
  const cleanups: (() => Promise<unknown>)[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'cuebird-backup-'));
  const file = join(folder, 'all.backup');
  const source = await createTestDatabase();
  const owner = await connectOwner(source.url);

  /** An empty database that an administrator created. */
  async function blank(owned = ''): Promise<string> {
    const { url, drop } = await createBlankDatabase(owned);
    cleanups.push(drop);
    return url;
  }

  async function openUrl(url: string): Promise<Client> {
    const client = await connectOwner(url);
    cleanups.push(() => client.end());
    return client;
  }

  return {
    folder,
    file,
    url: source.url,
    owner,
    blank,
    openUrl,
    back: (changes: object = {}) => writeBackup({ ownerUrl: source.url, encryptionKey, file, now, ...changes }),
    /** Restores `file`, or another one. */
    async restore(ownerUrl: string, from = file) {
      const header = await examineBackup(from, { encryptionKey, withAnotherKey: false });
      return restoreBackup({ file: from, header, ownerUrl, encryptionKey, now });
    },
    /** Called before the fixture is closed, the last one first. */
    onClose: (cleanup: () => Promise<unknown>) => void cleanups.push(cleanup),
    async close() {
      await owner.end();
      for (const cleanup of cleanups.toReversed()) await cleanup();
      await source.drop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Two workspaces with rows in every table, and text that needs escaping. */
export async function furnish(into: Client): Promise<void> {
  for (const slug of ['here', 'there']) {
    const person = await into.query<{ id: string }>('insert into profiles (email) values ($1) returning id', [
      `${slug}@example.com`,
    ]);
    const userId = person.rows[0]?.id ?? '';
    const made = await into.query<{ id: string }>(
      'insert into workspaces (name, slug, description) values ($1, $1, $2) returning id',
      [slug, 'tab\tnewline\nreturn\rbackslash\\ \\. \\N "quoted" {é} \u2028 🐦\n\\.\n'],
    );
    const workspace = made.rows[0]?.id ?? '';
    await into.query('insert into auth_sessions (user_id, token, expires_at) values ($1, $2, now())', [userId, slug]);
    await into.query("insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'owner')", [
      workspace,
      userId,
    ]);
    const { failedJob } = await insertThings(into, { workspace, userId });
    await into.query(
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status)
       select $1, $2, now() + n * interval '40 days', 'email', n || '@example.com', 'accepted' from generate_series(-40, 4) n`,
      [workspace, failedJob],
    );
    await into.query(
      "insert into claims (id, worker, lease_until, job_ids, begun) values (uuidv7(), 'w', now(), array[$1::uuid], '[[1, \"é\"]]')",
      [failedJob],
    );
    await into.query(
      "insert into audit_log (workspace_id, action, details) values ($1, 'tried', '{\"a\": [null, 1.50]}')",
      [workspace],
    );
    await into.query('insert into app_settings (key, value) values ($1, \'"x"\')', [`engine.${slug}`]);
  }
}

/** A checksum of each table's rows, independent of their order; with `first`, of their first columns only. */
export async function contentOf(
  client: Client,
  first: ReadonlyMap<string, number> = new Map(),
): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const { name } of await tablesOf(client)) {
    const columns = (await columnsOf(client, name)).slice(0, first.get(name));
    const { rows } = await client.query<{ row: string }>(
      `select row(${columns.join(', ')})::text as row from ${name} t`,
    );
    const sorted = rows.map(({ row }) => row).toSorted((a, b) => (a < b ? -1 : 1));
    sums[name] = `${rows.length} rows ${createHash('sha256').update(sorted.join('\n')).digest('hex')}`;
  }
  return sums;
}

/** A table's columns, in the order in which they were added. */
export async function columnsOf(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select quote_ident(attname) as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum',
    [table],
  );
  return rows.map(({ name }) => name);
}
