import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { insertBackup, sampleBackup } from '#testing/sample-backup.ts';
import { expectGood } from './looks.ts';
import { type Lease, openOwnPage } from './pages.ts';
import { password } from './person.ts';
import { breakDown, cookiesOf, delayRequests, outage, reads, restore, toast } from './screens.fixture.ts';

/** What an administrator turns here concerns everybody: the product is this file's own. */
describe('the settings of the installation', () => {
  let cuebird: TestCuebird;
  let ann: TestPerson;
  let dana: TestPerson;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    ann = await cuebird.signUp('Ann');
    await cuebird.owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
    await ann.createWorkspace('Head Office');
    dana = await cuebird.signUp('Dana');
    await dana.createWorkspace('Elm Street');
  });
  afterAll(async () => {
    await Promise.all([...leases].map((lease) => lease.giveBack()));
    await cuebird.stop();
  });
  const leases = new Set<Lease>();

  async function open(
    path: string,
    { as = ann, before }: { as?: TestPerson; before?: (page: Page) => Promise<unknown> } = {},
  ): Promise<Lease> {
    const lease = await openOwnPage({ baseURL: cuebird.url });
    await lease.page.context().addCookies(cookiesOf(as, cuebird.url));
    await before?.(lease.page);
    leases.add(lease);
    await lease.page.goto(path);
    const giveBack = () => {
      leases.delete(lease);
      return lease.giveBack();
    };
    return { ...lease, giveBack };
  }
  const settings = async () => (await ann.call('GET', '/api/admin/settings')).json;
  const switchOf = (page: Page, name: string) => page.getByRole('switch', { name, exact: true });

  it('load, fail and come back, and begin without a backup', async () => {
    const backups = Promise.withResolvers<() => void>();
    const { page, giveBack } = await open('/admin?tab=settings', {
      before: async (one) => {
        await breakDown(one, '/api/admin/settings');
        backups.resolve(await delayRequests(one, '/api/admin/backups'));
      },
    });
    await page.getByRole('status', { name: 'Loading' }).first().waitFor();
    await reads(page, ['Error loading settings', outage]);
    await expectGood(page, [390, 1440]);
    (await backups.promise)();
    await reads(page, ['There is no backup yet.']);
    await restore(page);
    await page.getByRole('button', { name: 'Retry' }).first().click();
    for (const name of [
      'Maintenance Mode',
      'Debug Logging',
      'Auto Backups',
      'Two-Factor Auth',
      'API Rate Limit',
      'Session Timeout',
    ])
      await switchOf(page, name).waitFor();
    await expectGood(page);
    await giveBack();
  });

  it('are saved as they are turned, by the keyboard too, and stay after a reload', async () => {
    const { page, giveBack } = await open('/admin?tab=settings');
    await switchOf(page, 'Auto Backups').focus();
    await page.keyboard.press('Space');
    await toast(page, { title: 'Settings updated', text: 'Auto Backups is off.' });
    await expect
      .poll(() => switchOf(page, 'Auto Backups').evaluate((input) => input === document.activeElement))
      .toBe(true);
    await reads(page, [/^Auto Backups is off: no further backup is made\./]);
    expect(await settings()).toMatchObject({ autoBackups: false });
    await page.reload();
    await expect.poll(() => switchOf(page, 'Auto Backups').isChecked()).toBe(false);
    await switchOf(page, 'Auto Backups').click();
    await toast(page, { title: 'Settings updated', text: 'Auto Backups is on.' });
    await page.getByLabel('Requests per hour').fill('5000');
    await page.getByRole('button', { name: 'Save limit' }).click();
    await toast(page, { title: 'Settings updated', text: 'The limit is 5,000 an hour.' });
    expect(await settings()).toMatchObject({ autoBackups: true, apiRequestsPerHour: 5_000 });
    await page.getByLabel('Requests per hour').clear();
    await page.getByLabel('Requests per hour').pressSequentially('1.5');
    await reads(page, ['must be a whole number']);
    await expect.poll(() => page.getByLabel('Requests per hour').inputValue()).toBe('1.5');
    await page.getByLabel('Requests per hour').fill('0');
    await reads(page, ['must be from 1 to 1,000,000']);
    await page.getByLabel('Requests per hour').fill('');
    await page.getByRole('button', { name: 'Save limit' }).click();
    await toast(page, { title: 'Settings updated', text: 'The limit is that of each plan.' });
    await breakDown(page, '/api/admin/settings');
    await switchOf(page, 'Session Timeout').click();
    await toast(page, { title: 'Error updating settings', text: outage });
    await expect.poll(() => switchOf(page, 'Session Timeout').isChecked()).toBe(true);
    await giveBack();
  });

  it('list the backups, each with its size', async () => {
    await insertBackup(cuebird.dataDir);
    const { page, giveBack } = await open('/admin?tab=settings');
    await page.getByRole('button', { name: `Download the backup ${sampleBackup}` }).waitFor();
    await reads(page, [/^1 kB/]);
    await expectGood(page);
    await giveBack();
  });

  it('hand a backup out once the administrator has told who they are', async () => {
    await insertBackup(cuebird.dataDir);
    await cuebird.owner.query(
      "update auth_sessions set created_at = now() - interval '1 hour', reauthenticated_at = null where user_id = $1",
      [ann.userId],
    );
    const { page, giveBack } = await open('/admin?tab=settings');
    await page.getByRole('button', { name: `Download the backup ${sampleBackup}` }).click();
    const question = page.getByRole('dialog');
    await question.getByLabel('Your password').fill('wrong horse');
    await question.getByRole('button', { name: 'Confirm' }).click();
    await question.getByText('This is not your password').waitFor();
    await expectGood(page, [390, 1440]);
    const saved = page.waitForEvent('download');
    await question.getByLabel('Your password').fill(password);
    await question.getByRole('button', { name: 'Confirm' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe(sampleBackup);
    expect(await readFile(await file.path(), 'utf8')).toBe('rows of every table');
    await giveBack();
  });

  it('close the installation to others, who see a page, and open it again', async () => {
    const { page, giveBack } = await open('/admin?tab=settings');
    await switchOf(page, 'Maintenance Mode').click();
    const question = page.getByRole('dialog', { name: 'Turn on maintenance mode?' });
    await question.waitFor();
    await expectGood(page, [390, 1440]);
    await question.getByRole('button', { name: 'Turn on' }).click();
    await toast(page, { title: 'Settings updated', text: 'Maintenance Mode is on.' });
    const closed = await open('/dashboard', { as: dana });
    await closed.page.getByRole('heading', { level: 1, name: 'Cuebird is under maintenance' }).waitFor();
    await switchOf(page, 'Maintenance Mode').click();
    await toast(page, { title: 'Settings updated', text: 'Maintenance Mode is off.' });
    await closed.page.getByRole('link', { name: 'Try again' }).click();
    await closed.page.getByRole('navigation', { name: 'Main' }).waitFor();
    await closed.giveBack();
    await giveBack();
  });

  it('cover open screens while the installation is closed, and give them back with what was written', async () => {
    const setMaintenance = async (maintenanceMode: boolean) =>
      expect((await ann.call('PATCH', '/api/admin/settings', { body: { maintenanceMode } })).status).toBe(200);
    const covered = ({ page }: Lease) => page.getByRole('dialog', { name: 'Cuebird is under maintenance' });
    const form = await open('/reminders/new', { as: dana });
    const list = await open('/contacts', { as: dana });
    const administrator = await open('/reminders', { as: ann });
    await form.page.getByLabel('Title').fill('Rent of May');
    await list.page.getByRole('button', { name: 'Add Contact' }).first().click();
    await list.page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Erin');
    await setMaintenance(true);
    // Nobody has clicked.
    for (const lease of [form, list]) await covered(lease).waitFor();
    await expectGood(form.page, [390, 1440]);
    await form.page.keyboard.press('Escape');
    await form.page.keyboard.press('Escape');
    await expect.poll(() => covered(form).isVisible()).toBe(true);
    await covered(list).getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => covered(list).isVisible()).toBe(true);
    await administrator.page.reload();
    await administrator.page.getByRole('heading', { level: 1, name: 'Reminders' }).waitFor();
    await expect.poll(() => covered(administrator).isVisible()).toBe(false);
    await setMaintenance(false);
    for (const lease of [form, list]) await covered(lease).waitFor({ state: 'detached' });
    await expect.poll(() => form.page.getByLabel('Title').inputValue()).toBe('Rent of May');
    await expect
      .poll(() => list.page.getByRole('dialog').getByLabel('Name', { exact: true }).inputValue())
      .toBe('Erin');
    await Promise.all([form, list, administrator].map((lease) => lease.giveBack()));
  });
});
