import { describe, expect, it } from 'vitest';
import {
  accepted,
  insertRunOfPeople,
  lacksStreet,
  type Lines,
  mostWereReached,
  peopleInLedger,
} from '#testing/run-of-people.ts';
import { sampleReminder } from '#testing/samples.ts';
import { expectGood } from './looks.ts';
import { describeScreens, reads } from './screens.fixture.ts';

const fixture = describeScreens();
const widths = [390, 1440];
const unverified = 'Written again from what is kept; nothing was kept to compare it with.';

type Runs = { workspace: string; reminderId: string; job: string; reached: string; line: string };

/** A monthly reminder for 184 people: nobody was written to, then nobody reached, everybody, and last most of them. */
async function insertRuns(): Promise<Runs> {
  const { ann, owner } = fixture;
  const workspace = await ann.createWorkspace(`Elm ${crypto.randomUUID().slice(0, 8)}`);
  const schedule = { type: 'scheduled', scheduleType: 'monthly', startDate: '2098-01-01T09:00:00', timezone: 'UTC' };
  const body = { ...sampleReminder, name: 'Rent', status: 'active', schedule_config: schedule };
  const { id: reminderId } = await fixture.call(workspace, { path: '/api/reminders', body });
  const of = { workspaceId: workspace, reminderId, name: 'Rent' };
  const at = (daysAgo: number) =>
    Temporal.Now.instant()
      .subtract({ hours: 24 * daysAgo })
      .toString();
  const all = (lines: Lines) => Array.from({ length: 184 }, () => lines);
  const lacking = 'failed: no value for {{street}}';
  await insertRunOfPeople(owner, { ...of, at: at(5), status: 'cancelled', people: [], message: 'It was paused' });
  const none = { people: all(lacksStreet), message: `184 of 184 ${lacking}` };
  await insertRunOfPeople(owner, { ...of, at: at(4), status: 'failed', ...none });
  await insertRunOfPeople(owner, { ...of, at: at(3), status: 'completed', people: all(accepted) });
  const most = { people: mostWereReached, message: `11 of 184 ${lacking}` };
  const job = await insertRunOfPeople(owner, { ...of, at: at(1), status: 'failed', ...most });
  const own = await peopleInLedger(owner, job);
  const reached = `${own.reached} of ${own.total} people`;
  return { workspace, reminderId, job, reached, line: `${reached} · ${own.failed} lack Street` };
}

describe('a run that has reached 173 of 184 people is partly sent, and says so', () => {
  let inserted: Promise<Runs> | undefined;
  const runs = () => (inserted ??= insertRuns());
  const open = async (path: string) =>
    fixture.open(path, { as: fixture.ann, workspace: (await runs()).workspace, width: 1440 });
  const results = async () => [
    (await runs()).line,
    '184 of 184 people',
    '0 of 184 people · 184 lack Street',
    'It was paused',
  ];
  const badges = ['Partly sent', 'Completed', 'Failed', 'Cancelled'];

  it('in the list of jobs, beside those that reached everybody and nobody', async () => {
    expect((await runs()).line).toBe('173 of 184 people · 11 lack Street');
    const page = await open('/jobs');
    await reads(page, [...(await results()), ...badges]);
    const badge = page.locator('[data-tone]').filter({ hasText: 'Partly sent' }).first();
    expect(await badge.getAttribute('data-tone')).toBe('waiting');
    await expectGood(page, widths);
  });

  it('in the palette, in the words of the list', async () => {
    const page = await open('/dashboard');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByPlaceholder('Search, or jump to anything').fill('rent');
    const notes = page.getByRole('dialog').getByText(/^(Partly sent|Completed|Failed|Cancelled), /);
    await expect.poll(async () => (await notes.allInnerTexts()).map((note) => note.split(',')[0])).toEqual(badges);
  });

  it('in its details, with why the others were not reached', async () => {
    const { job, reached } = await runs();
    const page = await open(`/jobs?job=${job}`);
    const dialog = page.getByRole('dialog', { name: 'Job details' });
    await dialog.getByText(`Sent to ${reached}`).waitFor();
    await dialog.getByRole('button', { name: 'Retry 11 failed' }).waitFor();
    await reads(page, ['11 people: There is no value for {{street}}.', '215 messages to 184 people']);
    await expectGood(page, widths);
  });

  it('in its details, from where exactly the others are written to', async ({ expect }) => {
    const { job, workspace } = await runs();
    const page = await open(`/jobs?job=${job}`);
    await page.getByRole('button', { name: 'Write to the 11 who were not reached' }).click();
    await page.getByRole('heading', { level: 1, name: 'Write to 11 people' }).waitFor();
    await page.getByRole('button', { name: 'Change the people' }).click();
    await reads(page, ['11 contacts · 11 in its audience']);
    await expectGood(page, widths);
    const { rows } = await fixture.owner.query<{ contact_id: string }>(
      "select contact_id from deliveries where job_id = $1 and reason_code = 'missing_value'",
      [job],
    );
    await page.getByRole('tab', { name: 'Basic Info' }).click();
    await page.getByLabel('Title').fill('Your street');
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByLabel('Subject').fill('Your street');
    await page.getByLabel('Message').fill('Where do you live?');
    await page.getByRole('button', { name: 'Send to 11 people' }).click();
    await page.waitForURL(/\/jobs$/);
    const { data: jobs } = await fixture.call(workspace, { method: 'GET', path: '/api/jobs' });
    const { reminder_id: id } = jobs.find(({ name }: { name: string }) => name === 'Your street');
    const written = await fixture.call(workspace, { method: 'GET', path: `/api/reminders/${id}` });
    expect(written.metadata.audience.contacts.toSorted()).toEqual(rows.map((row) => row.contact_id).toSorted());
  });

  it('in its details, from where contacts are completed', async () => {
    const { ann, owner } = fixture;
    const workspace = await ann.createWorkspace('Elm Street');
    const { id: contact } = await fixture.call(workspace, {
      path: '/api/contacts',
      body: { name: 'Mia', email: 'mia@example.com', tags: ['tenant'] },
    });
    const { id: reminderId } = await fixture.call(workspace, {
      path: '/api/reminders',
      body: {
        ...sampleReminder,
        status: 'draft',
        content: { subject: 'Rent', message: 'For {{street}}', recipients: [] },
        metadata: { channels: ['email'], audience: { tags: ['tenant'] } },
      },
    });
    const at = Temporal.Now.instant().subtract({ hours: 1 }).toString();
    const people = [lacksStreet, accepted];
    const job = await insertRunOfPeople(owner, { workspaceId: workspace, reminderId, at, status: 'failed', people });
    const page = await fixture.open(`/jobs?job=${job}`, { as: ann, workspace, width: 1440 });
    await page.getByRole('button', { name: 'Write to the one who was not reached' }).waitFor();
    await page.getByRole('button', { name: 'Complete 1 contact: street' }).click();
    await page.getByRole('button', { name: 'Edit Mia' }).waitFor();
    await expectGood(page, widths);
    await fixture.call(workspace, {
      method: 'PUT',
      path: `/api/contacts/${contact}`,
      body: { name: 'Mia', email: 'mia@example.com', tags: ['tenant'], variables: { street: 'Elm 1' } },
    });
    await page.getByRole('dialog', { name: 'All mended' }).waitFor();
  });

  it('in its report', async () => {
    const { job, line } = await runs();
    const page = await open(`/jobs/${job}/report`);
    await reads(page, [line, 'Partly sent', 'Message', unverified]);
    await expectGood(page, widths);
  });

  it('in its report by mail, where addresses that cannot be sent to stay in the form', async () => {
    const { job, workspace } = await runs();
    const blocked = { channel: 'email', recipient: 'gone@example.com' };
    await fixture.call(workspace, { path: '/api/suppressions', body: blocked });
    const page = await open(`/jobs?job=${job}`);
    await page.getByRole('link', { name: 'Email this report' }).click();
    await page.waitForURL(`**/jobs/${job}/report`);
    const dialog = page.getByRole('dialog', { name: 'Email this report' });
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await dialog.getByText('Enter at least one address').waitFor();
    await dialog.getByLabel('Addresses').fill('boss@example.com, falsch; Chef <chef>');
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await dialog.getByText('“falsch” is not an email address. “Chef <chef>” is not an email address.').waitFor();
    await dialog.getByLabel('Addresses').fill('Boss, Big <boss@example.com>, gone@example.com');
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await dialog.getByText('“Boss” is not an email address.').waitFor();
    await dialog.getByLabel('Addresses').fill('Big Boss <boss@example.com>, gone@example.com');
    await expectGood(page, widths);
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await dialog.getByText('gone@example.com: it is on the suppression list of this workspace').waitFor();
    await expect.poll(() => dialog.getByLabel('Addresses').inputValue()).toBe('gone@example.com');
  });

  it('on the page of its reminder', async () => {
    const page = await open(`/reminders/${(await runs()).reminderId}`);
    await reads(page, [...(await results()), ...badges]);
    await expectGood(page, widths);
  });

  it('on the card of its reminder', async () => {
    const page = await open('/reminders');
    await reads(page, [`partly sent, ${(await runs()).reached}`]);
    await expectGood(page, widths);
  });

  it('on the dashboard', async () => {
    const page = await open('/dashboard');
    await reads(page, [`Partly sent · ${(await runs()).line}`]);
    await expectGood(page, widths);
  });
});

it('a run says in its details and its report who was written to over the channel that they prefer', async ({
  expect,
}) => {
  const workspace = await fixture.ann.createWorkspace(`Oak ${crypto.randomUUID().slice(0, 8)}`);
  const numbers = { email: 'ben@example.com', phone: '+4915112345679' };
  const ben = { name: 'Ben', ...numbers, preferred_channel: 'sms' };
  const cleo = { name: 'Cleo', email: 'cleo@example.com' };
  await fixture.call(workspace, { path: '/api/contacts/batch', body: { contacts: [ben, cleo] } });
  await fixture.call(workspace, {
    path: '/api/reminders',
    body: {
      ...sampleReminder,
      status: 'active',
      schedule_config: { type: 'scheduled', scheduleType: 'once', timezone: 'UTC' },
      content: { ...sampleReminder.content, recipients: [] },
      metadata: { channels: ['email', 'sms'], channel_mode: 'in_order', audience: { everyone: true } },
    },
  });
  const job = async () => (await fixture.call(workspace, { method: 'GET', path: '/api/jobs' })).data[0];
  await expect.poll(async () => (await job())?.status, { timeout: 30_000 }).toBe('completed');
  const { id } = await job();
  const page = await fixture.open(`/jobs?job=${id}`, { as: fixture.ann, workspace, width: 1440 });
  const lines = page.getByRole('dialog', { name: 'Job details' }).getByRole('listitem');
  const withWords = async () =>
    (await lines.allInnerTexts()).filter((text) => text.includes('by preference')).map((text) => text.split('\n')[0]);
  await expect.poll(withWords).toEqual(['Ben']);
  await expectGood(page, widths);
  await page.goto(`/jobs/${id}/report`);
  const rows = page.getByRole('row').filter({ hasText: 'by preference' });
  await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringMatching(/Ben[\s\S]*SMS/)]);
  await expectGood(page, widths);
});
