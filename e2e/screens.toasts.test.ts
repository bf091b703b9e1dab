import type { Locator, Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { sampleReminder, sampleTemplate } from '#testing/samples.ts';
import { expectGood } from './looks.ts';
import { breakDown, describeScreens, outage, reads, restore, toast } from './screens.fixture.ts';

const fixture = describeScreens();

const inside = (path: string) => fixture.open(path, { as: fixture.ann, workspace: fixture.full });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

const isFocused = (field: Locator) => field.and(field.page().locator(':focus')).waitFor();

describe.concurrent('signing in and up', () => {
  it('leads to the first field that is missing, by keyboard alone', async ({ expect }) => {
    const page = await fixture.open('/auth');
    const password = page.getByLabel('Password', { exact: true });
    await press(page, 'Sign In');
    await isFocused(page.getByLabel('Email'));
    await page.keyboard.type(fixture.ann.email);
    await page.keyboard.press('Enter');
    await isFocused(password);
    await expect.poll(() => page.getByLabel('Email').getAttribute('aria-invalid')).toBeNull();
    await page.keyboard.type('correct horse');
    await page.keyboard.press('Tab');
    await isFocused(page.getByRole('button', { name: 'Toggle password visibility', pressed: false }));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Toggle password visibility', pressed: true }).waitFor();
    expect([await password.getAttribute('type'), await password.inputValue()]).toEqual(['text', 'correct horse']);

    await page.getByRole('tab', { name: 'Sign Up' }).click();
    await page.getByLabel('Email').fill('nora@example.com');
    await press(page, 'Sign Up');
    await isFocused(page.getByLabel('Full name'));
    await page.keyboard.type('Nora Field');
    await page.keyboard.press('Enter');
    await isFocused(password);
    await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBe(1);
    // A field that cut it would create an account that this password does not open.
    const pasted = 'correct horse '.repeat(20);
    await password.fill(pasted);
    await page.keyboard.press('Enter');
    await toast(page, { title: 'Sign up failed', text: 'password must be at most 200 characters' });
    await expect.poll(() => password.inputValue()).toBe(pasted);
    await expect.poll(() => page.getByText('Please fill in all fields').count()).toBe(0);
  });
});

describe.concurrent('signing in and up says', () => {
  it('what is missing, what is wrong, and who is not known', async ({ expect }) => {
    const page = await fixture.open('/auth');
    await press(page, 'Sign In');
    await reads(page, ['Please fill in all fields']);
    await page.getByLabel('Email').fill(fixture.ann.email);
    await page.getByLabel('Password', { exact: true }).fill('wrong horse');
    await press(page, 'Sign In');
    await toast(page, {
      title: 'Sign in failed',
      text: 'Invalid email or password. Please check your credentials and try again.',
    });
    await expect.poll(() => page.getByText('Please fill in all fields').count()).toBe(0);
    await page.locator('input[type="password"][aria-invalid="true"]:focus').waitFor();
    await page.locator('input[type="email"][aria-invalid="true"]').waitFor();

    await page.getByRole('tab', { name: 'Sign Up' }).click();
    await press(page, 'Sign Up');
    await reads(page, ['Please fill in all fields']);
    await page.getByLabel('Full name').fill('Ann Lee');
    await page.getByLabel('Email').fill(fixture.ann.email);
    await page.getByLabel('Password', { exact: true }).fill('short');
    await press(page, 'Sign Up');
    await reads(page, ['Password must be at least 6 characters long']);
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await press(page, 'Sign Up');
    await reads(page, ['An account with this email already exists. Please try signing in instead.']);
    const email = page.getByLabel('Email');
    await isFocused(email);
    await expect
      .poll(async () => [
        await email.getAttribute('aria-invalid'),
        await page.getByLabel('Full name').getAttribute('aria-invalid'),
      ])
      .toEqual(['true', null]);
    await expectGood(page, [390, 1440]);
  });

  it('that the address has to be verified, for as long as the screen is open', async () => {
    const page = await fixture.open('/auth');
    // As of an installation that sends mail.
    await page.route('**/api/auth/sign-up/email', (route) => route.fulfill({ json: { token: null } }));
    await page.getByRole('tab', { name: 'Sign Up' }).click();
    await page.getByLabel('Full name').fill('Nora Field');
    await page.getByLabel('Email').fill('nora@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign Up', exact: true }).dblclick();
    await toast(page, { title: 'Check your email', text: 'We sent you a link. Follow it to verify your address.' });
    await page.getByRole('heading', { level: 2, name: 'Check your email' }).waitFor();
    await expectGood(page, [390, 1440]);
    await press(page, 'Use another address');
    await page.getByLabel('Full name').waitFor();
  });

  it('that Google is not set up, where it is not offered', async ({ expect }) => {
    const page = await fixture.open('/auth');
    await page.getByRole('button', { name: 'Sign In' }).waitFor();
    await expect.poll(() => page.getByText('Continue with Google').count()).toBe(0);
    // As of an installation whose keys were taken away while the screen was open.
    await page.route('**/api/config', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), google: true } });
    });
    await page.reload();
    await press(page, 'Continue with Google');
    const text = 'Google sign-in is not properly configured. Please try email/password sign-in instead.';
    await toast(page, { title: 'Google Sign-in Error', text });
    await page.goto('/auth?error=oauth_provider_not_found');
    await toast(page, { title: 'Google Sign-in Error', text });
    await page.waitForURL('**/auth');
  });

  it('leads to the dashboard, also at once where a session is there', async () => {
    const page = await fixture.open('/auth');
    await page.getByLabel('Email').fill(fixture.ann.email);
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await press(page, 'Sign In');
    await page.waitForURL('**/dashboard');
    await page.goto('/auth');
    await page.waitForURL('**/dashboard');
  });
});

describe.concurrent('workspaces', () => {
  it('are created and switched in so many words, and a failure says why', async ({ expect }) => {
    const page = await inside('/dashboard');
    await page.getByRole('button', { name: /^Workspace: / }).click();
    await page.getByPlaceholder('Search workspaces...').fill('mill');
    await page.getByRole('option', { name: /^M Mill Road|Mill Road/ }).click();
    await toast(page, { title: 'Workspace switched', text: 'Now working in Mill Road' });

    await page.getByRole('button', { name: /^Workspace: / }).click();
    await page.getByRole('option', { name: 'Create Workspace' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create Workspace' });
    const submit = dialog.getByRole('button', { name: 'Create Workspace' });
    await dialog.getByLabel('Workspace name').fill('   ');
    await expect.poll(() => submit.isDisabled()).toBe(true);
    await dialog.getByLabel('Workspace name').fill('Oak Lane');
    await breakDown(page, '/api/workspaces');
    await submit.click();
    await toast(page, { title: 'Error creating workspace', text: outage });
    await restore(page);
    await submit.click();
    await toast(page, { title: 'Workspace created', text: 'Oak Lane workspace has been created successfully' });
    await page.getByRole('button', { name: 'Workspace: Oak Lane' }).waitFor();
  });
});

describe.concurrent('toasts', () => {
  it('cover no button of the screen, at any width, also where there are two', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Toast Street');
    for (const name of ['Rent', 'Water'])
      await fixture.ann.call('POST', '/api/templates', { workspace, body: { ...sampleTemplate, name } });
    const page = await fixture.open('/templates', { as: fixture.ann, workspace });
    const card = (name: string) => page.getByRole('article', { name, exact: true });
    const toasts = page.locator('.mantine-Notification-root');
    await card('Water').waitFor();
    await page.evaluate(keepToasts);
    for (const width of [390, 600, 768, 895, 896, 991, 992, 1100, 1200, 1279, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const name of ['Rent', 'Water']) {
        await card(name)
          .getByRole('button', { name: /^Duplicate/ })
          .click();
        await toasts
          .filter({ hasText: `“${name}” has been copied` })
          .first()
          .waitFor();
      }
      await page.mouse.move(0, 0);
      await expect.poll(() => toasts.count()).toBe(width < 992 ? 1 : 2);
      await page.evaluate(() => window.scrollTo(0, 0));
      await expect.poll(() => page.evaluate(coveredButtons), { message: `${width} px` }).toEqual([]);
      for (const shown of (await toasts.all()).toReversed())
        await shown.getByRole('button', { name: 'Dismiss' }).press('Enter');
      await expect.poll(() => toasts.count()).toBe(0);
    }
  });

  it('end when a later act is about the same thing', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Pause Street');
    const body = { ...sampleReminder, name: 'Rent', status: 'active' };
    await fixture.ann.call('POST', '/api/reminders', { workspace, body });
    const page = await fixture.open('/reminders', { as: fixture.ann, workspace });
    const card = page.getByRole('article', { name: 'Rent' });
    await card.getByRole('button', { name: 'Pause' }).click();
    await toast(page, { title: 'Success', text: 'Reminder paused successfully' });
    await card.getByRole('button', { name: 'Resume' }).click();
    await toast(page, { title: 'Success', text: 'Reminder resumed successfully' });
    await page.getByText('Reminder paused successfully').waitFor({ state: 'detached', timeout: 4_000 });
    await expect.poll(() => page.locator('.mantine-Notification-root').count()).toBe(1);
  });
});

/** Runs in the page: toasts stay until they are dismissed. */
function keepToasts(): void {
  const wait = window.setTimeout.bind(window);
  window.setTimeout = ((work: () => void, ms?: number) => (ms === 5_000 ? 0 : wait(work, ms))) as typeof setTimeout;
}

/** Runs in the page: the buttons of the screen that a toast covers, even by a corner. */
function coveredButtons(): (string | null)[] {
  const isUnderToast = (x: number, y: number) =>
    document.elementFromPoint(x, y)?.closest('.mantine-Notification-root') != null;
  return [...document.querySelectorAll<HTMLElement>('header button, main button')]
    .filter((button) => {
      const { left, right, top, bottom } = button.getBoundingClientRect();
      return [left + 1, right - 1].some((x) => [top + 1, bottom - 1].some((y) => isUnderToast(x, y)));
    })
    .map(({ textContent, ariaLabel }) => ariaLabel ?? textContent);
}

describe.concurrent('the list of reminders', () => {
  it('says that a reminder was resumed, paused, or could not be', async () => {
    const page = await inside('/reminders');
    const card = page.getByRole('article', { name: /^W+$/ });
    await card.getByRole('button', { name: 'Resume' }).click();
    await toast(page, { title: 'Success', text: 'Reminder resumed successfully' });
    await card.getByRole('button', { name: 'Pause' }).click();
    await toast(page, { title: 'Success', text: 'Reminder paused successfully' });
    await page.route('**/api/reminders/*', (route) => route.abort());
    await card.getByRole('button', { name: 'Resume' }).click();
    await toast(page, { title: 'Error', text: 'Failed to update reminder status' });
  });

  it('sends a test to whom one names, after it has what it needs', async ({ expect }) => {
    const page = await inside('/reminders');
    const card = page.getByRole('article', { name: 'Rent' });
    const opener = card.getByRole('button', { name: 'Test' });
    await opener.click();
    const dialog = page.getByRole('dialog', { name: 'Test Reminder' });
    const recipients = dialog.getByRole('textbox', { name: 'Test recipients' });
    const send = dialog.getByRole('button', { name: 'Send Test' });
    await dialog.getByRole('button', { name: /^Remove ann.lee/ }).click();
    await expect.poll(() => dialog.locator('button[type="submit"]').isDisabled()).toBe(true);
    await expect.poll(() => dialog.getByLabel('Subject').inputValue()).toBe('Rent is due');
    await expect.poll(() => dialog.getByLabel('Message').inputValue()).toBe('Dear {{recipient_name}}');
    for (const entry of [' dana@example.com', 'dana@example.com', '  ', 'Ben <ben@example.com>']) {
      await recipients.fill(entry);
      await recipients.press('Enter');
    }
    const chips = dialog.getByRole('list', { name: 'Test recipients' }).getByRole('listitem');
    await chips.nth(1).waitFor();
    await expect.poll(() => chips.allInnerTexts()).toEqual(['dana@example.com', 'Ben <ben@example.com>']);
    await dialog.getByLabel('Subject').fill('  ');
    await send.click();
    await reads(page, ['Please provide both subject and message']);
    await dialog.getByLabel('Subject').fill('Rent');

    const path = `/api/reminders/${fixture.things.reminder}/test`;
    await breakDown(page, path);
    await send.click();
    await toast(page, { title: 'Error', text: 'Failed to start test. Please try again.' });
    await restore(page);
    await send.click();
    await toast(page, { title: 'Test Started', text: 'Test reminder will be sent to 2 recipient(s)' });
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('dialog', { name: 'Test outcome' }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.textContent === 'Test');
  });

  it('finds a card by name or description, without regard to case, and by status', async ({ expect }) => {
    const page = await inside('/reminders');
    const cards = page.getByRole('article');
    await cards.nth(1).waitFor();
    await page.getByPlaceholder('Search reminders...').fill('FIRST OF the');
    await page.getByRole('article', { name: 'Rent' }).waitFor({ state: 'detached' });
    await expect.poll(() => cards.count()).toBe(1);
    await page.getByPlaceholder('Search reminders...').fill('');
    await page.getByRole('article', { name: 'Rent' }).waitFor();
    await page.getByRole('combobox', { name: 'Filter by status' }).click();
    await page.getByRole('option').first().waitFor();
    await expect
      .poll(() => page.getByRole('option').allInnerTexts())
      .toEqual(['All Status', 'Active', 'Paused', 'Draft', 'Done']);
    await page.getByRole('option', { name: 'Draft' }).click();
    await reads(page, ['No reminders found', 'Try adjusting your search or filters']);
    await expect.poll(() => new URL(page.url()).search).toBe('?status=draft');
  });
});

describe.concurrent('the Job Scheduler', () => {
  it('says that a job was updated, or what the server said', async () => {
    const page = await inside('/jobs');
    const row = page.getByRole('row').filter({ hasText: 'Pending' });
    await breakDown(page, `/api/jobs/${fixture.things.pendingJob}/pause`);
    await row.getByRole('button', { name: 'Pause Rent' }).click();
    await toast(page, { title: 'Error updating job', text: outage });
    await restore(page);
    await row.getByRole('button', { name: 'Pause Rent' }).click();
    await toast(page, { title: 'Job updated', text: 'Rent is paused.' });
    // What had failed is done.
    await page.getByText('Error updating job').waitFor({ state: 'detached', timeout: 5_000 });
    await row.waitFor({ state: 'detached' });
  });

  it('offers five times before its own, and counters that filter', async ({ expect }) => {
    const page = await inside('/jobs');
    await page.getByRole('button', { name: 'Time: All Time' }).click();
    const times = page.getByRole('menuitemradio');
    await times.first().waitFor();
    await expect
      .poll(async () => (await times.allInnerTexts()).slice(0, 5))
      .toEqual(['All Time', 'Today', 'Tomorrow', 'Next 7 Days', 'Past Due']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Failed/ }).click();
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
    await page.getByRole('row').filter({ hasText: 'Failed' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Failed/ }).getAttribute('aria-pressed')).toBe('true');
  });
});

describe.concurrent('the claim', () => {
  it('is refused in a sentence where the link is not the one of the terminal, before anybody signs in', async ({
    expect,
  }) => {
    for (const page of [await inside('/setup?token=none'), await fixture.open('/setup?token=none')]) {
      await page.getByRole('alert').waitFor();
      await expect.poll(() => page.getByRole('alert').textContent()).toContain('This link was used already');
      await expect.poll(() => page.getByRole('button', { name: 'Become administrator' }).count()).toBe(0);
      await expect.poll(() => new URL(page.url()).pathname).toBe('/setup');
      await expectGood(page, [390, 1440]);
    }
  });
});
