import { expect, it } from 'vitest';
import { sampleReminder } from '#testing/samples.ts';
import { expectGood } from './looks.ts';
import { describeScreens } from './screens.fixture.ts';

const fixture = describeScreens();

it('everything is paused for a week in three clicks, and one reminder until tomorrow; both can be undone', async () => {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  const schedule_config = {
    ...sampleReminder.schedule_config,
    scheduleType: 'daily',
    startDate: '2026-01-01T09:00:00',
  };
  for (const [name, status] of Object.entries({ Rent: 'active', Cleaning: 'paused', Keys: 'draft' }))
    await fixture.ann.call('POST', '/api/reminders', {
      workspace,
      body: { ...sampleReminder, schedule_config, name, status },
    });
  const page = await fixture.open('/reminders', { as: fixture.ann, workspace });
  const statuses = async () => {
    const { json } = await fixture.ann.call('GET', '/api/reminders?sort=name', { workspace });
    return json.data.map(({ status }: { status: string }) => status);
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const cardOf = (name: string) => page.getByRole('article', { name });

  await button('Actions for all reminders').click();
  await page.getByRole('menuitem', { name: 'Pause all until…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pause all reminders' });
  await dialog.getByRole('button', { name: /^For a week/ }).waitFor();
  await expectGood(page);
  await dialog.getByRole('button', { name: /^For a week/ }).click();
  const banner = page.getByRole('region', { name: 'Pause of all reminders' });
  await banner.getByText(/^All reminders are paused until .*09:00/).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await cardOf('Rent').getByText('Paused until').waitFor();
  expect(await statuses()).toEqual(['paused', 'draft', 'active']);
  await expectGood(page);
  await page.goto('/reminders?view=table');
  await page.getByRole('row', { name: /Rent/ }).getByText('Paused until').waitFor();
  await page.goto('/dashboard');
  await page.getByText('Nothing is due in the next 24 hours. All reminders are paused.').waitFor();
  await page.goto('/reminders?view=cards');
  await cardOf('Rent').getByText('Paused until').waitFor();
  await banner.getByRole('button', { name: 'Resume now' }).click();
  await banner.waitFor({ state: 'detached' });
  await cardOf('Rent').getByText('Next:').waitFor();

  await button('More actions for Rent').click();
  await page.getByRole('menuitem', { name: 'Pause until…' }).click();
  await page
    .getByRole('dialog', { name: 'Pause “Rent”' })
    .getByRole('button', { name: /^Until tomorrow/ })
    .click();
  await cardOf('Rent')
    .getByText(/^Paused until .*09:00$/)
    .waitFor();
  expect(await statuses()).toEqual(['paused', 'draft', 'paused']);
  await page.getByText(/^Reminder paused until/).waitFor();
  await button('Undo').last().click();
  await cardOf('Rent').getByText('Next:').waitFor();
  expect(await statuses()).toEqual(['paused', 'draft', 'active']);
});
