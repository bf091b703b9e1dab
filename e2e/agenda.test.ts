import type { Page } from 'playwright-core';
import { beforeAll, describe, it } from 'vitest';
import { sampleReminder } from '#testing/samples.ts';
import { expectGood } from './looks.ts';
import { breakDown, delayRequests, describeScreens, outage, reads, restore } from './screens.fixture.ts';

const dayIn = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days });
const textOf = (day: Temporal.PlainDate, options: Intl.DateTimeFormatOptions) => day.toLocaleString('en-GB', options);
const long = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;

describe('the agenda', () => {
  const fixture = describeScreens();
  let workspace: string;
  beforeAll(async () => {
    workspace = await fixture.ann.createWorkspace('Oak Street');
    const daily = { scheduleType: 'daily', startDate: '2026-01-01T09:00:00', timezone: 'UTC' };
    await fixture.call(workspace, {
      path: '/api/reminders',
      body: { ...sampleReminder, name: 'Bins', status: 'active', schedule_config: { type: 'scheduled', ...daily } },
    });
    await fixture.call(workspace, {
      path: '/api/reminders',
      body: {
        ...sampleReminder,
        name: 'Door code',
        status: 'active',
        content: { ...sampleReminder.content, recipients: ['+12025550123', '+12025550124'] },
        metadata: { ...sampleReminder.metadata, channels: ['sms'] },
        schedule_config: {
          type: 'scheduled',
          scheduleType: 'once',
          startDate: `${dayIn(3).toString()}T10:00:00`,
          timezone: 'UTC',
        },
      },
    });
    const schedule_config = { type: 'event-based', eventTrigger: 'user_signup', timezone: 'UTC' };
    await fixture.call(workspace, {
      path: '/api/reminders',
      body: { ...sampleReminder, name: 'Welcome', status: 'active', schedule_config },
    });
    // More on one day than the agenda lists of it.
    await fixture.owner.query(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, payload)
       select $1, 'Message ' || n, 'api_notification', 'pending', $2::timestamptz + n * interval '1 minute', $2::timestamptz,
              '{"channels": ["email"], "recipients": ["a@example.com"]}'
         from generate_series(1, 12) n`,
      [workspace, `${dayIn(5).toString()}T12:00:00Z`],
    );
  });

  const open = (path: string, visit: object = {}) =>
    fixture.open(path, { as: fixture.ann, workspace, own: { timezoneId: 'UTC' }, ...visit });
  const dayOf = (page: Page, days: number) => page.getByRole('list', { name: textOf(dayIn(days), short) });
  const short = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;

  it('shows each day with what is sent, over which channels and to whom, and what it cannot know', async ({
    expect,
  }) => {
    const page = await open('/agenda');
    await page.getByText('Times and days are those of UTC.', { exact: false }).waitFor();
    await reads(page, [/^1 active reminder waits for an event/]);
    const rows = dayOf(page, 3).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(2);
    await expect.poll(() => rows.nth(0).innerText()).toMatch(/^09:00\s+Bins/);
    await expect.poll(() => rows.nth(1).innerText()).toMatch(/^10:00\s+Door code[^]*2 recipients$/);
    await rows.nth(1).getByRole('img', { name: 'SMS' }).waitFor();
    await expectGood(page);
    await rows.nth(0).getByRole('link', { name: 'Bins' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bins' }).waitFor();
  });

  it('opens a day with all that is sent on it, and the focus returns', async ({ expect }) => {
    const page = await open('/agenda');
    const more = page.getByRole('button', { name: 'and 7 more' });
    await more.press('Enter');
    const dialog = page.getByRole('dialog', { name: textOf(dayIn(5), long) });
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(13);
    await expectGood(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => more.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it('is filtered by reminder, person and channel in the address, and ends the filter where nothing matches', async ({
    expect,
  }) => {
    const page = await open('/agenda?tag=nobody');
    await reads(page, ['Nothing matches']);
    await page.getByRole('button', { name: 'Show everything' }).click();
    await dayOf(page, 3).getByRole('link', { name: 'Bins' }).waitFor();
    await page.getByRole('combobox', { name: 'Filter by channel' }).click();
    await page.getByRole('option', { name: 'SMS' }).click();
    await page.waitForURL(/channel=sms/);
    await expect.poll(() => page.getByRole('main').getByRole('link', { name: 'Bins' }).count()).toBe(0);
    await dayOf(page, 3).getByRole('link', { name: 'Door code' }).waitFor();
    await page.getByRole('combobox', { name: 'Filter by reminder' }).fill('Bins');
    await page.getByRole('option', { name: 'Bins' }).click();
    await reads(page, ['Nothing matches']);
    await expectGood(page);
    await page.getByRole('button', { name: 'Show everything' }).click();
    await dayOf(page, 3).getByRole('link', { name: 'Bins' }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  it('tells namesakes apart where a person is chosen, by their addresses', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Namesake Street');
    for (const email of ['gm@example.com', 'mueller@example.com'])
      await fixture.ann.call('POST', '/api/contacts', { workspace, body: { name: 'Günther Müller', email } });
    const page = await fixture.open('/agenda', { as: fixture.ann, workspace });
    const person = page.getByRole('combobox', { name: 'Filter by person' });
    await person.fill('Günther');
    const options = page.getByRole('option');
    await expect
      .poll(async () => (await options.allInnerTexts()).toSorted())
      .toEqual(['Günther Müller (gm@example.com)', 'Günther Müller (mueller@example.com)']);
    await page.getByRole('option', { name: 'mueller@example.com' }).click();
    await page.waitForURL(/contact=/);
    await expect.poll(() => person.inputValue()).toBe('Günther Müller (mueller@example.com)');
    await expectGood(page);
  });

  it('shows a month with counts, through which the keyboard leads', async ({ expect }) => {
    const page = await open('/agenda');
    await page.getByRole('button', { name: 'Month', exact: true }).click();
    const today = page.getByRole('button', { name: new RegExp(`^Today, ${textOf(dayIn(0), long)}`) });
    // Also at the end of a month what comes is in sight.
    await page.locator(`[data-day="${dayIn(21).toString()}"]`).waitFor();
    await today.focus();
    await expectGood(page);
    await page.keyboard.press('ArrowRight');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-day'));
    await expect.poll(focused).toBe(dayIn(1).toString());
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight');
    await expect.poll(focused).toBe(dayIn(5).toString());
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.firstElementChild?.textContent))
      .toBe(`${textOf(dayIn(5), long)}: 13 occurrences`);
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe(dayIn(12).toString());
    const monthLater = dayIn(12).add({ months: 1 });
    await page.keyboard.press('PageDown');
    await expect.poll(focused).toBe(monthLater.toString());
    const back = monthLater.subtract({ months: 1 });
    await page.keyboard.press('PageUp');
    await expect.poll(focused).toBe(back.toString());
    await page.evaluate(pressArrowRight, 33);
    await expect.poll(focused).toBe(back.add({ days: 33 }).toString());
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
  });

  it('is reached from the dashboard, the reminders, by keys and from the search', async () => {
    const page = await open('/dashboard');
    await page
      .getByRole('region', { name: 'Next 24 hours' })
      .getByRole('link', { name: /^(1 occurrence|Agenda)$/ })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Agenda' }).waitFor();
    await page.goto('/reminders');
    await page.getByRole('main').getByRole('link', { name: 'Agenda' }).click();
    await page.getByRole('heading', { level: 1, name: 'Agenda' }).waitFor();
    await page.goto('/jobs');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('heading', { level: 1, name: 'Agenda' }).waitFor();
    await page.goto('/dashboard');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByPlaceholder('Search, or jump to anything').fill('agenda');
    await page.getByRole('dialog').getByRole('button', { name: 'Agenda' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/agenda');
  });

  it('shows the shape of what comes, what nothing looks like, and what could not be had', async () => {
    const release = { now: () => {} };
    const delayed = await open('/agenda', {
      before: async (page: Page) => {
        release.now = await delayRequests(page, '/api/agenda');
      },
    });
    await delayed.getByRole('status', { name: 'Loading the agenda' }).waitFor();
    release.now();
    await dayOf(delayed, 3).waitFor();
    const broken = await open('/agenda', { before: (page: Page) => breakDown(page, '/api/agenda') });
    await reads(broken, ['Error loading the agenda', outage]);
    await expectGood(broken);
    await restore(broken);
    await broken.getByRole('button', { name: 'Retry' }).click();
    await dayOf(broken, 3).waitFor();
    const none = await open('/agenda', { workspace: fixture.empty });
    await reads(none, ['Nothing is planned', 'Create a reminder']);
    await expectGood(none);
  });

  it('prints the days without the bar, the filters and the buttons', async ({ expect }) => {
    const page = await open('/agenda');
    await dayOf(page, 3).waitFor();
    await page.emulateMedia({ media: 'print' });
    await reads(page, [/^Oak Street · as of/]);
    await expect.poll(() => page.getByRole('combobox').filter({ visible: true }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
  });
});

/** Runs in the page: presses faster than another month is shown. */
async function pressArrowRight(times: number): Promise<void> {
  for (let press = 0; press < times; press += 1) {
    const key = new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true });
    document.activeElement?.dispatchEvent(key);
    await Promise.resolve();
  }
}
