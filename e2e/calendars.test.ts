import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { addMember } from '#testing/owner.ts';
import { expectGood } from './looks.ts';
import { breakDown, describeScreens, outage, reads, restore, toast } from './screens.fixture.ts';

const fixture = describeScreens();

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
const calendar = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'BEGIN:VEVENT',
  'UID:choir',
  `DTSTART:${day(5)}T180000Z`,
  'RRULE:FREQ=WEEKLY;COUNT=12',
  'SUMMARY:Choir practice',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'UID:over',
  'DTSTART:20200101T090000Z',
  'SUMMARY:New Year 2020',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');
const file = { name: 'choir.ics', mimeType: 'text/calendar', buffer: Buffer.from(calendar) };

const section = (page: Page) => page.getByRole('region', { name: 'Reminders from calendars' });
const manage = (workspace: string) => `/admin/workspace/${workspace}/manage`;

describe.concurrent('reminders from calendars', () => {
  it('are previewed, added, paused, edited and removed', async ({ expect }) => {
    const dana = await fixture.signUp('Dana Owens');
    const workspace = await dana.createWorkspace('Elm Street');
    const page = await fixture.open(manage(workspace), { as: dana, workspace });
    await section(page).getByText('No calendars yet').waitFor();
    await section(page).getByRole('button', { name: 'Add calendar' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a calendar' });
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('Name the calendar').waitFor();
    await dialog.getByText('Enter the address of the calendar, or choose a file').waitFor();
    await dialog.getByLabel('Name').fill('Choir');
    await dialog.locator('input[type=file]').setInputFiles(file);
    await dialog.getByText('choir.ics').waitFor();
    await dialog.getByLabel('Recipients').fill('erin@example.com');
    await dialog.getByRole('button', { name: 'Another time' }).click();
    await dialog.getByRole('button', { name: 'Preview' }).press('Enter');
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await preview.getByText('24 messages within the next 400 days, the first 10:').waitFor();
    await preview.getByText('1 event is left out').waitFor();
    await expectGood(page);
    await dialog.getByRole('button', { name: 'Add calendar' }).click();
    await toast(page, { title: 'Calendar added', text: 'Its messages are planned.' });
    await section(page)
      .getByText(/24 planned messages, the next on/)
      .waitFor();
    await expectGood(page);
    await section(page).getByRole('button', { name: 'Pause: Choir' }).click();
    await toast(page, { title: 'Calendar paused', text: 'Nothing of it is sent until you resume it.' });
    await section(page).getByRole('button', { name: 'Resume: Choir' }).waitFor();
    await section(page).getByRole('button', { name: 'Edit: Choir' }).click();
    const editing = page.getByRole('dialog', { name: 'Edit Choir' });
    await editing.getByRole('button', { name: 'Remove time 2' }).click();
    await editing.getByRole('button', { name: 'Save' }).click();
    await toast(page, { title: 'Calendar saved', text: 'Its messages are up to date.' });
    await section(page)
      .getByText(/Paused\. 12 planned messages/)
      .waitFor();
    await section(page).getByRole('link', { name: 'Choir' }).click();
    await page.getByRole('heading', { level: 1, name: 'Choir' }).waitFor();
    await reads(page, ['Sent before each event of its calendar.']);
    await page.goBack();
    await section(page).getByRole('button', { name: 'Remove: Choir' }).click();
    const removing = page.getByRole('dialog', { name: 'Remove Choir?' });
    await removing.getByLabel('Keep it').check();
    await expectGood(page, [390]);
    await removing.getByRole('button', { name: 'Remove calendar' }).click();
    await toast(page, { title: 'Calendar removed', text: 'Choir is not read any more.' });
    await section(page).getByText('No calendars yet').waitFor();
    const { json } = await dana.call('GET', '/api/reminders', { workspace });
    expect(json.data).toHaveLength(1);
  });

  it('keep the buttons of their dialog in sight on a phone, however long the form is', async ({ expect }) => {
    const page = await fixture.open(manage(fixture.full), { as: fixture.ann, workspace: fixture.full, width: 390 });
    await section(page).getByRole('button', { name: 'Add calendar' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a calendar' });
    await dialog.getByRole('combobox', { name: 'Timezone' }).waitFor();
    const bottom = (name: string) =>
      dialog.getByRole('button', { name, exact: true }).evaluate((button) => button.getBoundingClientRect().bottom);
    for (const name of ['Cancel', 'Preview']) await expect.poll(() => bottom(name)).toBeLessThanOrEqual(900);
  });

  it('show members what fails and why, and change nothing', async ({ expect }) => {
    const [dana, finn] = await Promise.all([fixture.signUp('Dana Owens'), fixture.signUp('Finn Moss')]);
    const workspace = await dana.createWorkspace('Elm Street');
    await addMember(fixture.owner, { workspace, userId: finn.userId, role: 'member' });
    const { status } = await dana.call('POST', '/api/calendar-sources', {
      workspace,
      body: {
        name: 'Court dates',
        timezone: 'UTC',
        offsets: [{ amount: 0, unit: 'hours' }],
        all_day_time: '09:00',
        url: 'http://10.0.0.1/court.ics',
        content: { subject: 'Court', message: '{{event.title}}', recipients: ['erin@example.com'] },
        metadata: { channels: ['email'] },
      },
    });
    expect(status).toBe(201);
    const page = await fixture.open(manage(workspace), { as: finn, workspace });
    await section(page)
      .getByText(/^10\.0\.0\.1 is .* which Cuebird does not connect to\. Since/)
      .waitFor();
    expect(await section(page).getByRole('button').count()).toBe(0);
    await expectGood(page);
    await fixture.leave(page);

    const failing = await fixture.open(manage(workspace), {
      as: finn,
      workspace,
      before: (opened) => breakDown(opened, '/api/calendar-sources'),
    });
    await section(failing).getByText(outage).waitFor();
    await restore(failing);
    await section(failing).getByRole('button', { name: 'Retry' }).click();
    await section(failing).getByText('Court dates').waitFor();
  });
});
