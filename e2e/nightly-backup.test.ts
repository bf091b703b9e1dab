import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp } from '#testing/cuebird.ts';
import { connectOwner } from '#testing/owner.ts';
import { createInstallation, type CuebirdProcess, type TestInstallation } from '#testing/process.ts';
import { expectGood } from './looks.ts';
import { type Lease, openOwnPage } from './pages.ts';
import { password } from './person.ts';
import { reads } from './screens.fixture.ts';

const passphrase = 'a passphrase of this test';

/** From one installation to another, as `docs/operations.md` tells it: processes, commands and a browser. */
describe('an encrypted nightly backup', { timeout: 240_000 }, () => {
  let here: TestInstallation;
  let there: TestInstallation;
  let file: string;
  let cuebird: CuebirdProcess;
  let lease: Lease;
  beforeAll(async () => {
    [here, there] = await Promise.all([createInstallation(), createInstallation()]);
  });
  afterAll(async () => {
    await lease?.giveBack();
    await Promise.all([here.remove(), there.remove()]);
  });

  async function stop(process: CuebirdProcess) {
    process.signal('SIGTERM');
    expect((await process.ended).code).toBe(0);
  }
  /** As \`npm run restore -- FILE\`. */
  async function restore(env: Record<string, string>) {
    const { code, stdout, stderr } = await there.start({ args: ['restore', file], env }).ended;
    return { code, said: stdout.trim(), complained: stderr.trim() };
  }

  it('is made by itself, once a night is due', async () => {
    // No worker runs here: the reminder stays due.
    const web = here.start({ args: ['--role', 'web'], env: { BACKUP_PASSPHRASE: passphrase } });
    const { url } = await web.ready;
    const dana = await signUp(url, { name: 'Dana', email: 'dana@example.com' });
    const workspace = await dana.createWorkspace('Elm Street');
    const reminder = await dana.call('POST', '/api/reminders', {
      workspace,
      body: {
        name: 'Rent',
        status: 'active',
        schedule_config: {
          type: 'scheduled',
          scheduleType: 'once',
          startDate: new Date().toISOString().slice(0, 19),
          timezone: 'UTC',
        },
        content: { subject: 'Rent is due', message: 'Today', recipients: ['erin@example.com'] },
        metadata: { channels: ['email'] },
      },
    });
    expect(reminder.status, JSON.stringify(reminder.json)).toBe(201);
    const owner = await connectOwner(await here.databaseUrl());
    await owner.query("update profiles set is_system_admin = true where email = 'dana@example.com'");
    await owner.query(
      `update app_settings set value = value || '{"since": "2026-01-01T00:00:00Z"}' where key = 'engine.backups'`,
    );
    await owner.end();
    await stop(web);
    const again = here.start({ args: ['--role', 'web'], env: { BACKUP_PASSPHRASE: passphrase } });
    const folder = join(here.dataDir, 'backups');
    const made = async () =>
      (await readdir(folder).catch(() => [])).filter((name) => /^cuebird-.*Z\.backup\.age$/.test(name));
    await expect.poll(async () => (await made()).length).toBe(1);
    file = join(folder, (await made())[0] ?? '');
    await stop(again);
  });

  it('is restored with it, and nothing goes out', async () => {
    const restored = await restore({ BACKUP_PASSPHRASE: passphrase });
    expect(restored).toMatchObject({ code: 0, complained: '' });
    expect(restored.said).toMatch(/^Restored \d+ rows of \d+ tables from .*\.backup\.age, as of .* UTC\./);
    cuebird = there.start();
    const { url } = await cuebird.ready;
    await cuebird.line(/^Deliveries are paused: this database was restored from a backup/);
    expect(await (await fetch(`${url}/api/ready`)).json()).toMatchObject({ status: 'paused', reason: 'restored' });
  });

  it('is released by its administrator on the screen, who sees what would go out', async () => {
    const { url } = await cuebird.ready;
    const owner = await connectOwner(await there.databaseUrl());
    const mails = async () =>
      (await owner.query("select recipient from sandbox_messages where subject = 'Rent is due'")).rows;
    lease = await openOwnPage({ baseURL: url });
    const { page } = lease;
    await page.goto('/auth');
    await page.getByLabel('Email').fill('dana@example.com');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    await page.goto('/admin');
    await reads(page, [
      /this database was restored from a backup of .* Nothing is sent until you resume deliveries: 1 occurrence due by now/,
    ]);
    await expectGood(page, [390, 1440]);
    await page.getByRole('button', { name: 'See what would go out' }).click();
    const dialog = page.getByRole('dialog', { name: 'Resume deliveries' });
    await dialog
      .getByRole('listitem')
      .filter({ hasText: /^Rent.*Elm Street, due .*, 1 recipient$/ })
      .waitFor();
    await expectGood(page, [390, 1440]);
    expect(await mails(), 'before').toEqual([]);
    await dialog.getByRole('button', { name: 'Resume deliveries' }).click();
    await reads(page, ['Deliveries resumed']);
    await expect.poll(mails).toEqual([{ recipient: 'erin@example.com' }]);
    await page.getByRole('region', { name: 'Paused deliveries' }).waitFor({ state: 'detached' });
    expect(await (await fetch(`${url}/api/ready`)).json()).toEqual({ status: 'ready' });
    await owner.end();
  });
});
