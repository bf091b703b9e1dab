import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sampleReminder } from '#testing/samples.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import {
  breakDown,
  cutOffNews,
  delayRequests,
  describeScreens,
  outage,
  reads,
  restore,
  shiftOf,
  toast,
  type Visit,
} from './screens.fixture.ts';

const fixture = describeScreens();

const visit = (workspace: string, { path = '/reminders', ...more }: Visit & { path?: string } = {}) =>
  fixture.open(path, { as: fixture.ann, workspace, ...more });
const createWorkspace = () => fixture.ann.createWorkspace(`Oak Lane ${crypto.randomUUID().slice(0, 8)}`);

const future = { ...sampleReminder.schedule_config, scheduleType: 'daily', startDate: '2099-01-01T09:00:00' };

async function write(workspace: string, changes: object): Promise<string> {
  const body = { ...sampleReminder, status: 'active', schedule_config: future, ...changes };
  const { json } = await fixture.ann.call('POST', '/api/reminders', { workspace, body });
  expect(json.error).toBeUndefined();
  return json.id;
}

/** A workspace with as many that have no next run, named Reminder 001 and so on, the last one the newest. */
async function many(count: number): Promise<string> {
  const workspace = await createWorkspace();
  const { schedule_config: schedule, content, metadata } = sampleReminder;
  await fixture.owner.query(
    `insert into reminders (workspace_id, name, description, status, schedule_config, content, metadata, created_at)
     select $1, 'Reminder ' || lpad(n::text, 3, '0'), 'Every first of the month', 'active', $3, $4, $5, now() - ($2 - n) * interval '1 minute'
       from generate_series(1, $2::int) n`,
    [workspace, count, schedule, content, metadata],
  );
  return workspace;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const boxOf = (page: Page, name: string) => page.getByRole('checkbox', { name: `Choose ${name}`, exact: true });
const namesInTable = (page: Page) => page.getByRole('table').getByRole('link').allInnerTexts();
async function choose(page: Page, { of, item }: { of: string; item: string }): Promise<void> {
  await press(page, `More actions for ${of}`);
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}
const badge = (page: Page, { of, says }: { of: string; says: string }) =>
  rowOf(page, of).getByText(says, { exact: true }).waitFor();

const views = [
  ['as cards', '/reminders'],
  ['as a table', '/reminders?view=table'],
] as const;

describe.concurrent.each(views)('the reminders %s', (_, path) => {
  const filtered = `${path}${path.includes('?') ? '&' : '?'}search=nothing+like+it`;

  it('show their shape while they load, and nothing jumps when they come', async () => {
    let release = () => {};
    const page = await visit(await many(4), {
      path,
      before: async (opened) => {
        release = await delayRequests(opened, '/api/reminders');
      },
    });
    await page.getByRole('status', { name: 'Loading reminders' }).waitFor();
    await expectAccessible(page);
    release();
    await reads(page, ['Reminder 004']);
    expect(await shiftOf(page)).toBeLessThan(0.02);
    await expectGood(page);
  });

  it('say what to do while there are none, and while none fits', async ({ expect }) => {
    const page = await visit(fixture.empty, { path });
    await reads(page, ['No reminders found', 'Get started by creating your first reminder']);
    const create = page.getByRole('main').getByRole('link', { name: 'Create Reminder' });
    await expect
      .poll(() => create.evaluateAll((all) => all.map((link) => link.getAttribute('href'))))
      .toEqual(['/reminders/new', '/reminders/new']);
    await expectGood(page);
    await page.goto(filtered);
    await reads(page, ['No reminders found', 'Try adjusting your search or filters']);
    await expect.poll(() => create.count()).toBe(1);
    await expectGood(page);
    await press(page, 'Show all reminders');
    await reads(page, ['Get started by creating your first reminder']);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  it('say when they cannot be had, and are there when it is tried again', async () => {
    const page = await visit(await many(1), {
      path,
      async before(opened) {
        await cutOffNews(opened);
        await breakDown(opened, '/api/reminders');
      },
    });
    await toast(page, { title: 'Error', text: 'Failed to load reminders' });
    await reads(page, ['Failed to load reminders', outage]);
    await expectAccessible(page);
    await restore(page);
    await press(page, 'Retry');
    await reads(page, ['Reminder 001']);
  });

  it('come a page at a time as one scrolls', async ({ expect }) => {
    const page = await visit(await many(230), { path });
    await reads(page, ['Reminder 230']);
    const oldest = page.getByRole('link', { name: 'Reminder 001', exact: true });
    while ((await oldest.count()) === 0) await page.mouse.wheel(0, 4000);
    await reads(page, ['230 shown']);
    await expect.poll(() => page.getByRole('row').count()).toBeLessThan(120);
  });

  it('are shown as they are sorted, and the address says so', async ({ expect }) => {
    const workspace = await createWorkspace();
    for (const [name, status] of [
      ['bread', 'draft'],
      ['Apple', 'active'],
      ['Cherry', 'paused'],
    ])
      await write(workspace, { name, status });
    const page = await visit(workspace, { path });
    const links = page.getByRole('main').getByRole('link', { name: /^(bread|Apple|Cherry)$/ });
    const shows = async (names: string[]) => {
      await page.waitForFunction(
        (wanted) =>
          [...document.querySelectorAll('main a')]
            .map(({ textContent }) => textContent)
            .filter((text) => /^(bread|Apple|Cherry)$/.test(text ?? ''))
            .join() === wanted,
        names.join(),
      );
      await expect.poll(() => links.count()).toBe(3);
    };
    await shows(['Cherry', 'Apple', 'bread']);
    await page.getByRole('combobox', { name: 'Sort by' }).click();
    await page.getByRole('option', { name: 'Name A–Z' }).click();
    await shows(['Apple', 'bread', 'Cherry']);
    await page.waitForURL(/sort=name/);
    await page.reload();
    await shows(['Apple', 'bread', 'Cherry']);
    await page.goto(`${path}${path.includes('?') ? '&' : '?'}sort=status`);
    await shows(['Apple', 'Cherry', 'bread']);
  });
});

describe.concurrent('a reminder that is done', () => {
  const done = { type: 'scheduled', scheduleType: 'once', startDate: '2026-01-01T09:00:00', timezone: 'UTC' };

  it('says so, has a filter of its own, and nothing to pause', async ({ expect }) => {
    const workspace = await createWorkspace();
    const id = await write(workspace, { name: 'Heating is off' });
    await write(workspace, { name: 'Rent' });
    await fixture.owner.query('delete from jobs where reminder_id = $1', [id]);
    await fixture.owner.query('update reminders set schedule_config = $2 where id = $1', [id, done]);
    const page = await visit(workspace);
    const card = page.getByRole('article', { name: 'Heating is off' });
    await expect.poll(() => card.getByText('Done', { exact: true }).count()).toBe(2);
    await expect.poll(() => page.getByRole('button', { name: 'Pause', exact: true }).count()).toBe(1);
    expect(await card.getByRole('button', { name: /Pause|Resume/ }).count()).toBe(0);
    await page.getByRole('combobox', { name: 'Filter by status' }).click();
    await page.getByRole('option', { name: 'Done', exact: true }).click();
    await page.waitForURL(/status=done/);
    await page.getByRole('article', { name: 'Rent' }).waitFor({ state: 'detached' });
    await card.waitFor();
    await press(page, 'Table');
    await badge(page, { of: 'Heating is off', says: 'Done' });
    await press(page, 'More actions for Heating is off');
    await expect
      .poll(() => page.getByRole('menuitem').allInnerTexts())
      .toEqual(['Edit', 'Test', 'Schedule details', 'Duplicate', 'Delete']);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Heating is off' }).click();
    await reads(page, ['Done: nothing of it lies ahead. Edit it to send it again.']);
    expect(await page.getByRole('button', { name: /^(Pause|Resume)$/ }).count()).toBe(0);
  });
});

describe.concurrent('the table of reminders', () => {
  const path = '/reminders?view=table';

  it('is beside the cards, sorts by its columns, and follows what others do', async ({ expect }) => {
    const workspace = await createWorkspace();
    const ids = [await write(workspace, { name: 'bread' }), await write(workspace, { name: 'Apple' })];
    const page = await visit(workspace);
    await press(page, 'Table');
    await page.waitForURL(/view=table/);
    const name = page.getByRole('columnheader', { name: 'Name' });
    await name.getByRole('button').press('Enter');
    await rowOf(page, 'Apple').waitFor();
    await expect.poll(() => namesInTable(page)).toEqual(['Apple', 'bread']);
    await expect.poll(() => name.getAttribute('aria-sort')).toBe('ascending');
    await name.getByRole('button').press('Enter');
    await page.waitForFunction(() => document.querySelector('tbody a')?.textContent === 'bread');
    await expect.poll(() => name.getAttribute('aria-sort')).toBe('descending');
    await badge(page, { of: 'Apple', says: 'Active' });
    await fixture.ann.call('PATCH', `/api/reminders/${ids[1]}`, { workspace, body: { status: 'paused' } });
    await badge(page, { of: 'Apple', says: 'Paused' });
    await page.goto(`${fixture.url}/reminders/${ids[0]}/edit`);
    await page.getByLabel('Description').fill('Every week');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/reminders$/);
    await rowOf(page, 'Apple').waitFor();
    await press(page, 'Cards');
    await page.getByRole('article', { name: 'Apple' }).filter({ hasText: 'Paused' }).waitFor();
    await page.getByText('Every week').waitFor();
  });

  it('acts on what is selected with the keyboard alone', async () => {
    const workspace = await createWorkspace();
    for (const name of ['Three', 'Two', 'One']) await write(workspace, { name });
    const page = await visit(workspace, { path });
    await boxOf(page, 'One').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await reads(page, ['2 selected']);
    await expectGood(page);
    await page.getByRole('toolbar').getByRole('button', { name: 'Pause', exact: true }).press('Enter');
    await toast(page, { title: 'Success', text: '2 reminders paused' });
    for (const [of, says] of [
      ['One', 'Paused'],
      ['Two', 'Active'],
      ['Three', 'Paused'],
    ] as const)
      await badge(page, { of, says });
    await page.getByRole('toolbar').waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Choose all that are loaded' }).press('Space');
    await reads(page, ['3 selected']);
    await page.getByRole('toolbar').getByRole('button', { name: 'Resume' }).press('Enter');
    await toast(page, { title: 'Success', text: '3 reminders resumed' });
    await page.getByRole('toolbar').waitFor({ state: 'detached' });
    await boxOf(page, 'Two').press('x');
    await reads(page, ['1 selected']);
    await page.keyboard.press('Escape');
    await page.getByRole('toolbar').waitFor({ state: 'detached' });
  });

  it('says of whom something was refused and why, and keeps those selected', async ({ expect }) => {
    const workspace = await createWorkspace();
    const past = { ...future, scheduleType: 'once', startDate: '2020-01-01T09:00:00' };
    await write(workspace, { name: 'Long over', status: 'paused', schedule_config: past });
    await write(workspace, { name: 'Fine', status: 'paused' });
    const page = await visit(workspace, { path });
    await page.getByRole('checkbox', { name: 'Choose all that are loaded' }).check();
    await press(page, 'Resume');
    await toast(page, {
      title: '1 reminder resumed, 1 not',
      text: '“Long over”: Start date is more than 24 hours ago; choose a later one.',
    });
    await reads(page, ['1 selected']);
    await expect.poll(() => boxOf(page, 'Long over').isChecked()).toBe(true);
    await badge(page, { of: 'Fine', says: 'Active' });
    await press(page, 'Clear');
    await page.getByRole('toolbar').waitFor({ state: 'detached' });
  });

  it('asks before it deletes several, and takes it back', async ({ expect }) => {
    const workspace = await createWorkspace();
    for (const name of ['One', 'Two', 'Three']) await write(workspace, { name });
    const page = await visit(workspace, { path });
    await boxOf(page, 'One').check();
    await boxOf(page, 'Two').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 reminders?' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel');
    await expectGood(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await reads(page, ['2 selected']);
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await toast(page, { title: 'Success', text: '2 reminders deleted' });
    await rowOf(page, 'One').waitFor({ state: 'detached' });
    await expect.poll(() => namesInTable(page)).toEqual(['Three']);
    await press(page, 'Undo');
    await toast(page, { title: 'Success', text: '2 reminders restored' });
    await rowOf(page, 'One').waitFor();
    const { json } = await fixture.ann.call('GET', '/api/jobs?status=pending', { workspace });
    expect(json.data).toHaveLength(3);
  });

  it('does in the menu of a row what a card does by its buttons', async () => {
    const workspace = await createWorkspace();
    await write(workspace, { name: 'Rent' });
    const page = await visit(workspace, { path });
    await choose(page, { of: 'Rent', item: 'Pause' });
    await toast(page, { title: 'Success', text: 'Reminder paused successfully' });
    await badge(page, { of: 'Rent', says: 'Paused' });
    await choose(page, { of: 'Rent', item: 'Schedule details' });
    await toast(page, { title: 'Schedule Details', text: 'Schedule: Daily' });
    await page.getByRole('dialog', { name: 'Next occurrences' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'More actions for Rent');
    await choose(page, { of: 'Rent', item: 'Test' });
    await page.getByRole('dialog', { name: 'Test Reminder' }).waitFor();
  });
});

describe.concurrent('a reminder of the list', () => {
  it('is deleted at once, and comes back with its next occurrence', async () => {
    const workspace = await createWorkspace();
    await write(workspace, { name: 'Rent' });
    const page = await visit(workspace);
    const next = page.getByText('Next: Thu, 1 Jan 2099, 09:00');
    await next.waitFor();
    await choose(page, { of: 'Rent', item: 'Delete' });
    await toast(page, { title: 'Success', text: '“Rent” has been deleted' });
    await reads(page, ['Get started by creating your first reminder']);
    expect((await fixture.ann.call('GET', '/api/jobs', { workspace })).json.data).toEqual([]);
    await press(page, 'Undo');
    await toast(page, { title: 'Success', text: '“Rent” has been restored' });
    await next.waitFor();
  });

  it('is copied into a draft, which opens to be edited', async () => {
    const workspace = await createWorkspace();
    await write(workspace, { name: 'Rent' });
    const page = await visit(workspace);
    await choose(page, { of: 'Rent', item: 'Duplicate' });
    await toast(page, {
      title: 'Success',
      text: '“Rent (copy)” has been created as a draft',
    });
    await page.waitForURL(/\/reminders\/[0-9a-f-]+\/edit/);
    await page.getByRole('heading', { name: 'Edit Reminder' }).waitFor();
    await page.goto('/reminders?status=draft');
    await page.getByRole('article', { name: 'Rent (copy)' }).waitFor();
  });

  it('shows its next ten times in its zone and in mine, with what is to be said of them', async ({ expect }) => {
    const workspace = await createWorkspace();
    const schedule_config = { ...future, startDate: '2099-03-07T02:30:00', timezone: 'America/New_York' };
    const id = await write(workspace, { name: 'Rent', schedule_config });
    const page = await visit(workspace, { path: `/reminders?schedule=${id}` });
    const dialog = page.getByRole('dialog', { name: 'Next occurrences' });
    await dialog.getByText('America/New York').waitFor();
    const rows = dialog.getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(10);
    await expect
      .poll(() => rows.first().innerText())
      .toMatch(/Sat, 7 Mar 2099, 02:30 GMT-5\s+Sat, 7 Mar 2099, 07:30 your time/);
    // Clocks go forward in the night to the 8th.
    await expect.poll(() => rows.nth(1).innerText()).toMatch(/03:30 GMT-4\s+Sun, 8 Mar 2099, 07:30 your time\s+\S/);
    await expectGood(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await page.getByRole('button', { name: 'Schedule details' }).click();
    await toast(page, { title: 'Schedule Details', text: 'Schedule: Daily' });
    await dialog.waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('Schedule Details').waitFor({ state: 'detached' });
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
  });

  it('says of one that is paused, or waits for an event, that it goes out by no clock', async () => {
    const workspace = await createWorkspace();
    const event = { type: 'event-based', eventTrigger: 'trial_ending', timezone: 'UTC' };
    const ids = [
      await write(workspace, { status: 'paused' }),
      await write(workspace, { schedule_config: event }),
      crypto.randomUUID(),
    ];
    const sentences = [
      'This reminder is paused. Nothing is sent until it is resumed.',
      'Sent once for each event that Cuebird receives.',
      'Failed to load reminder data',
    ];
    for (const [at, sentence] of sentences.entries()) {
      const page = await visit(workspace, { path: `/reminders?schedule=${ids[at]}` });
      await page.getByRole('dialog').getByText(sentence).waitFor();
      await expectAccessible(page);
      await fixture.leave(page);
    }
  });

  it('is tested for real, and what becomes of it at each recipient is shown as it happens', async ({ expect }) => {
    const workspace = await createWorkspace();
    const id = await write(workspace, { name: 'Rent', status: 'draft' });
    const contact = { name: 'Erika Mustermann', email: 'erika@example.com' };
    await fixture.ann.call('POST', '/api/contacts', { workspace, body: contact });
    const page = await visit(workspace, { path: `/reminders?test=${id}` });
    const dialog = page.getByRole('dialog', { name: 'Test Reminder' });
    const recipients = dialog.getByRole('textbox', { name: 'Test recipients' });
    await recipients.waitFor();
    const me = dialog.getByRole('button', { name: /^Remove ann.lee/ });
    await me.waitFor();
    await dialog.getByRole('combobox', { name: 'With the values of' }).fill('erika');
    await page.getByRole('option', { name: 'Erika Mustermann (erika@example.com)' }).click();
    await expectGood(page);
    await me.click();
    for (const entry of ['tess@example.com', '+4915112345678']) {
      await recipients.fill(entry);
      await recipients.press('Enter');
    }
    await dialog.getByRole('button', { name: 'Send Test' }).click();
    await toast(page, { title: 'Test Started', text: 'Test reminder will be sent to 2 recipient(s)' });
    await dialog.waitFor({ state: 'detached' });
    const outcome = page.getByRole('dialog', { name: 'Test outcome' });
    // Read as a whole: a failure shows what the dialog says instead.
    await expect
      .poll(() => outcome.innerText(), { timeout: 60_000 })
      .toMatch(
        /Completed[^]*\+4915112345678[^]*Skipped[^]*tess@example\.com[^]*Accepted[^]*250 |Completed[^]*tess@example\.com[^]*Accepted[^]*250 [^]*\+4915112345678[^]*Skipped/,
      );
    await expectGood(page);
    const job = new URL(page.url()).searchParams.get('sent');
    await outcome.getByRole('link', { name: 'Open the job' }).click();
    await page.waitForURL(`**/jobs?job=${job}`);
    await page.goto('/inbox');
    await page.getByText('tess@example.com').first().waitFor();
  });

  it('goes to Slack and to the own browsers only where that is chosen, and counts them', async ({ expect }) => {
    const workspace = await createWorkspace();
    const id = await write(workspace, { status: 'draft', metadata: { channels: ['webhook', 'slack', 'push'] } });
    const page = await visit(workspace, { path: `/reminders?test=${id}` });
    const dialog = page.getByRole('dialog', { name: 'Test Reminder' });
    const send = dialog.getByRole('button', { name: 'Send Test' });
    const slack = dialog.getByRole('checkbox', { name: 'Post to Slack' });
    await slack.waitFor();
    await expect.poll(() => slack.isChecked()).toBe(false);
    await expect.poll(() => dialog.getByRole('checkbox', { name: 'Push to my browsers' }).isChecked()).toBe(false);
    await expect.poll(() => send.isDisabled()).toBe(true);
    await expectGood(page);
    const recipients = dialog.getByRole('textbox', { name: 'Test recipients' });
    await recipients.fill('tess@example.com');
    await recipients.press('Enter');
    await dialog.getByText(/own URL is called once for each recipient/).waitFor();
    await slack.check();
    await send.click();
    await toast(page, { title: 'Test Started', text: 'Test reminder will be sent to 2 recipient(s)' });
    await page.getByRole('dialog', { name: 'Test outcome' }).getByText('Completed').first().waitFor();
    const job = new URL(page.url()).searchParams.get('sent');
    const { json } = await fixture.ann.call('GET', `/api/jobs/${job}/deliveries`, { workspace });
    expect(json.data.map(({ channel }: { channel: string }) => channel).toSorted()).toEqual(['slack', 'webhook']);
  });
});

describe.concurrent('the cards of reminders', () => {
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
  });
});
