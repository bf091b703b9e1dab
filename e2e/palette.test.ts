import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { addMember } from '#testing/owner.ts';
import { sample } from '#testing/sample.ts';
import { sampleReminder, sampleTemplate } from '#testing/samples.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import { breakDown, describeScreens, outage, reads, restore } from './screens.fixture.ts';

/** Words that find what is behind another screen, its address and its label. */
const screens: readonly [string, RegExp, string][] = [
  ['members', /manage\?tab=members$/, 'Members'],
  ['unsubscribe consent', /manage\?tab=topics$/, 'Topics'],
  ['api keys', /manage\?tab=keys$/, 'API keys'],
  ['token', /manage\?tab=keys$/, 'API keys'],
  ['audit log', /manage\?tab=audit$/, 'Audit log'],
  ['calendars', /manage#reminders-from-calendars$/, 'Reminders from calendars'],
  ['webhooks', /manage\?tab=webhooks$/, 'Webhooks'],
  ['monthly reports', /manage\?tab=reports$/, 'Monthly reports'],
  ['analytics', /\/analytics$/, 'Analytics'],
  ['plan price', /\/billing$/, 'Billing'],
  ['team', /manage\?tab=members$/, 'Members'],
  ['quiet', /manage\?tab=settings#sending-hours$/, 'Sending hours'],
  ['2fa', /settings#two-factor-authentication$/, 'Two-factor authentication'],
  ['gdpr download', /settings#your-data$/, 'Your data'],
  ['erase', /manage\?tab=settings#personal-data$/, 'Erase a person'],
  ['delete workspace', /manage\?tab=settings#delete-workspace$/, 'Delete workspace'],
  ['suppressed', /contacts\?tab=suppressed$/, 'Suppression list'],
];

const isInSight = (element: Element) => {
  const { top } = element.getBoundingClientRect();
  return top >= 0 && top < window.innerHeight - 100;
};

/** Words that find a command, and the dialog that it opens. */
const dialogs = [
  ['undo import', 'Recent imports'],
  ['new contact', 'Add Contact'],
  ['new group', 'Add Group'],
  ['suppress an address', 'Add to the suppression list'],
  ['new template', 'Create Template'],
  ['manage categories', 'Manage Categories'],
  ['new channel', 'Add Channel'],
  ['pause all', 'Pause all reminders'],
] as const;

describe.concurrent('the palette', () => {
  const fixture = describeScreens();

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
  });

  it('says what it could not search, beside the screens that it finds, and searches again', async ({ expect }) => {
    const page = await open();
    await breakDown(page, '/api/templates');
    await page.keyboard.press('Control+k');
    await box(page).fill(sampleReminder.name);
    await reads(page, [`Reminders, contacts, templates and jobs could not be searched: ${outage}`]);
    await expect.poll(() => page.getByText('No results for').count()).toBe(0);
    await expectGood(page);
    await restore(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Search again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: sampleReminder.name, exact: true }).waitFor();
    await expect.poll(() => page.getByText('Search again').count()).toBe(0);
  });

  it('loses nothing that is typed before it has come, in its order, and lets no key reach the screen', async ({
    expect,
  }) => {
    let release = () => {};
    const delayed = new Promise<void>((resolve) => {
      release = resolve;
    });
    const page = await fixture.open('/reminders', {
      as: fixture.ann,
      workspace: fixture.full,
      // A browser that has not loaded the palette before.
      own: {},
      before: (fresh) =>
        fresh.route(/\/Palette-[^/]*\.js$/, async (route) => {
          await delayed;
          await route.continue();
        }),
    });
    const search = page.getByRole('searchbox');
    await search.click();
    await page.keyboard.press('Control+k');
    // Among them are shortcuts of the screens, and a correction.
    await page.keyboard.type('gjn?/ billx');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    await expect.poll(() => search.inputValue()).toBe('');
    release();
    await expect.poll(() => box(page).inputValue()).toBe('gjn?/ bill');
    await expect.poll(() => box(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type('ing');
    await expect.poll(() => box(page).inputValue()).toBe('gjn?/ billing');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/reminders');
    // It gives the focus back to where it was, a moment after it is gone.
    const close = async () => {
      await page.keyboard.press('Escape');
      await box(page).waitFor({ state: 'detached' });
      await expect.poll(() => search.evaluate((element) => element === document.activeElement)).toBe(true);
    };
    await close();
    // The next time it begins blank, and keys are the screen's again once it is closed.
    await page.keyboard.press('Control+k');
    await expect.poll(() => box(page).inputValue()).toBe('');
    await close();
    await search.blur();
    await page.keyboard.press('n');
    await page.waitForURL('**/reminders/new');
  });

  it('opens the very dialog of each command, from another screen and from its own', async ({ expect }) => {
    const page = await open();
    const command = async (words: string) => {
      await page.keyboard.press('Control+k');
      await box(page).fill(words);
      await page.keyboard.press('Enter');
    };
    const dialog = async (name: string) => {
      await page.getByRole('dialog', { name, exact: true }).waitFor();
      await expect.poll(() => page.url()).not.toContain('open=');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    // The second time from its own screen.
    await command('import contacts');
    await dialog('Import Contacts');
    await command('import contacts');
    await dialog('Import Contacts');
    for (const [words, name] of sample.draw(dialogs, { name: 'dialogs of commands', count: 3 })) {
      await command(words);
      await dialog(name);
    }
    const [file] = await Promise.all([page.waitForEvent('download'), command('export contacts')]);
    expect(file.suggestedFilename()).toMatch(/^contacts-.*\.csv$/);
  });

  it('finds a contact by its address in two steps, what went to an address of nobody, and templates', async ({
    expect,
  }) => {
    const workspace = await fixture.ann.createWorkspace('Palette Street');
    const contact = { name: 'Paula Berg', email: 'paula@example.com' };
    await fixture.ann.call('POST', '/api/contacts', { workspace, body: contact });
    const { json: template } = await fixture.ann.call('POST', '/api/templates', { workspace, body: sampleTemplate });
    const page = await fixture.open('/dashboard', { as: fixture.ann, workspace });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await box(page).fill('paula@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Paula Berg' }).waitFor();
    await expectGood(page);
    await box(page).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Paula Berg' }).waitFor();
    // It gives the focus back when it is gone, and not to what is opened meanwhile.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await box(page).fill('nobody@example.com');
    await reads(page, ['What went to nobody@example.com', 'Jobs for nobody@example.com']);
    await expectGood(page);
    await box(page).press('Enter');
    await page.getByRole('tab', { name: 'Execution History', selected: true }).waitFor();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('nobody@example.com');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await box(page).fill(sampleTemplate.name);
    await page.getByRole('dialog').getByRole('button', { name: sampleTemplate.name }).click();
    await page.waitForURL(`**/templates?template=${template.id}`);
  });

  it('finds tabs, sections and pages of the documentation, by other words, too', async ({ expect }) => {
    const page = await open();
    for (const [words, address, label] of sample.draw(screens, { name: 'screens behind others', count: 5 })) {
      await page.keyboard.press('Control+k');
      await box(page).fill(words);
      await page.getByRole('dialog').getByRole('button', { name: label }).first().click();
      await page.waitForURL(address);
      const { hash } = new URL(page.url());
      if (hash !== '') await expect.poll(() => page.locator(hash).evaluate(isInSight)).toBe(true);
      await box(page).waitFor({ state: 'detached' });
    }
    await page.keyboard.press('Control+k');
    await box(page).fill('invite');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Invite' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await box(page).fill('delivery guarantees');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/delivery-guarantees$/);
  });

  it('finds the pages that need no account', async () => {
    const page = await open();
    for (const [words, address] of [
      ['terms', '**/terms'],
      ['privacy policy', '**/privacy'],
      ['contact form', '**/support'],
    ] as const) {
      await page.keyboard.press('Control+k');
      await box(page).fill(words);
      await page.keyboard.press('Enter');
      await page.waitForURL(address);
      await page.goto('/dashboard');
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
  });

  it('offers members only what they may do, and says who may do the rest', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Member Street');
    const mia = await fixture.signUp('Mia Member');
    await addMember(fixture.owner, { workspace, userId: mia.userId, role: 'member' });
    const page = await fixture.open('/dashboard', { as: mia, workspace });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await reads(page, ['Import contacts', 'New group', 'New template']);
    await expect.poll(() => page.getByRole('dialog').getByText('Pause all reminders…').count()).toBe(0);
    await expect.poll(() => page.getByRole('dialog').getByText('New channel').count()).toBe(0);
    await box(page).fill('invite');
    await reads(page, ['No results for “invite”', 'Owners and admins invite people.']);
    await expectGood(page);
    await box(page).fill('api key');
    await reads(page, ['Owners and admins have “API keys”.']);
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
  });
});
