import { describe, expect, it } from 'vitest';
import { expectGood } from './looks.ts';
import { describeScreens, toast } from './screens.fixture.ts';

const fixture = describeScreens();

describe('a person who asks for it', () => {
  it('gets what is kept as a file, and is erased from their page, which the settings show once it is done', async () => {
    const workspace = await fixture.ann.createWorkspace('Elm Street');
    const contact = await fixture.call(workspace, {
      path: '/api/contacts',
      body: { name: 'Tess Tenant', email: 'tess@example.com', phone: '+4915112345678' },
    });
    const page = await fixture.open(`/contacts/${contact.id}`, { as: fixture.ann, workspace });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    expect((await download).suggestedFilename()).toBe('personal-data.json');
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase a person' });
    await dialog.getByLabel('Addresses and numbers').waitFor();
    expect(await dialog.getByLabel('Addresses and numbers').inputValue()).toBe('tess@example.com\n+4915112345678');
    await dialog.getByRole('button', { name: 'Erase' }).click();
    await dialog.getByText('Say how the person asked for it').waitFor();
    await dialog.getByLabel('How they asked for it').fill('By letter of 1 March');
    await expectGood(page);
    await dialog.getByRole('button', { name: 'Erase' }).click();
    await toast(page, { title: 'Erasing begun', text: 'Manage workspace shows under Settings when it is done.' });
    await page.waitForURL(/\/contacts(\?|$)/);
    await page.goto(`/admin/workspace/${workspace}/manage?tab=settings`);
    const list = page.getByRole('list', { name: 'Erasures' });
    await list.getByText('By letter of 1 March').waitFor();
    await list.getByText('Erased').waitFor();
    await expectGood(page);
    await page.getByRole('button', { name: 'Erase a person' }).click();
    const typed = page.getByRole('dialog', { name: 'Erase a person' });
    await typed.getByLabel('Addresses and numbers').fill('tess@example.com\nTess');
    await typed.getByLabel('How they asked for it').fill('By phone');
    await typed.getByRole('button', { name: 'Erase' }).click();
    await typed.getByText('“Tess” is neither an email address nor a phone number').waitFor();
  });
});
