import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectGood } from './looks.ts';
import { breakDown, describeScreens, reads, toast, type Visit } from './screens.fixture.ts';

const fixture = describeScreens();
beforeAll(async () => {
  await fixture.ann.call('POST', '/api/contacts', {
    workspace: fixture.empty,
    body: { name: 'Dana Reed', email: 'dana@example.com', phone: '+49 171 1234567' },
  });
});

const openForm = async (visit: Visit = {}) => {
  const page = await fixture.open('/reminders/new', { as: fixture.ann, workspace: fixture.empty, ...visit });
  await line(page).waitFor();
  return page;
};
const line = (page: Page) => page.getByLabel('Describe it in one line');
const fillIn = (page: Page) => page.getByRole('button', { name: 'Fill in' }).click();
const tab = (page: Page, name: string) => page.getByRole('tab', { name });
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).click();
const understood = (page: Page) => page.getByRole('list', { name: 'Understood' }).getByRole('listitem').allInnerTexts();
const toCheck = (page: Page) => page.getByRole('list', { name: 'Please check' }).getByRole('listitem').allInnerTexts();
/** Waits for the first: a tab of the form is fetched when it is opened. */
const recipients = async (page: Page): Promise<string[]> => {
  const written = page.getByRole('list', { name: 'Recipients' }).locator('li > span');
  await written.first().waitFor();
  return written.allInnerTexts();
};

const rent = 'Email Dana and tenants@example.com every 1st at 9am Berlin time that rent is due';

describe.concurrent('a reminder described in one line', () => {
  it('fills the tabs, and is saved with that schedule', async ({ expect }) => {
    const page = await openForm();
    await line(page).fill(rent);
    await reads(page, ['Every month on the 1st at 09:00 (Europe/Berlin)']);
    await line(page).press('Enter');
    await reads(page, ['Filled in below.']);
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Rent is due');

    await page.getByRole('button', { name: /^When Every month .* Edit under Schedule$/ }).click();
    await reads(page, [/^Every month on day 1, at 09:00$/]);
    await page.waitForFunction(() => document.activeElement?.textContent === 'Schedule');
    await expect.poll(() => page.getByRole('combobox', { name: 'Timezone' }).inputValue()).toMatch(/^Europe\/Berlin/);
    await tab(page, 'Channels').click();
    await expect.poll(() => recipients(page)).toEqual(['tenants@example.com', 'dana@example.com']);
    await tab(page, 'Content').click();
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Rent is due');
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Rent is due.');

    await page.getByRole('button', { name: 'Create Reminder' }).click();
    await toast(page, { title: 'Success!', text: 'Reminder has been created successfully.' });
    const { json } = await fixture.ann.call('GET', '/api/reminders?search=Rent', { workspace: fixture.empty });
    const [saved] = json.data;
    expect(saved.schedule_config).toMatchObject({ scheduleType: 'monthly', timezone: 'Europe/Berlin' });
    const next = Temporal.Instant.from(saved.next_run_at).toZonedDateTimeISO('Europe/Berlin');
    expect([next.day, next.hour, next.minute]).toEqual([1, 9, 0]);
    expect(saved.content.recipients).toEqual(['tenants@example.com', 'dana@example.com']);
  });

  it('shows what was read one way of two, and when it comes', async ({ expect }) => {
    const page = await openForm();
    await line(page).fill('email Zoe every Monday at 9 that bins go out');
    await page.getByText('Every Monday at 09:00').waitFor();
    await expect
      .poll(() => toCheck(page))
      .toEqual([
        'No contact, group or tag is called “Zoe”: add the recipients under Channels',
        '“9” is read as 09:00; write 9 pm for the other half of the day',
      ]);
    const times = page.getByRole('list', { name: 'Next times' }).getByRole('listitem');
    await expect.poll(() => times.allInnerTexts()).toHaveLength(3);
    for (const time of await times.allInnerTexts()) expect(time).toMatch(/^Mon, .*09:00/);
  });

  it('fills in nothing while a word is not understood or a time is impossible, and names it', async ({ expect }) => {
    const page = await openForm();
    await line(page).fill('email dana@example.com every Wendesday at 9am purple that bins go out');
    await reads(page, ['Nothing is filled in until all of the line is understood.']);
    await expect
      .poll(() => toCheck(page))
      .toEqual(['“Wendesday” is not understood: did you mean “Wednesday”?', 'Not understood: “purple”']);
    await line(page).press('Enter');
    const refused = page.getByRole('status').filter({ hasText: 'Nothing was filled in.' });
    await refused.waitFor();
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('');

    await line(page).fill('on 3/4 at 9am email dana@example.com');
    await reads(page, ['“3/4” can be 3 April or 4 March: write the month as a word']);
    await expect
      .poll(async () => (await understood(page)).map((text) => text.replaceAll(/\s+/g, ' ')))
      .toEqual(['Channels Email', 'To dana@example.com']);
    await fillIn(page);
    await reads(page, ['Nothing is filled in until all of the line is understood.']);
    await tab(page, 'Channels').click();
    await expect.poll(() => page.getByRole('list', { name: 'Recipients' }).count()).toBe(0);
  });

  it('puts channels in an order, and asks what an instruction behind the message means', async ({ expect }) => {
    const page = await openForm();
    await line(page).fill('email Dana every 1st at 9am that rent is due, if nobody is reached try the next');
    await expect
      .poll(() => toCheck(page))
      .toEqual([
        '“if nobody is reached try the next” may be how to send it, or part of the message: write it first, or put the message in quotes',
      ]);
    await line(page).press('Enter');
    await reads(page, ['Nothing is filled in until all of the line is understood.']);
    await line(page).fill('remind Dana every 1st at 9am that rent is due by email, otherwise by SMS');
    await line(page).press('Enter');
    await reads(page, ['Filled in below.']);
    expect(await understood(page)).toContainEqual(expect.stringMatching(/^Channels\s+Email, then SMS/));
    await tab(page, 'Channels').click();
    const order = page.getByRole('list', { name: 'Order of the channels' });
    await expect.poll(() => order.getByRole('listitem').allInnerTexts()).toEqual(['1\nEmail', '2\nSMS']);
    await tab(page, 'Content').click();
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Rent is due.');
    await expectGood(page);
  });

  it('can be taken back, without what was written since; the next line takes the place of the one before', async ({
    expect,
  }) => {
    const page = await openForm();
    await page.getByLabel('Title').fill('Mine');
    await line(page).fill('text Dana every day at 8:30 about pills');
    await fillIn(page);
    await reads(page, ['Filled in below.', 'Dana Reed (1 contact)']);
    await line(page).fill('email dana@example.com every day at 8:30 about pills');
    await reads(page, ['The previous line is filled in below.']);
    await fillIn(page);
    await reads(page, ['Filled in below.']);
    await tab(page, 'Channels').click();
    await expect.poll(() => recipients(page)).toEqual(['dana@example.com']);
    await page.getByRole('combobox', { name: 'Recipients', exact: true }).fill('cy@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove cy@example.com' }).waitFor();

    await undo(page);
    await page.getByRole('status').getByText('Undone.').waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT');
    await expect.poll(() => recipients(page)).toEqual(['cy@example.com']);
    await tab(page, 'Content').click();
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('');
    await tab(page, 'Basic Info').click();
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Mine');
  });

  it('is announced to who hears the screen, and works with the keyboard alone', async ({ expect }) => {
    const page = await openForm();
    await line(page).focus();
    await page.keyboard.type('notify Zoe tomorrow at 9:00 that lunch is here');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const announced = page.getByRole('status').filter({ hasText: 'Filled in.' });
    await announced.waitFor();
    await expect
      .poll(() => announced.innerText())
      .toMatch(
        /^Filled in\. When: Once, on .* at 09:00 .*\. Channels: Push\. Message: Lunch is here\. No contact, group or tag is called “Zoe”/,
      );
    await page.getByRole('button', { name: /^Channels Push Edit under Channels$/ }).focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.textContent === 'Channels');
    await expect.poll(() => tab(page, 'Channels').getAttribute('aria-selected')).toBe('true');
  });

  it('is not there where a reminder is edited', async ({ expect }) => {
    const path = `/reminders/${fixture.things.reminder}/edit`;
    const page = await fixture.open(path, { as: fixture.ann, workspace: fixture.full });
    await reads(page, ['Edit Reminder']);
    await expect.poll(() => line(page).count()).toBe(0);
  });

  it('is read without contacts where they cannot be asked, and without a Temporal of the browser', async () => {
    const page = await openForm({
      own: {},
      async before(opened) {
        await breakDown(opened, '/api/contacts');
        await opened.addInitScript(() => Reflect.deleteProperty(globalThis, 'Temporal'));
      },
    });
    await line(page).fill('email Dana every last Friday at 16:00 Kolkata time about the week');
    await reads(page, [
      'Every month on the last Friday at 16:00 (Asia/Kolkata)',
      'The contacts could not be searched for “Dana”: add the recipients under Channels',
    ]);
    await fillIn(page);
    await reads(page, ['Filled in below.']);
  });

  it('weighs nothing until somebody comes to the line', async () => {
    const asked: string[] = [];
    const page = await openForm({
      own: {},
      async before(opened) {
        opened.on('request', (request) => asked.push(new URL(request.url()).pathname));
      },
    });
    await page.waitForLoadState('networkidle');
    const isPhrases = (path: string) => path.includes('/assets/phrase');
    expect(asked.filter(isPhrases)).toEqual([]);
    const came = page.waitForResponse((response) => isPhrases(new URL(response.url()).pathname));
    await line(page).focus();
    expect((await came).ok()).toBe(true);
  });

  it('fits and is accessible, light and dark', async () => {
    const page = await openForm();
    await line(page).fill(`${rent}, purple ${'W'.repeat(60)} on 3/4`);
    await fillIn(page);
    await reads(page, ['Filled in below.']);
    await expectGood(page);
  });
});
