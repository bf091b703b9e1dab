import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Header } from '#commands/backup-file.ts';
import { backupErrorOf } from '#commands/backup.ts';
import { CommandFailed } from '#commands/command-failed.ts';
import { openDeliveryPause } from '#engine/pause/delivery-pause.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { openDatabase } from '#platform/database.ts';
import { migrate } from '#platform/migrate.ts';
import { assertTenantBoundary } from '#platform/tenant-boundary.ts';
import { type BackupFixture, contentOf, furnish, now, openBackupFixture } from '#testing/backup-fixture.ts';
import { TEST_ENCRYPTION_KEY as encryptionKey } from '#testing/database.ts';
import { earlierBackup } from '#testing/earlier-database.ts';

let fixture: BackupFixture;
let folder: BackupFixture['folder'];
let file: BackupFixture['file'];
let owner: BackupFixture['owner'];
let back: BackupFixture['back'];
let blank: BackupFixture['blank'];
let openUrl: BackupFixture['openUrl'];
let restore: BackupFixture['restore'];
beforeEach(async () => {
  fixture = await openBackupFixture();
  ({ folder, file, owner, back, blank, openUrl, restore } = fixture);
});
afterEach(() => fixture.close());

describe('a backup', () => {
  it('on a full disk says so, and where room is needed', async () => {
    const full: unknown = await writeFile('/dev/full', 'x').catch((error: unknown) => error);
    const translated = backupErrorOf(full, '/srv/backups/cuebird.backup');
    expect(translated).toBeInstanceOf(CommandFailed);
    expect(String(translated)).toContain('The disk is full: there is no room for the backup in /srv/backups.');
    const other = new Error('of another kind');
    expect(backupErrorOf(other, file)).toBe(other);
  });

  it('gives back every row of every table, to a database that keeps workspaces apart', async () => {
    await furnish(owner);
    const made = await back();
    const url = await blank();
    expect(await restore(url)).toEqual({
      madeAt: now.toString(),
      tables: made.tables,
      rows: made.rows,
      isResealed: true,
    });

    const restored = await openUrl(url);
    const changed = { app_settings: '', auth_sessions: '', auth_verifications: '' };
    expect({ ...(await contentOf(restored)), ...changed }).toEqual({ ...(await contentOf(owner)), ...changed });
    const { rows } = await restored.query(
      'select (select count(*)::int from auth_sessions) as sessions, count(*)::int as settings from app_settings',
    );
    // The pause of deliveries and the fingerprint of the key are new.
    expect(rows).toEqual([{ sessions: 0, settings: 4 }]);
    const database = openDatabase(url, { encryptionKey });
    await assertTenantBoundary(database.appPool);
    const deliveryPause = await openDeliveryPause({ database, clock: systemClock, log: createLog('silent') });
    expect(await deliveryPause.notice()).toEqual({
      since: now.toString(),
      reason: 'restored',
      backup_of: now.toString(),
    });
    await database.close();
  });

  it('puts the ledger back into its months, and triggers to work', async () => {
    await furnish(owner);
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
    const writer = await openUrl(fixture.url);
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
    }
    isWriting = false;
    await writing;
    const url = await blank();
    await restore(url, join(folder, '4'));
    const restored = await openUrl(url);
    const { rows } = await restored.query(
      'select count(*)::int as jobs, (select count(*)::int from deliveries d join jobs j on j.id = d.job_id) as deliveries from jobs',
    );
    expect(rows[0].jobs).toBeGreaterThan(0);
    expect(rows[0].deliveries).toBe(rows[0].jobs);
  });

  it('of the last version before the baseline is restored', async () => {
    const url = await blank();
    expect(await restore(url, earlierBackup)).toMatchObject({ madeAt: '2026-11-27T19:00:00Z', tables: 65, rows: 97 });
    const restored = await openUrl(url);
    const { rows } = await restored.query(
      `select (select owners_notified_at = '2026-11-21Z' and backoff_until = '2026-11-22Z' from webhooks) as webhook,
              (select owners_notified_at = '2026-11-21Z' from calendar_sources where name = 'Rota') as calendar,
              (select array_agg(key order by key) from app_settings) as settings`,
    );
    expect(rows).toEqual([
      {
        webhook: true,
        calendar: true,
        settings: [
          'admin_emails',
          'admin_setup',
          'engine.backups',
          'engine.delivery_pause',
          'engine.encryption_keys',
          'engine.location',
          'engine.push_keys',
          'engine.sandbox_ports',
          'engine.tz_version',
        ],
      },
    ]);
    // In the order of their names, a database that any later start finds complete.
    await migrate(url, { encryptionKey });
    await furnish(restored);
    await back({ ownerUrl: url });
  });

  it('of a version before that is refused with what to do', async () => {
    const text = gunzipSync(await readFile(earlierBackup)).toString();
    const [first = '', ...rest] = text.split('\n');
    const header = Header.parse(JSON.parse(first));
    const migrations = header.migrations.filter(({ name }) => name < '0020');
    await writeFile(file, gzipSync([JSON.stringify({ ...header, migrations }), ...rest].join('\n')));
    await expect(restore(await blank())).rejects.toThrow(
      /^The backup is from an earlier version of Cuebird, at migration 0019_jobs_of_people\.sql, which this version cannot restore\. Restore it with the code of commit 9c0662180ea397e843fbab4b2bba8b6062d5fe1f, /,
    );
  });

  it('can be read without Cuebird', async () => {
    await furnish(owner);
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
    const admin = await openUrl(fixture.url);
    fixture.onClose(() => admin.query(`drop role ${role}`));
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
