import { expect, it } from 'vitest';
import { dayInWords } from '#domain/day-in-words.ts';
import { sampleReminder } from '#testing/samples.ts';
import { expectGood } from './looks.ts';
import { describeScreens, reads } from './screens.fixture.ts';

const fixture = describeScreens();

it('one person is spared the next run and, until a day, all reminders; each is undone in one click', async () => {
  const dana = await fixture.signUp('Dana Owens');
  const workspace = await dana.createWorkspace('Oak Lane');
  const post = async (path: string, body: object): Promise<string> =>
    (await dana.call('POST', path, { workspace, body })).json.id;
  const anna = await post('/api/contacts', { name: 'Anna Smith', email: 'anna@example.com' });
  await post('/api/contacts', { name: 'Ben Jones', email: 'ben@example.com' });
  const schedule_config = {
    type: 'scheduled',
    scheduleType: 'daily',
    startDate: Temporal.Now.plainDateISO('UTC').add({ days: 2 }).toString() + 'T09:00:00',
    timezone: 'UTC',
  };
  await post('/api/reminders', {
    ...sampleReminder,
    name: 'Rent',
    status: 'active',
    schedule_config,
    content: { ...sampleReminder.content, recipients: [] },
    metadata: { ...sampleReminder.metadata, audience: { everyone: true } },
  });
  const upcoming = async () => (await dana.call('GET', `/api/contacts/${anna}/upcoming`, { workspace })).json.data[0];
  const exclusion = async () => (await upcoming()).exclusion;

  const page = await fixture.open(`/contacts/${anna}`, { as: dana, workspace });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button('Skip the next one: Rent').click();
  await button('Send after all: Rent').waitFor();
  await reads(page, [/^Skipped for them/, 'Anna Smith does not get this run.']);
  expect(await exclusion()).toBe('skipped');
  await expectGood(page, [390, 1440]);
  await button('Undo').click();
  await button('Skip the next one: Rent').waitFor();
  await expect.poll(exclusion).toBeNull();

  const until = Temporal.Now.plainDateISO('UTC').add({ days: 14 }).toString();
  await button('Pause reminders').click();
  const dialog = page.getByRole('dialog', { name: 'No reminders to Anna Smith' });
  await dialog.getByRole('button', { name: 'Pause reminders' }).click();
  await dialog.getByText('Pick a day', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: '2 weeks' }).click();
  await expectGood(page, [390, 1440]);
  await dialog.getByRole('button', { name: 'Pause reminders' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const banner = page.getByRole('list', { name: 'Paused' });
  await banner.getByText(`No reminders before ${dayInWords(until)}.`).waitFor();
  await page.getByText('Paused for them').waitFor();
  expect(await exclusion()).toBe('paused');
  await expectGood(page, [390, 1440]);
  await button('Write to them now').click();
  await page.getByText(`Reminders to them are paused until ${dayInWords(until)}`).waitFor();
  await page.keyboard.press('Escape');
  await banner.getByRole('button', { name: 'End the pause' }).click();
  await banner.waitFor({ state: 'hidden' });
  await expect.poll(exclusion).toBeNull();

  const { job_id: job } = await upcoming();
  await page.goto(`/jobs?job=${job}`);
  await button('2 get it').waitFor();
  await button('Skip it for Anna Smith').click();
  await button('1 gets it').waitFor();
  await expectGood(page, [390, 1440]);
  await button('1 skips this one').click();
  await button('Send after all: Anna Smith').click();
  await page.getByText('Anna Smith gets this run.').waitFor();
  await expect.poll(exclusion).toBeNull();
});
