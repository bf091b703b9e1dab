import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { sampleReminder } from '#testing/samples.ts';
import { delayRequests, type Fixture, openFixture, reads, toast } from './screens.fixture.ts';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

const future = { ...sampleReminder.schedule_config, scheduleType: 'daily', startDate: '2099-01-01T09:00:00' };

/** A workspace with a reminder in each status, the active one the newest. */
async function withReminders() {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  let active = '';
  for (const status of ['draft', 'paused', 'active']) {
    const body = { ...sampleReminder, name: `The ${status} one`, status, schedule_config: future };
    active = (await fixture.ann.call('POST', '/api/reminders', { workspace, body })).json.id;
  }
  return { workspace, active };
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
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

describe.concurrent('the list of reminders', () => {
  it('shows four placeholders, then cards in two columns with all that is told of a reminder', async ({ expect }) => {
    const { workspace, active } = await withReminders();
    let release = () => {};
    const page = await fixture.open('/reminders', {
      as: fixture.ann,
      workspace,
      before: async (opened) => {
        release = await delayRequests(opened, '/api/reminders');
      },
    });
    await page.getByTestId('skeleton').first().waitFor();
    await expect.poll(() => page.getByTestId('skeleton').count()).toBe(4);
    release();
    const cards = page.getByRole('article');
    await cards.nth(2).waitFor();
    const positions = await cards.evaluateAll((all) =>
      all.map((card) => card.getBoundingClientRect()).map(({ left, top }) => ({ left, top })),
    );
    const [first, second, third] = positions;
    expect(second).toEqual({ left: expect.any(Number), top: first?.top });
    expect(third).toEqual({ left: first?.left, top: expect.any(Number) });
    expect(second?.left).toBeGreaterThan(first?.left ?? 0);

    const looks = { active: 'good', paused: 'waiting', draft: 'quiet' };
    for (const [at, [status, tone]] of Object.entries(looks).entries()) {
      const card = cards.nth(at);
      const word = `${status.charAt(0).toUpperCase()}${status.slice(1)}`;
      const facts = await card.locator('dl > div').allInnerTexts();
      expect(facts.map((fact) => fact.split('\n').filter(Boolean).slice(0, 2))).toEqual([
        ['Schedule', 'Daily'],
        ['Channels', 'Email'],
        ['Created', expect.stringMatching(/^\d{1,2} \w{3,4} \d{4}$/)],
        ['Status', word],
      ]);
      await card.getByRole('heading', { name: `The ${status} one` }).waitFor();
      await card.getByText('Every first of the month').waitFor();
      await expect.poll(() => card.locator(`[data-tone="${tone}"]`).allInnerTexts()).toEqual([word]);
      for (const name of ['Test', status === 'active' ? 'Pause' : 'Resume', 'Schedule details'])
        await card.getByRole('button', { name, exact: true }).waitFor();
    }
    const href = (name: string) => page.getByRole('link', { name, exact: true }).first().getAttribute('href');
    expect(await href('Edit')).toBe(`/reminders/${active}/edit`);
    expect(await href('Create Reminder')).toBe('/reminders/new');
    // What is not active becomes active, a draft as well.
    await cards.nth(2).getByRole('button', { name: 'Resume' }).click();
    await toast(page, { title: 'Success', text: 'Reminder resumed successfully' });
    await cards.nth(2).getByRole('button', { name: 'Pause' }).waitFor();
    await fixture.leave(page);
  });

  it('tests a reminder with whoever is entered, once at a time', async ({ expect }) => {
    const { workspace, active } = await withReminders();
    const page = await fixture.open(`/reminders?test=${active}`, { as: fixture.ann, workspace });
    const dialog = page.getByRole('dialog', { name: 'Test Reminder' });
    const send = dialog.getByRole('button', { name: 'Send Test' });
    await dialog.getByRole('button', { name: /^Remove ann.lee/ }).click();
    await expect.poll(() => dialog.locator('button[type="submit"]').isDisabled()).toBe(true);
    await expect.poll(() => dialog.getByLabel('Message').getAttribute('rows')).toBe('4');
    for (const entry of [' dana@example.com ', '+4915112345678', 'board room']) {
      await dialog.getByRole('textbox', { name: 'Test recipients' }).fill(entry);
      await dialog.getByRole('button', { name: 'Add test recipient' }).click();
    }
    await dialog.getByRole('button', { name: 'Remove +4915112345678' }).click();
    const chips = dialog.getByRole('list', { name: 'Test recipients' }).getByRole('listitem');
    await chips.nth(2).waitFor({ state: 'detached' });
    await expect.poll(() => chips.allInnerTexts()).toEqual(['dana@example.com', 'board room']);
    await dialog.getByLabel('Message').fill(' ');
    await send.click();
    await reads(page, ['Please provide both subject and message']);
    await dialog.getByLabel('Message').fill('Due');
    const release = await delayRequests(page, `/api/reminders/${active}/test`);
    await send.click();
    await expect.poll(() => dialog.locator('button[type="submit"]').isDisabled()).toBe(true);
    release();
    await toast(page, { title: 'Test Started', text: 'Test reminder will be sent to 2 recipient(s)' });
    await fixture.leave(page);
  });
});

describe.concurrent('the reminder form', () => {
  const openForm = async () => {
    const page = await fixture.open('/reminders/new', {
      as: fixture.ann,
      workspace: fixture.empty,
      own: { timezoneId: 'Asia/Tokyo' },
    });
    await page.getByLabel('Title').waitFor();
    return page;
  };

  it('asks on its first two tabs what the trigger needs, in the zone of the browser', async ({ expect }) => {
    const page = await openForm();
    await expect
      .poll(() => page.getByRole('tab').allInnerTexts())
      .toEqual(['Basic Info', 'Schedule', 'Channels', 'Content']);
    await expect.poll(() => labels(page)).toEqual(['Title', 'Description', 'Trigger type']);
    await tab(page, 'Schedule');
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Timezone' }).inputValue())
      .toBe('Asia/Tokyo (UTC+09:00)');
    await expect
      .poll(() => labels(page))
      .toEqual(['Schedule type', 'Start date', 'End date (optional)', 'Timezone', 'Missed occurrences']);
    await expect.poll(() => page.getByRole('combobox', { name: 'Schedule type' }).inputValue()).toBe('Daily');
    expect(await optionsOf(page, 'Schedule type')).toEqual(['Once', 'Daily', 'Weekly', 'Monthly', 'Custom (cron)']);
    await reads(page, ['Cron expression']);
    await tab(page, 'Basic Info');
    await page.getByRole('button', { name: /^Event-based/ }).click();
    await tab(page, 'Schedule');
    await expect.poll(() => labels(page)).toEqual(['Event trigger', 'Delay amount', 'Delay unit', 'Timezone']);
    expect(await optionsOf(page, 'Event trigger')).toEqual([
      'User signup',
      'Subscription due',
      'Payment failed',
      'Trial ending',
      'Custom webhook',
    ]);
    expect(await optionsOf(page, 'Delay unit')).toEqual(['Minutes', 'Hours', 'Days', 'Weeks']);
    await fixture.leave(page);
  });

  it('takes recipients into a list that scrolls, variables into one that can be cleared, and Cancel leads back', async ({
    expect,
  }) => {
    const page = await openForm();
    await tab(page, 'Channels');
    const several = page.getByLabel('Add several recipients');
    await expect.poll(() => several.getAttribute('rows')).toBe('4');
    await several.fill(Array.from({ length: 60 }, (_, at) => `reader-${at}@example.com`).join('\n'));
    await press(page, 'Add all');
    await reads(page, ['60 recipients']);
    const list = page.getByRole('list', { name: 'Recipients' });
    const size = await list.evaluate(({ clientHeight, scrollHeight }) => ({ clientHeight, scrollHeight }));
    // 10rem.
    expect(size.clientHeight).toBe(160);
    expect(size.scrollHeight).toBeGreaterThan(160);
    await press(page, 'Clear All');
    await reads(page, ['0 recipients']);

    await tab(page, 'Content');
    await expect.poll(() => page.getByLabel('Message').getAttribute('rows')).toBe('6');
    const quick = page.getByRole('group', { name: 'Quick variables' }).getByRole('button');
    expect((await quick.allInnerTexts()).join(' ')).toBe(
      'recipient_name recipient_email current_date current_month current_year company_name due_date amount product_name',
    );
    await quick.first().click();
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('{{recipient_name}}');
    const active = page.getByRole('list', { name: 'Active variables' });
    await active.waitFor();
    await press(page, 'Clear All');
    await active.waitFor({ state: 'detached' });
    await page.getByLabel('Message').fill('');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.waitForURL((url) => url.pathname === '/reminders');
    await fixture.leave(page);
  });
});
