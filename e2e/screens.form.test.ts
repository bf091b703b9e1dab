import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sampleReminder } from '#testing/samples.ts';
import { breakDown, describeScreens, outage, reads, restore, toast } from './screens.fixture.ts';

const fixture = describeScreens();

const openForm = (path = '/reminders/new', own?: BrowserContextOptions) =>
  fixture.open(path, { as: fixture.ann, workspace: fixture.empty, ...(own && { own }) });
const tab = (page: Page, name: string) => page.getByRole('tab', { name });
const recipient = (page: Page) => page.getByRole('combobox', { name: 'Recipients', exact: true });
const create = (page: Page) => page.getByRole('button', { name: 'Create Reminder' }).click();
/** Waits for the first: a tab of the form is fetched when it is opened. */
const chips = async (page: Page): Promise<string[]> => {
  const written = page.getByRole('list', { name: 'Recipients' }).locator('li > span');
  await written.first().waitFor();
  return written.allInnerTexts();
};

describe.concurrent('the reminder form', () => {
  it('shows what is missing under its field, marks the tabs, and leads to the first', async ({ expect }) => {
    const page = await openForm();
    await tab(page, 'Channels').click();
    await page.getByRole('button', { name: /^Email/ }).click();
    await create(page);
    await describes(page, { field: page.getByLabel('Title'), error: 'Title is required' });
    await expectRedBelow(page.getByText('Title is required'), page.getByLabel('Title'));
    await page.waitForFunction(() => document.activeElement?.getAttribute('placeholder') === 'Rent is due');

    await expect.poll(() => marked(page)).toEqual(['Basic Info', 'Channels', 'Content']);
    await tab(page, 'Channels').click();
    await reads(page, ['At least one channel is required', 'At least one recipient is required']);
    await tab(page, 'Content').click();
    await describes(page, { field: page.getByLabel('Subject'), error: 'Subject is required' });
    await describes(page, { field: page.getByLabel('Message'), error: 'Message is required' });
  });

  it('refuses what is too long, and a delay below zero', async ({ expect }) => {
    const page = await openForm();
    await page.getByLabel('Title').fill('x'.repeat(101));
    await page.getByLabel('Description').fill('x'.repeat(501));
    await page.getByRole('button', { name: /^Event-based/ }).click();
    await tab(page, 'Schedule').click();
    await page.getByLabel('Delay amount').fill('-1');
    await create(page);
    await reads(page, ['Title must be less than 100 characters', 'Description must be less than 500 characters']);
    // An event names recipients of its own.
    await expect.poll(() => marked(page)).toEqual(['Basic Info', 'Schedule', 'Content']);
    await tab(page, 'Schedule').click();
    await reads(page, ['Delay must be at least 0']);
  });

  it('says below the field what is wrong with a cron expression', async ({ expect }) => {
    const page = await openForm();
    await tab(page, 'Schedule').click();
    await page.getByRole('combobox', { name: 'Schedule type' }).click();
    await page.getByRole('option', { name: 'Custom (cron)' }).click();
    await reads(page, ['Use standard cron syntax. Example: "0 9 * * MON" for every Monday at 9 AM']);
    await page.getByLabel('Cron expression').fill('0 99 * * *');
    await page.locator('input[aria-invalid="true"]').waitFor();
    await page.getByLabel('Cron expression').fill('0 9 * * MON');
    await reads(page, ['Every Monday at 09:00']);
    await expect.poll(() => page.locator('input[aria-invalid="true"]').count()).toBe(0);
  });

  it('says beneath an occurrence why it is not on the day of the start', async () => {
    const monthly = { type: 'scheduled', scheduleType: 'monthly', startDate: '2026-01-31T09:00:00', timezone: 'UTC' };
    const body = { ...sampleReminder, status: 'draft', schedule_config: monthly };
    const { json } = await fixture.ann.call('POST', '/api/reminders', { workspace: fixture.full, body });
    const page = await fixture.open(`/reminders/${json.id}/edit`, { as: fixture.ann, workspace: fixture.full });
    await tab(page, 'Schedule').click();
    await reads(page, ['moved from the 31st: the month has 30 days']);
  });

  it('adds a recipient with Enter, and pasted lines without blanks and those already added', async ({ expect }) => {
    const page = await openForm();
    await tab(page, 'Channels').click();
    await recipient(page).fill('  ann@example.com ');
    await recipient(page).press('Enter');
    await recipient(page).fill('   ');
    await recipient(page).press('Enter');
    await page
      .getByLabel('Add several recipients')
      .fill('ben@example.com\n\n  ann@example.com  \r\nben@example.com\n+49 30 1234567\n');
    await page.getByRole('button', { name: 'Add all' }).click();
    await reads(page, ['3 recipients']);
    await expect.poll(() => chips(page)).toEqual(['ann@example.com', 'ben@example.com', '+49 30 1234567']);
    await expect.poll(() => page.url()).toContain('/reminders/new');

    await page.getByRole('button', { name: 'Remove ben@example.com' }).click();
    await reads(page, ['2 recipients']);
    await page.getByRole('button', { name: 'Clear All' }).click();
    await reads(page, ['0 recipients']);
  });

  it('skips a quick variable that is there already, and puts it where the cursor is', async ({ expect }) => {
    const page = await openForm();
    await tab(page, 'Content').click();
    await page.getByLabel('Message').fill('Hello ');
    const quick = page.getByRole('group', { name: 'Quick variables' }).getByRole('button', { name: 'recipient_name' });
    await quick.click();
    await quick.click();
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Hello {{recipient_name}}{{recipient_name}}');
    await page.getByLabel('Custom variable').fill(' invoice ');
    await page.getByLabel('Custom variable').press('Enter');
    const active = page.getByRole('list', { name: 'Active variables' }).getByRole('listitem');
    await active.nth(1).waitFor();
    await expect.poll(() => active.allInnerTexts()).toEqual(['recipient_name', 'invoice']);
  });

  it('loses nothing that was typed when saving fails', async ({ expect }) => {
    const page = await openForm();
    await fill(page, { title: 'Boiler check' });
    await page.getByLabel('Description').fill('Before winter');
    await breakDown(page, '/api/reminders');
    await create(page);
    await toast(page, { title: 'Error', text: outage });
    await reads(page, ['Create Reminder']);
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Boiler check');
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('Before winter');
    await tab(page, 'Channels').click();
    await expect.poll(() => chips(page)).toEqual(['ann@example.com']);
    await tab(page, 'Content').click();
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Hello');

    await restore(page);
    await create(page);
    await toast(page, { title: 'Success!', text: 'Reminder has been created successfully.' });
    await page.getByRole('article', { name: 'Boiler check' }).waitFor();
  });

  it('asks before changes are left behind, and Esc stays', async ({ expect }) => {
    const page = await openForm();
    await page.getByLabel('Title').fill('Half written');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Half written');
    await page.getByRole('link', { name: 'Back to Reminders' }).click();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.waitForURL('**/reminders');
  });

  it('can be written and saved with the keyboard alone', async ({ expect }) => {
    const page = await openForm();
    await page.getByRole('heading', { name: 'Create New Reminder' }).waitFor();
    const { keyboard } = page;
    const next = () => keyboard.press('Tab');
    const go = async (name: string) => {
      for (let presses = 0; presses < 40 && (await focused(page)) !== name; presses += 1) await next();
      await expect.poll(() => focused(page)).toBe(name);
    };

    await go('Basic Info');
    await go('Title');
    await keyboard.type('By keyboard');
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => focused(page)).toBe('Basic Info');
    await keyboard.press('ArrowRight');
    // A tab is fetched when it is first opened.
    await page.getByLabel('Schedule type', { exact: true }).first().waitFor();
    await next();
    await expect.poll(() => focused(page)).toBe('Schedule type');
    await keyboard.press('Enter');
    await page.getByRole('option', { name: 'Daily', selected: true }).waitFor();
    const marked = page.locator('[role="option"][data-combobox-selected]');
    // A key that comes before the list listens is lost, and one that comes before the chosen option is marked begins at the top.
    for (let presses = 0; presses < 8 && (await marked.allInnerTexts())[0] !== 'Weekly'; presses += 1) {
      await keyboard.press('ArrowDown');
      await marked.waitFor({ timeout: 2_000 }).catch(() => {});
    }
    await marked.getByText('Weekly').waitFor();
    await keyboard.press('Enter');
    await reads(page, [/^Every \w+day at 09:00$/]);
    await keyboard.press('Shift+Tab');
    await keyboard.press('ArrowRight');
    await page.getByRole('button', { name: /^SMS/ }).waitFor();
    await go('SMS To phone numbers');
    await keyboard.press('Space');
    await go('Recipients');
    await keyboard.type('ann@example.com');
    await keyboard.press('Enter');
    await keyboard.type('+49 30 1234567');
    await keyboard.press('Enter');
    await reads(page, ['2 recipients']);
    for (let presses = 0; presses < 12 && (await focused(page)) !== 'Channels'; presses += 1) {
      await keyboard.press('Shift+Tab');
    }
    await keyboard.press('ArrowRight');
    await page.getByLabel('Subject').waitFor();
    await go('Subject');
    await keyboard.type('Rent');
    await go('Message');
    await keyboard.type('Your rent is due.');
    await go('Create Reminder');
    await keyboard.press('Enter');

    await toast(page, { title: 'Success!', text: 'Reminder has been created successfully.' });
    const card = page.getByRole('article', { name: 'By keyboard' });
    await card.getByText('Weekly', { exact: true }).waitFor();
    await card.getByText('SMS', { exact: true }).waitFor();
  });

  it('opens a stored reminder, and leaves for the list when it cannot be had', async ({ expect }) => {
    const path = `/reminders/${fixture.things.reminder}/edit`;
    const page = await fixture.open(path, { as: fixture.ann, workspace: fixture.full });
    await reads(page, ['Edit Reminder']);
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Rent');
    await expect.poll(() => page.getByRole('checkbox').isChecked()).toBe(false);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Update Reminder' }).click();
    await toast(page, { title: 'Success!', text: 'Reminder has been updated successfully.' });
    await page.waitForURL('**/reminders');

    await breakDown(page, `/api/reminders/${fixture.things.reminder}`);
    await page
      .getByRole('link', { name: 'Edit' })
      .and(page.locator(`a[href="${path}"]`))
      .click();
    await reads(page, ['Loading...', 'Back to Reminders']);
    await toast(page, { title: 'Error', text: 'Failed to load reminder data' });
    await page.waitForURL('**/reminders');
  });
});

async function fill(page: Page, { title }: { title: string }): Promise<void> {
  await page.getByLabel('Title').fill(title);
  await tab(page, 'Channels').click();
  await recipient(page).fill('ann@example.com');
  await recipient(page).press('Enter');
  await tab(page, 'Content').click();
  await page.getByLabel('Subject').fill('Rent');
  await page.getByLabel('Message').fill('Hello');
  await tab(page, 'Basic Info').click();
}

/** The field is marked as wrong and described by this sentence below it. */
async function describes(
  page: Page,
  { field, error }: { field: ReturnType<Page['getByLabel']>; error: string },
): Promise<void> {
  await reads(page, [error]);
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
  const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()));
  expect(texts).toContain(error);
}

async function expectRedBelow(error: Locator, field: Locator): Promise<void> {
  const [above, below] = [await field.boundingBox(), await error.boundingBox()];
  expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
  const color = await error.evaluate((element) => getComputedStyle(element).color);
  const [red = 0, green = 0, blue = 0] = color.match(/\d+/g)?.map(Number) ?? [];
  expect(red).toBeGreaterThan(2 * Math.max(green, blue));
}

/** The tabs that say they hold an error. */
async function marked(page: Page): Promise<string[]> {
  const tabs = await page.getByRole('tab', { name: /has errors/ }).allInnerTexts();
  return tabs.map((text) => text.trim());
}

/** What has the focus, as a screen reader would call it. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const active = document.activeElement;
    const label =
      active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement ? active.labels?.[0] : null;
    const words = active?.getAttribute('aria-label') ?? (label ?? active)?.textContent ?? '';
    const two = active?.querySelector('[class*="lines"]');
    const text = two ? [...two.children].map((part) => part.textContent).join(' ') : words;
    return text.replace(/\s*\*$/, '').trim();
  });

const labels = (page: Page) =>
  page
    .getByRole('tabpanel')
    .locator('label:visible, legend:visible')
    .evaluateAll((all) => all.map(({ textContent }) => textContent?.replace(/\s*\*$/, '') ?? ''));

async function optionsOf(page: Page, label: string): Promise<string[]> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  const options = page.getByRole('option');
  await options.first().waitFor();
  const offered = await options.allInnerTexts();
  await options.last().click();
  await options.first().waitFor({ state: 'detached' });
  return offered;
}

describe.concurrent('the tabs of the reminder form', () => {
  const openInTokyo = async () => {
    const page = await openForm('/reminders/new', { timezoneId: 'Asia/Tokyo' });
    await page.getByLabel('Title').waitFor();
    return page;
  };

  it('asks on its first two tabs what the trigger needs, in the zone of the browser', async ({ expect }) => {
    const page = await openInTokyo();
    await expect
      .poll(() => page.getByRole('tab').allInnerTexts())
      .toEqual(['Basic Info', 'Schedule', 'Channels', 'Content']);
    await expect.poll(() => labels(page)).toEqual(['Title', 'Description', 'Trigger type', 'Priority']);
    await tab(page, 'Schedule').click();
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Timezone' }).inputValue())
      .toBe('Asia/Tokyo (UTC+09:00)');
    await expect
      .poll(() => labels(page))
      .toEqual(['Schedule type', 'Start date', 'End date (optional)', 'Timezone', 'Missed occurrences']);
    await expect.poll(() => page.getByRole('combobox', { name: 'Schedule type' }).inputValue()).toBe('Daily');
    expect(await optionsOf(page, 'Schedule type')).toEqual(['Once', 'Daily', 'Weekly', 'Monthly', 'Custom (cron)']);
    await reads(page, ['Cron expression']);
    await tab(page, 'Basic Info').click();
    await page.getByRole('button', { name: /^Event-based/ }).click();
    await tab(page, 'Schedule').click();
    await expect.poll(() => labels(page)).toEqual(['Event trigger', 'Delay amount', 'Delay unit', 'Timezone']);
    expect(await optionsOf(page, 'Event trigger')).toEqual([
      'User signup',
      'Subscription due',
      'Payment failed',
      'Trial ending',
      'Custom webhook',
    ]);
    expect(await optionsOf(page, 'Delay unit')).toEqual(['Minutes', 'Hours', 'Days', 'Weeks']);
  });

  it('takes recipients into a list that scrolls, variables into one that can be cleared, and Cancel leads back', async ({
    expect,
  }) => {
    const page = await openInTokyo();
    await tab(page, 'Channels').click();
    const several = page.getByLabel('Add several recipients');
    await expect.poll(() => several.getAttribute('rows')).toBe('4');
    await several.fill(Array.from({ length: 60 }, (_, at) => `reader-${at}@example.com`).join('\n'));
    await page.getByRole('button', { name: 'Add all', exact: true }).click();
    await reads(page, ['60 recipients']);
    const list = page.getByRole('list', { name: 'Recipients' });
    const size = await list.evaluate(({ clientHeight, scrollHeight }) => ({ clientHeight, scrollHeight }));
    // 10rem.
    expect(size.clientHeight).toBe(160);
    expect(size.scrollHeight).toBeGreaterThan(160);
    await page.getByRole('button', { name: 'Clear All', exact: true }).click();
    await reads(page, ['0 recipients']);

    await tab(page, 'Content').click();
    await expect.poll(() => page.getByLabel('Message').getAttribute('rows')).toBe('6');
    const quick = page.getByRole('group', { name: 'Quick variables' }).getByRole('button');
    await expect
      .poll(async () => (await quick.allInnerTexts()).join(' '))
      .toBe(
        'recipient_name recipient_email current_date current_month current_year company_name due_date amount product_name',
      );
    await quick.first().click();
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('{{recipient_name}}');
    const active = page.getByRole('list', { name: 'Active variables' });
    await active.waitFor();
    await page.getByRole('button', { name: 'Clear All', exact: true }).click();
    await active.waitFor({ state: 'detached' });
    await page.getByLabel('Message').fill('');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.waitForURL((url) => url.pathname === '/reminders');
  });
});
