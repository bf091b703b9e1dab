import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { pngOf } from '#testing/sample-picture.ts';
import { expectGood } from './looks.ts';
import { breakDown, delayRequests, describeScreens, outage, reads, restore, toast } from './screens.fixture.ts';

const fixture = describeScreens();

/** Somebody in the workspace of somebody else. */
async function newMember(name: string): Promise<{ person: TestPerson; workspace: string }> {
  const [olga, person] = await Promise.all([fixture.signUp('Olga Owner'), fixture.signUp(name)]);
  const workspace = await olga.createWorkspace(`Oak Lane ${crypto.randomUUID().slice(0, 8)}`);
  await addMember(fixture.owner, { workspace, userId: person.userId, role: 'admin' });
  return { person, workspace };
}

const picture = { name: 'me.png', mimeType: 'image/png', buffer: pngOf(600, 400) };

/** The side of a picture that the browser has drawn; 0 until it has. */
const drawn = (page: Page, selector: string) =>
  page.locator(selector).evaluate((image: HTMLImageElement) => (image.complete ? image.naturalWidth : 0));

describe.concurrent('the profile and the settings of an account', () => {
  it('change the name, the picture and the zone, which the bar, the members and a new reminder show', async ({
    expect,
  }) => {
    const { person, workspace } = await newMember('Dana Owens');
    const page = await fixture.open('/profile', { as: person, workspace });
    await page.getByLabel('Name').fill('');
    await page.getByRole('combobox', { name: 'Timezone of new reminders' }).fill('Tokyo');
    await page.getByRole('option', { name: /Tokyo/ }).first().click();
    await page.getByRole('button', { name: 'Save profile' }).click();
    await reads(page, ['Enter your name']);
    await page.getByLabel('Name').fill('Dana Moss');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await toast(page, { title: 'Profile saved', text: '' });
    await page.locator('input[type=file]').setInputFiles({ ...picture, buffer: Buffer.from('no picture') });
    await reads(page, ['This file is not a picture. Choose a PNG, JPEG or WebP.']);
    await page.locator('input[type=file]').setInputFiles(picture);
    await page.getByRole('img', { name: 'Picture of Dana Moss' }).waitFor();
    await expect.poll(() => drawn(page, 'header img[src*="/api/people/"]')).toBe(256);
    await expectGood(page, [390, 1440]);
    const { json } = await person.call('GET', '/api/profile');
    expect(json).toMatchObject({ full_name: 'Dana Moss', time_zone: 'Asia/Tokyo' });
    await page.getByLabel('Name').fill('Dana Field');
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await page.getByRole('dialog').getByText('Your changes to your profile are not saved.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    await page.goto('/reminders/new');
    await page.getByRole('tab', { name: 'Schedule' }).click();
    await expect.poll(() => page.getByRole('combobox', { name: 'Timezone' }).inputValue()).toContain('Tokyo');
    await page.goto(`/admin/workspace/${workspace}/manage?tab=members`);
    await expect.poll(() => drawn(page, 'main td img[src*="/api/people/"]')).toBe(256);
    await page.goto('/profile');
    await page.getByRole('button', { name: 'Remove picture' }).click();
    await toast(page, { title: 'Picture removed', text: '' });
    await expect.poll(() => page.locator('header img[src*="/api/people/"]').count()).toBe(0);
  });

  it('say while they load that they do, and what could not be loaded', async ({ expect }) => {
    const { person, workspace } = await newMember('Erin Adams');
    const own = ['/api/account', '/api/two-factor', '/api/profile', '/api/profile/deletion'];
    for (const [path, failures] of [
      ['/profile', ['Error loading your profile']],
      [
        '/settings',
        [
          'Error loading your account',
          'Error loading two-factor authentication',
          'Error loading your notifications',
          'Error loading what keeps your account',
        ],
      ],
    ] as const) {
      const page = await fixture.open(path, {
        as: person,
        workspace,
        before: async (opened) => {
          for (const each of own) await breakDown(opened, each);
        },
      });
      await reads(page, [...failures, outage]);
      await expectGood(page, [390, 1440]);
      await restore(page);
      const release = await delayRequests(page, '/api/profile');
      await page.reload();
      await page.getByRole('main').getByRole('status', { name: 'Loading' }).first().waitFor();
      await expectGood(page, [390, 1440]);
      release();
      await expect.poll(() => page.getByRole('main').getByRole('status', { name: 'Loading' }).count()).toBe(0);
      await fixture.leave(page);
    }
  });

  it('turn mails off, download what is stored, and delete the account', async ({ expect }) => {
    const { person, workspace } = await newMember('Erin Adams');
    const page = await fixture.open('/settings', { as: person, workspace });
    await page.getByRole('switch', { name: 'Missed reminders' }).click();
    await expect
      .poll(async () => (await person.call('GET', '/api/profile')).json.notifications)
      .toEqual({ missed: false, over_plan: true });
    await page.getByRole('button', { name: 'Delete account' }).waitFor();
    await expectGood(page, [390, 1440]);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download my data' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('cuebird-my-data.json');
    expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({ profile: { email: person.email } });
    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByRole('textbox').fill('somebody@example.com');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await reads(page, [`Type ${person.email}`]);
    await expectGood(page, [390, 1440]);
    await dialog.getByRole('textbox').fill(person.email);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('tab', { name: 'Sign In' }).waitFor();
    expect((await person.call('GET', '/api/profile')).status).toBe(401);
  });

  it('say which workspaces keep the account, and give a workspace its picture', async ({ expect }) => {
    const person = await fixture.signUp('Finn Moss');
    const workspace = await person.createWorkspace('Elm Street');
    const page = await fixture.open('/settings', { as: person, workspace });
    await reads(page, [/You are the only owner of these workspaces/]);
    await expect.poll(() => page.getByRole('button', { name: 'Delete account' }).count()).toBe(0);
    const blocking = page.getByRole('region', { name: 'Delete account' }).getByRole('listitem');
    await expect.poll(() => blocking.allInnerTexts()).toEqual(['Delete Elm Street']);
    await fixture.owner.query('update workspaces set suspended_at = now() where id = $1', [workspace]);
    await page.reload();
    await expect
      .poll(() => blocking.allInnerTexts())
      .toEqual(['Delete Elm Street, once an administrator of this installation has lifted its suspension']);
    await fixture.owner.query('update workspaces set suspended_at = null where id = $1', [workspace]);
    const twin = await person.createWorkspace('Elm Street');
    await fixture.owner.query("update workspaces set created_at = '2026-02-03T10:11:12Z' where id = $1", [twin]);
    await page.reload();
    await expect
      .poll(() => blocking.allInnerTexts())
      .toContainEqual(expect.stringMatching(/^Delete Elm Street, created 3 Feb 2026, \d\d:11:12$/));
    await page.getByRole('main').getByRole('link', { name: 'Elm Street' }).first().click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.locator('input[type=file]').setInputFiles(picture);
    await page.getByRole('img', { name: 'Picture of Elm Street' }).waitFor();
    await expect.poll(() => drawn(page, 'header img[src*="/api/workspaces/"]')).toBe(256);
    await expectGood(page, [390, 1440]);
  });
});
