import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '#contract/admin-settings.ts';
import { type NightlyDeps, startNightlyBackups } from '#features/backups/nightly-backups.service.ts';
import { openDatabase } from '#platform/database.ts';
import { type BackupFixture, contentOf, furnish, openBackupFixture } from '#testing/backup-fixture.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY as encryptionKey } from '#testing/database.ts';
import { insertBackup, sampleBackup } from '#testing/sample-backup.ts';
import { createVirtualClock, type VirtualClock } from '#testing/virtual-clock.ts';
import { writeBackupInThread } from '#wiring/backup-thread.ts';

describe('nightly backups', () => {
  let fixture: BackupFixture;
  let folder: string;
  let pool: Pool;
  let clock: VirtualClock;
  let written: string[];
  let failures: number;
  let alerts: string[];
  beforeEach(async () => {
    fixture = await openBackupFixture();
    folder = join(fixture.folder, 'backups');
    const database = openDatabase(fixture.url, { encryptionKey });
    fixture.onClose(() => database.close());
    pool = database.engine;
    clock = createVirtualClock('2026-11-20T09:00:00Z');
    written = [];
    failures = 0;
    alerts = [];
  });
  afterEach(() => fixture.close());

  const silent = { info: () => {}, error: () => {} };

  /** Another process. It writes what `write` writes, by default a word. */
  function start({
    write,
    isLeftToOthers = () => false,
  }: {
    write?: NightlyDeps['write'];
    isLeftToOthers?: () => boolean;
  } = {}) {
    const listeners = new Set<() => void>();
    let current = defaultSettings;
    const backups = startNightlyBackups({
      pool,
      ownerUrl: fixture.url,
      folder,
      isEncrypted: false,
      isLeftToOthers: async () => isLeftToOthers(),
      clock,
      log: silent,
      settings: {
        current: () => current,
        subscribe: (listener) => {
          listeners.add(() => listener(current));
          return () => {};
        },
      },
      alert: async (detail) => void alerts.push(detail),
      succeeded: async () => void alerts.splice(0),
      write:
        write ??
        (async (file) => {
          if (failures > 0) {
            failures -= 1;
            throw new Error('no space left on device');
          }
          written.push(file);
          await writeFile(file, 'rows');
          return { bytes: 4 };
        }),
    });
    fixture.onClose(() => backups.stop());
    return {
      ...backups,
      set(autoBackups: boolean) {
        current = { ...current, autoBackups };
        for (const listener of listeners) listener();
      },
    };
  }

  /** Lets the time pass in steps that no process sleeps through. */
  async function pass(hours: number, processes = 1): Promise<void> {
    for (let step = 0; step < hours * 6; step += 1) {
      await clock.untilAsleep(processes);
      clock.advance({ minutes: 10 });
    }
    await clock.untilAsleep(processes);
  }

  const names = async (backups: { list: () => Promise<{ data: { name: string }[] }> }) =>
    (await backups.list()).data.map(({ name }) => name);

  it('are made at 2 o’clock (UTC), and the newest seven are kept', async () => {
    const backups = start();
    await clock.untilAsleep(1);
    expect(await backups.list()).toEqual({
      data: [],
      folder,
      next_at: '2026-11-21T02:00:00Z',
      will_be_encrypted: false,
      failure: null,
    });
    await pass(9 * 24);
    expect(written).toHaveLength(9);
    expect(await names(backups)).toEqual(
      ['29', '28', '27', '26', '25', '24', '23'].map((day) => `cuebird-2026-11-${day}T02-00-00Z.backup`),
    );
    expect((await backups.list()).data[0]).toEqual({
      name: 'cuebird-2026-11-29T02-00-00Z.backup',
      made_at: '2026-11-29T02:00:00Z',
      bytes: 4,
      is_encrypted: false,
    });
  });

  it('are made by one of several processes', async () => {
    const [one, other] = [start(), start()];
    await pass(48, 2);
    expect(written).toHaveLength(2);
    expect(await names(one)).toEqual(await names(other));
  });

  it('are left to others where a process may, and made by it once there are none', async () => {
    let hasOthers = true;
    const worker = start({ isLeftToOthers: () => hasOthers });
    await pass(24);
    expect(written).toEqual([]);
    hasOthers = false;
    await pass(1);
    expect(written).toHaveLength(1);
    expect(await names(worker)).toEqual([expect.stringMatching(/^cuebird-2026-11-21T09-/)]);
  });

  it('make up for a night in which no process ran', async () => {
    const first = start();
    await clock.untilAsleep(1);
    await first.stop();
    clock.advance({ hours: 3 * 24 });
    const later = start();
    await clock.untilAsleep(1);
    expect(await names(later)).toEqual(['cuebird-2026-11-23T09-00-00Z.backup']);
    expect((await later.list()).next_at).toBe('2026-11-24T02:00:00Z');
  });

  it('that fail are shown, tried again after an hour, and forgotten once one succeeds', async () => {
    failures = 2;
    const backups = start();
    await pass(17);
    expect(await backups.list()).toMatchObject({
      data: [],
      failure: { at: '2026-11-21T02:00:00Z', message: 'no space left on device' },
      next_at: '2026-11-21T03:00:00Z',
    });
    expect(alerts).toEqual(['no space left on device']);
    await pass(2);
    expect(await backups.list()).toMatchObject({
      data: [{ made_at: '2026-11-21T04:00:00Z' }],
      failure: null,
      next_at: '2026-11-22T02:00:00Z',
    });
    expect(alerts, 'the alert is over').toEqual([]);
  });

  it('stop while they are off, and are made up for once they are on again', async () => {
    const backups = start();
    await pass(24);
    backups.set(false);
    await pass(48);
    expect(await backups.list()).toMatchObject({ data: [{ made_at: '2026-11-21T02:00:00Z' }], next_at: null });
    backups.set(true);
    await expect.poll(async () => (await names(backups))[0]).toBe('cuebird-2026-11-23T09-00-00Z.backup');
  });

  it('that are half written are not listed, and their rest is removed with the next one', async () => {
    const seen: { before: string[]; listed: string[] }[] = [];
    const backups = start({
      write: async (file) => {
        const before = await readdir(folder);
        await writeFile(`${file}.part`, 'ro');
        seen.push({ before, listed: await names(backups) });
        return { bytes: 2 };
      },
    });
    await pass(17);
    expect(await readdir(folder)).toEqual(['cuebird-2026-11-21T02-00-00Z.backup.part']);
    await pass(24);
    expect(await readdir(folder)).toEqual(['cuebird-2026-11-22T02-00-00Z.backup.part']);
    expect(seen).toEqual([
      { before: [], listed: [] },
      { before: [], listed: [] },
    ]);
  });

  it('are restored by the documented command, every row', async () => {
    await furnish(fixture.owner);
    const backups = start({
      write: (file, { now, signal }) =>
        writeBackupInThread(
          { ownerUrl: fixture.url, encryptionKey, file, passphrase: null, now: now.toString() },
          signal,
        ),
    });
    await pass(17);
    const [name = ''] = await names(backups);
    const url = await fixture.blank();
    await fixture.restore(url, await backups.fileOf(name));
    const restored = await contentOf(await fixture.openUrl(url));
    const { app_settings: _, auth_sessions: __, auth_verifications: ___, ...original } = await contentOf(fixture.owner);
    expect(restored).toMatchObject(original);
  });

  it('that are stopped once the file is in its place are not made again', async () => {
    const backups = start({
      write: async (file) => {
        await writeFile(file, 'rows');
        throw new Error('the backup was stopped');
      },
    });
    await clock.untilAsleep(1);
    clock.advance({ hours: 17 });
    await clock.untilAsleep(1);
    await backups.stop();
    const later = start();
    await clock.untilAsleep(1);
    expect(written).toEqual([]);
    expect(await later.list()).toMatchObject({
      data: [{ name: 'cuebird-2026-11-21T02-00-00Z.backup', bytes: 4 }],
      failure: null,
      next_at: '2026-11-22T02:00:00Z',
    });
  });

  it('that are stopped leave no file', async () => {
    const backups = start({
      write: (file, { now, signal }) =>
        writeBackupInThread(
          { ownerUrl: fixture.url, encryptionKey, file, passphrase: null, now: now.toString() },
          signal,
        ),
    });
    // What it wants to read keeps it waiting.
    await fixture.owner.query('begin; lock table contacts');
    await clock.untilAsleep(1);
    clock.advance({ hours: 17 });
    await expect.poll(() => readdir(folder)).toEqual([expect.stringMatching(/\.part$/)]);
    await backups.stop();
    await fixture.owner.query('rollback');
    expect(await readdir(folder)).toEqual([]);
    expect((await backups.list()).failure).toBeNull();
  });
});

describe('the list of backups', () => {
  let cuebird: TestCuebird;
  let ann: TestPerson;
  beforeEach(async () => {
    cuebird = await startTestCuebird();
    ann = await cuebird.signUp('Ann');
    await cuebird.owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
  });
  afterEach(() => cuebird.stop());

  it('offers whole files only, to administrators who have proved who they are', async () => {
    await insertBackup(cuebird.dataDir);
    await insertBackup(cuebird.dataDir, { name: `${sampleBackup}.part` });
    await insertBackup(cuebird.dataDir, { name: 'encryption.key' });
    const { json } = await ann.call('GET', '/api/admin/backups');
    expect(json.data.map(({ name }: { name: string }) => name)).toEqual([sampleBackup]);
    for (const name of [`${sampleBackup}.part`, 'encryption.key', '..%2fencryption.key', '%2e%2e'])
      expect((await ann.call('GET', `/api/admin/backups/${name}`)).status, name).toBe(404);
    const file = await ann.call('GET', `/api/admin/backups/${sampleBackup}`);
    expect([file.status, file.json]).toEqual([
      200,
      await readFile(join(cuebird.dataDir, 'backups', sampleBackup), 'utf8'),
    ]);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${sampleBackup}"`);
    await cuebird.owner.query("update auth_sessions set created_at = now() - interval '1 hour'");
    const refused = await ann.call('GET', `/api/admin/backups/${sampleBackup}`);
    expect(refused.json.error.code).toBe('reauthentication_required');
    expect((await ann.call('GET', '/api/admin/backups')).status).toBe(200);
  });
});
