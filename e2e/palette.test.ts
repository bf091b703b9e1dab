import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { sampleReminder } from '#testing/samples.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import { type Fixture, openFixture, reads } from './screens.fixture.ts';

describe.concurrent('the palette', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await openFixture();
  });
  afterAll(() => fixture.close());

  const open = async (path = '/dashboard') => {
    const page = await fixture.open(path, { as: fixture.ann, workspace: fixture.full });
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };
  const box = (page: Page) => page.getByRole('dialog').getByPlaceholder('Search, or jump to anything');

  it('finds a reminder by its name and opens it, by keyboard alone', async () => {
    const page = await open();
    await page.keyboard.press('Control+k');
    await box(page).fill(sampleReminder.name.toLowerCase());
    await page.getByRole('dialog').getByRole('button', { name: sampleReminder.name, exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/reminders\/[^/]+$/);
    await box(page).waitFor({ state: 'detached' });
    await fixture.leave(page);
  });

  it('goes to screens, says what it does not find, and gives the focus back', async ({ expect }) => {
    const page = await open();
    const button = page.getByRole('button', { name: 'Search, or jump to anything' });
    await button.click();
    await reads(page, ['New reminder', 'Mill Road', 'Switch to this workspace', 'Keyboard shortcuts']);
    await expectGood(page);
    await box(page).fill('nothing like it');
    await reads(page, ['No results for “nothing like it”']);
    await page.keyboard.press('Escape');
    await box(page).waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    await button.click();
    await box(page).fill('jobs');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/jobs');
    await fixture.leave(page);
  });

  it('has keys beside it that a sheet lists, and that never disturb who types', async ({ expect }) => {
    const page = await open('/reminders');
    await page.keyboard.press('/');
    const search = page.getByRole('searchbox');
    await search.pressSequentially('g?nj');
    await expect.poll(() => search.inputValue()).toBe('g?nj');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/reminders');
    await search.blur();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('New reminder').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('j');
    await page.waitForURL('**/jobs');
    await page.keyboard.press('n');
    await page.waitForURL('**/reminders/new');
    await fixture.leave(page);
  });
});
