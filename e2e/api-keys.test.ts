import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import { breakDown, describeScreens, outage, reads, restore, toast } from './screens.fixture.ts';

const fixture = describeScreens();

async function newOwner(): Promise<{ workspace: string; dana: TestPerson; path: string }> {
  const dana = await fixture.signUp('Dana Owens');
  const workspace = await dana.createWorkspace(`Oak Lane ${crypto.randomUUID().slice(0, 8)}`);
  return { workspace, dana, path: `/admin/workspace/${workspace}/manage?tab=keys` };
}

const statusWith = async (key: string, path = '/api/templates') =>
  (await fetch(`${fixture.url}${path}`, { headers: { authorization: `Bearer ${key}` } })).status;

const shownKey = async (page: Page) => (await page.getByRole('dialog').locator('code').innerText()).trim();

const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

describe.concurrent('the API keys of a workspace', () => {
  it('are created with a name and what they may do, shown once, and counted', async ({ expect }) => {
    const { workspace, dana, path } = await newOwner();
    const page = await fixture.open(path, { as: dana, workspace });
    await reads(page, ['No API keys yet']);
    await expectGood(page, [390, 1440]);
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create an API key' });
    await dialog.getByRole('checkbox', { name: 'Send' }).uncheck();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await reads(page, ['Name required', 'Choose what the key may do']);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Booking system');
    await dialog.getByRole('checkbox', { name: 'Read' }).check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog', { name: 'Save the API key' }).waitFor();
    await expectAccessible(page);
    const key = await shownKey(page);
    expect(key).toMatch(/^cue_[\w-]{64}$/);
    expect([await statusWith(key), await statusWith(key, '/api/channels')]).toEqual([200, 200]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.reload();
    await reads(page, [
      'Booking system',
      `${key.slice(0, 12)}…`,
      /May read\. Last used/,
      /2 of 1,000 requests this hour/,
    ]);
    await expect.poll(() => page.getByText(key).count()).toBe(0);
    await expectGood(page, [390, 1440]);
  });

  it('are rotated, with the old one working until it ends, and revoked', async ({ expect }) => {
    const { workspace, dana, path } = await newOwner();
    const body = { name: 'Shop', scopes: ['read'], expires_at: null };
    const { json: first } = await dana.call('POST', '/api/api-keys', { workspace, body });
    const page = await fixture.open(path, { as: dana, workspace });
    await reads(page, [/Never used\./, /Never expires\./]);
    await page.getByRole('button', { name: 'Rotate Shop' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rotate Shop' });
    await expectAccessible(page);
    await dialog.getByRole('combobox', { name: 'The key in use ends' }).click();
    await page.getByRole('option', { name: 'After an hour' }).click();
    await dialog.getByRole('button', { name: 'Rotate key' }).click();
    await page.getByRole('dialog', { name: 'Save the new API key' }).waitFor();
    const next = await shownKey(page);
    expect([await statusWith(first.key), await statusWith(next)]).toEqual([200, 200]);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await rowOf(page, first.prefix).getByText('Ends soon').waitFor();
    await rowOf(page, first.prefix).getByRole('button', { name: 'Revoke Shop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await toast(page, { title: 'API key revoked', text: 'Requests with Shop are refused from now on.' });
    await rowOf(page, first.prefix).getByText('Revoked', { exact: true }).waitFor();
    await expect.poll(() => rowOf(page, first.prefix).getByRole('button').count()).toBe(0);
    expect([await statusWith(first.key), await statusWith(next)]).toEqual([401, 200]);
    await expectGood(page, [390, 1440]);
  });

  it('say why they could not be loaded or created, and keep what was typed', async ({ expect }) => {
    const { workspace, dana, path } = await newOwner();
    const page = await fixture.open(path, {
      as: dana,
      workspace,
      before: (opened) => breakDown(opened, '/api/api-keys'),
    });
    await reads(page, ['Error loading API keys', outage]);
    await expectAccessible(page);
    await restore(page);
    await page.getByRole('button', { name: 'Retry' }).click();
    await reads(page, ['No API keys yet']);
    await page.getByRole('button', { name: 'Create key' }).click();
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' });
    await name.fill('Shop');
    await breakDown(page, '/api/api-keys');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await toast(page, { title: 'Error creating API key', text: outage });
    await expect.poll(() => name.inputValue()).toBe('Shop');
    await restore(page);
  });
});
