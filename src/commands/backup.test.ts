import { createHash, randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { writeBackup } from '#commands/backup.ts';
import { BadBackup, Header } from '#commands/backup-file.ts';
import { CommandFailed } from '#commands/command-failed.ts';
import { examineBackup, restoreBackup } from '#commands/restore.ts';
import { fixSequences } from '#commands/sequences.ts';
import { tablesOf } from '#commands/tables.ts';
import { openDeliveryPause } from '#engine/delivery-pause.ts';
import { systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import { migrate } from '#platform/migrate.ts';
import { loginOf } from '#platform/roles.ts';
import { assertTenantBoundary } from '#platform/tenant-boundary.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { earlyBackup } from '#testing/early-database.ts';
import { connectOwner } from '#testing/owner.ts';
import { insertThings } from '#testing/samples.ts';

const now = Temporal.Instant.from('2026-11-20T09:00:00Z');
const encryptionKey = TEST_ENCRYPTION_KEY;

let folder: string;
let file: string;
let source: Awaited<ReturnType<typeof createTestDatabase>>;
let owner: Client;
let cleanups: (() => Promise<unknown>)[];
beforeEach(async () => {
  cleanups = [];
  folder = await mkdtemp(join(tmpdir(), 'cuebird-backup-'));
  file = join(folder, 'all.backup');
  source = await createTestDatabase();
  owner = await connectOwner(source.url);
});
afterEach(async () => {
  await owner.end();
  for (const cleanup of cleanups.toReversed()) await cleanup();
  await source.drop();
  await rm(folder, { recursive: true });
});

const back = (changes: object = {}) => writeBackup({ ownerUrl: source.url, encryptionKey, file, now, ...changes });

/** An empty database that an administrator created. */
async function blank(owned = ''): Promise<string> {
  const name = `restore_${randomUUID().replaceAll('-', '')}`;
  const admin = await connectOwner(inject('postgresUrl'));
  cleanups.push(async () => {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  });
  await admin.query(`create database ${name} ${owned}`);
  return new URL(`/${name}`, inject('postgresUrl')).href;
}

async function restore(ownerUrl: string, options: Partial<Parameters<typeof examineBackup>[1]> = {}) {
  const header = await examineBackup(file, { encryptionKey, withAnotherKey: false, ...options });
  return restoreBackup({ file, header, ownerUrl, encryptionKey, now });
}

/** Two workspaces with rows in every table, and text that needs escaping. */
async function furnish(into = owner) {
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

/** A checksum of each table's rows, independent of their order. */
async function contentOf(client: Client): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const { name } of await tablesOf(client)) {
    const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
    const sorted = rows.map(({ row }) => row).toSorted((a, b) => (a < b ? -1 : 1));
    sums[name] = `${rows.length} rows ${createHash('sha256').update(sorted.join('\n')).digest('hex')}`;
  }
  return sums;
}

async function openUrl(url: string): Promise<Client> {
  const client = await connectOwner(url);
  cleanups.push(() => client.end());
  return client;
}

describe('a backup', () => {
  it('gives back every row of every table, to a database that keeps workspaces apart', async () => {
    await furnish();
    const made = await back();
    const url = await blank();
    expect(await restore(url)).toEqual({ madeAt: now.toString(), tables: made.tables, rows: made.rows });

    const restored = await openUrl(url);
    const changed = { app_settings: '', auth_sessions: '', auth_verifications: '' };
    expect({ ...(await contentOf(restored)), ...changed }).toEqual({ ...(await contentOf(owner)), ...changed });
    const { rows } = await restored.query(
      'select (select count(*)::int from auth_sessions) as sessions, count(*)::int as settings from app_settings',
    );
    expect(rows).toEqual([{ sessions: 0, settings: 3 }]);
    const database = openDatabase(url, { encryptionKey });
    await assertTenantBoundary(database.appPool);
    const deliveryPause = await openDeliveryPause({ pool: database.engine, clock: systemClock });
    expect(await deliveryPause.notice()).toEqual({
      since: now.toString(),
      reason: 'restored',
      backup_of: now.toString(),
    });
    await database.close();
  });

  it('puts the ledger back into its months, and triggers to work', async () => {
    await furnish();
    await back();
    const url = await blank();
    await restore(url);
    const restored = await openUrl(url);
    const locations =
      'select tableoid::regclass::text as place, count(*)::int as rows from deliveries group by 1 order by 1';
    expect((await restored.query(locations)).rows).toEqual((await owner.query(locations)).rows);
    const { rows } = await restored.query("update jobs set status = 'cancelled' where status = 'pending' returning id");
    expect(rows).toHaveLength(2);
    expect((await restored.query('select from queue')).rowCount).toBe(0);
  });

  it('is of one instant, whatever is written meanwhile', async () => {
    const made = await owner.query<{ id: string }>(
      "insert into workspaces (name, slug) values ('a', 'a') returning id",
    );
    let isWriting = true;
    const writer = await openUrl(source.url);
    const writing = (async () => {
      while (isWriting)
        await writer.query(
          `with job as (
             insert into jobs (workspace_id, name, type, status, scheduled_for, run_at) select $1, 'x', 'test_reminder', 'failed', now(), now() from generate_series(1, 50)
             returning id
           )
           insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status) select $1, id, now(), 'email', 'a', 'failed' from job`,
          [made.rows[0]?.id],
        );
    })();
    for (let round = 0; round < 5; round += 1) {
      await back({ file: join(folder, `${round}`) });
      file = join(folder, `${round}`);
    }
    isWriting = false;
    await writing;
    const url = await blank();
    await restore(url);
    const restored = await openUrl(url);
    const { rows } = await restored.query(
      'select count(*)::int as jobs, (select count(*)::int from deliveries d join jobs j on j.id = d.job_id) as deliveries from jobs',
    );
    expect(rows[0].jobs).toBeGreaterThan(0);
    expect(rows[0].deliveries).toBe(rows[0].jobs);
  });

  it('of an early Cuebird, from before the baseline, is restored under the names of today', async () => {
    file = fileURLToPath(earlyBackup);
    const url = await blank();
    expect(await restore(url)).toMatchObject({ madeAt: '2026-11-22T09:00:00Z', tables: 35, rows: 38 });
    const restored = await openUrl(url);
    const { rows } = await restored.query(
      `select (select attempt_history from deliveries) as history, (select backoff_until = '2026-11-02Z' from channel_rate_limits) as backs_off,
              (select mailed_on::text from notices) as mailed_on, (select times from sandbox_simulated_failures) as times,
              (select array_agg(key order by key) from app_settings) as settings`,
    );
    expect(rows).toEqual([
      {
        history: [{ attempt: 1, status: 'failed', reason: '503' }],
        backs_off: true,
        mailed_on: '2026-11-21',
        times: 2,
        settings: ['admin_setup', 'engine.delivery_pause', 'engine.location', 'engine.tz_version'],
      },
    ]);
    // In the order of their names, a database that any later start finds complete.
    await migrate(url, { encryptionKey });
    await furnish(restored);
    file = join(folder, 'all.backup');
    await back({ ownerUrl: url });
  });

  it('of an early Cuebird that was not at the end of its migrations is refused with what to do', async () => {
    const text = gunzipSync(await readFile(earlyBackup)).toString();
    const [first = '', ...rest] = text.split('\n');
    const header = Header.parse(JSON.parse(first));
    const migrations = header.migrations.filter(({ name }) => name < '0020');
    await writeFile(file, gzipSync([JSON.stringify({ ...header, migrations }), ...rest].join('\n')));
    await expect(restore(await blank())).rejects.toThrow(
      /^The backup is from an early version of Cuebird, at migration 0019_next_occurrences\.sql, which this version cannot restore\. Restore it with the code of commit/,
    );
  });

  it('can be read without Cuebird', async () => {
    await furnish();
    await back();
    const text = gunzipSync(await readFile(file)).toString();
    expect(text.split('\n')[0]).toContain('"format":"cuebird backup"');
    expect(text).toMatch(/^\{"table":"workspaces","columns":\["id","name",.*\]\}\n[0-9a-f-]{36}\there\there\t/m);
    expect(text.trimEnd().endsWith('{"complete":true}')).toBe(true);
  });

  it('is for its owner only, replaces no file, and leaves no half one', async () => {
    await back();
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect(back()).rejects.toThrow(
      new CommandFailed(`${file} exists already; a backup does not overwrite a file.`),
    );
    const another = join(folder, 'another');
    await expect(back({ file: another, signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
    await expect(back({ file: another, encryptionKey: 'another key of more than 32 characters' })).rejects.toThrow(
      /does not belong to this database/,
    );
    await expect(back({ file: another, ownerUrl: await blank() })).rejects.toThrow(
      'There is no Cuebird in this database yet.',
    );
    expect(await readdir(folder)).toEqual(['all.backup']);
  });
});

describe('an owner who is no superuser', () => {
  let role: string;
  let administered: Client;
  let ownUrl: string;
  beforeEach(async () => {
    role = `owner_${randomUUID().replaceAll('-', '')}`;
    await owner.query(`create role ${role} login password 'owner'`);
    const admin = await openUrl(source.url);
    cleanups.push(() => admin.query(`drop role ${role}`));
    const url = await blank(`owner ${role}`);
    ownUrl = as(url);
    // An administrator has created the logins.
    await migrate(ownUrl, { encryptionKey });
    administered = await openUrl(url);
  });

  const as = (url: string) => {
    const made = new URL(url);
    [made.username, made.password] = [role, 'owner'];
    return made.href;
  };

  it('backs up and restores the rows of all workspaces', async () => {
    await furnish(administered);
    const made = await back({ ownerUrl: ownUrl });
    expect(made.rows).toBeGreaterThan(100);
    const target = await blank(`owner ${role}`);
    expect((await restore(as(target))).rows).toBe(made.rows);
    const changed = { app_settings: '', auth_sessions: '', auth_verifications: '' };
    const restored = await contentOf(await openUrl(target));
    expect({ ...restored, ...changed }).toEqual({ ...(await contentOf(administered)), ...changed });
    const database = openDatabase(as(target), { encryptionKey });
    await assertTenantBoundary(database.appPool);
    await database.close();
  });

  it('is told which tables would be incomplete', async () => {
    await administered.query('drop policy owner_reads on reminders; drop policy owner_reads on channels');
    await expect(back({ ownerUrl: ownUrl })).rejects.toThrow(
      'The database user may not read all rows of channels, reminders: start this version of Cuebird once with it, or back up as a superuser.',
    );
    expect(await readdir(folder)).toEqual([]);
    await migrate(ownUrl, { encryptionKey });
    await back({ ownerUrl: ownUrl });
  });
});

describe('a restore', () => {
  it('refuses a database that holds something, and leaves it as it is', async () => {
    await back();
    await furnish();
    const before = await contentOf(owner);
    const refusal = new CommandFailed(
      'The database is not empty, and a restore overwrites nothing: set DATA_DIR or DATABASE_URL to an empty one.',
    );
    await expect(restore(source.url)).rejects.toThrow(refusal);
    expect(await contentOf(owner)).toEqual(before);
    const foreign = await blank();
    await (await openUrl(foreign)).query('create table of_somebody_else (id int)');
    await expect(restore(foreign)).rejects.toThrow(refusal);
  });

  it('that was broken off can be done again', async () => {
    await furnish();
    await back();
    const url = await blank();
    await migrate(url, { encryptionKey });
    const target = await openUrl(url);
    await target.query("alter table audit_log add constraint nothing check (action <> 'tried')");
    await expect(restore(url)).rejects.toThrow(/nothing/);
    expect(new Set(Object.values(await contentOf(target)).map((sum) => sum.split(' ')[0]))).toEqual(new Set(['0']));
    await target.query('alter table audit_log drop constraint nothing');
    expect((await restore(url)).rows).toBeGreaterThan(100);
  });

  it('asks for the key of the backup, unless it is known to be lost', async () => {
    await furnish();
    await back();
    const asked = (key: string | null, withAnotherKey = false) =>
      examineBackup(file, { encryptionKey: key, withAnotherKey });
    await expect(asked(null)).rejects.toThrow(
      /^The backup needs the encryption key with the fingerprint [0-9a-f]{16}, and none is set here\. Put its encryption\.key/,
    );
    await expect(asked('another key of more than 32 characters')).rejects.toThrow(/and another one is set here/);
    expect((await asked(null, true)).made_at).toBe(now.toString());
    const text = gunzipSync(await readFile(file)).toString();
    expect(text).not.toContain(encryptionKey);
    expect(text).not.toContain(loginOf('engine', encryptionKey));
  });

  it('refuses a backup of a newer version', async () => {
    await owner.query("insert into schema_migrations (name, hash) values ('9999_later.sql', 'h')");
    await back();
    await expect(restore(await blank())).rejects.toThrow(
      /^The backup is from a newer version of Cuebird \(.*this version does not know 9999_later\.sql\)\. Restore it with that version\.$/,
    );
  });

  it('refuses a backup with different migrations', async () => {
    await owner.query("update schema_migrations set hash = 'h' where name like '0001%'");
    await back();
    await expect(restore(await blank())).rejects.toThrow(
      'The migrations of the backup differ from those of this version.',
    );
  });

  describe('says in one line what is wrong with the file, before it touches a database', () => {
    const refused = async (path: string) => {
      const refusal = await examineBackup(path, { encryptionKey, withAnotherKey: false }).catch(
        (error: unknown) => error,
      );
      expect(refusal).toBeInstanceOf(BadBackup);
      return (refusal as BadBackup).message;
    };

    it('that is not there, a folder, no gzip or no backup', async () => {
      expect(await refused(join(folder, 'none'))).toBe(`There is no file ${join(folder, 'none')}.`);
      expect(await refused(folder)).toBe(`${folder} is a folder.`);
      await writeFile(join(folder, 'text'), 'select 1');
      expect(await refused(join(folder, 'text'))).toMatch(
        /is damaged or not a backup of Cuebird: it cannot be unzipped\.$/,
      );
      await writeFile(join(folder, 'zipped'), gzipSync('select 1\n'));
      expect(await refused(join(folder, 'zipped'))).toMatch(/a line has an unexpected format\.$/);
      await writeFile(join(folder, 'empty'), gzipSync(''));
      expect(await refused(join(folder, 'empty'))).toMatch(/it ends too early\.$/);
    });

    it('that was cut short, anywhere', async () => {
      await furnish();
      await back();
      const whole = await readFile(file);
      for (const share of [0.1, 0.5, 0.9, 0.999]) {
        await writeFile(join(folder, 'cut'), whole.subarray(0, Math.floor(whole.length * share)));
        expect(await refused(join(folder, 'cut'))).toMatch(/it ends too early\.$/);
      }
      const text = gunzipSync(whole).toString();
      await writeFile(join(folder, 'cut'), gzipSync(text.slice(0, text.lastIndexOf('{"complete"'))));
      expect(await refused(join(folder, 'cut'))).toMatch(/it ends too early\.$/);
      await writeFile(join(folder, 'longer'), gzipSync(`${text}more`));
      expect(await refused(join(folder, 'longer'))).toMatch(/something follows its end\.$/);
    });

    it('in which a word was changed or a row is missing', async () => {
      await furnish();
      await back();
      const text = gunzipSync(await readFile(file)).toString();
      await writeFile(join(folder, 'changed'), gzipSync(text.replace('here@example.com', 'mine@example.com')));
      expect(await refused(join(folder, 'changed'))).toMatch(/the rows of profiles do not match their checksum\.$/);
      await writeFile(join(folder, 'fewer'), gzipSync(text.replace(/^.*\tthere@example\.com\t.*\n/m, '')));
      expect(await refused(join(folder, 'fewer'))).toMatch(/the rows of profiles do not match their checksum\.$/);
    });
  });

  it('that finds another file than the one it has examined leaves nothing behind', async () => {
    await furnish();
    await back();
    const header = await examineBackup(file, { encryptionKey, withAnotherKey: false });
    const text = gunzipSync(await readFile(file)).toString();
    await writeFile(file, gzipSync(text.replace('there@example.com', 'mine@example.com')));
    await copyFile(file, `${file}.changed`);
    const url = await blank();
    await expect(restoreBackup({ file, header, ownerUrl: url, encryptionKey, now })).rejects.toThrow(BadBackup);
    expect((await (await openUrl(url)).query('select from profiles')).rowCount).toBe(0);
  });

  it('lets numbered rows go on behind the highest number', async () => {
    await owner.query('create table numbered (id int generated always as identity, n serial, word text)');
    await owner.query("insert into numbered (id, n, word) overriding system value values (41, 7, 'copied in')");
    await owner.query('create table empty_one (id serial)');
    await fixSequences(owner);
    const { rows } = await owner.query("insert into numbered (word) values ('next') returning id, n");
    expect(rows).toEqual([{ id: 42, n: 8 }]);
    expect((await owner.query('insert into empty_one default values returning id')).rows).toEqual([{ id: 1 }]);
  });
});
