import { expect, it } from 'vitest';
import { expectGood } from './looks.ts';
import { describeScreens, reads } from './screens.fixture.ts';

const fixture = describeScreens();

it('a member notes on the page of a contact what they were told, and sees all that was said', async () => {
  const dana = await fixture.signUp('Dana Owens');
  const workspace = await dana.createWorkspace('Oak Lane');
  const post = async (path: string, body: object) => (await dana.call('POST', path, { workspace, body })).json;
  const { id } = await post('/api/contacts', {
    name: 'Anna Smith',
    email: 'anna@example.com',
    phone: '+4915112345678',
  });
  const page = await fixture.open(`/contacts/${id}`, { as: dana, workspace });
  const section = page.getByRole('region', { name: 'Consent' });
  await section.getByText('They have said nothing about being written to.').waitFor();
  await expectGood(page, [390, 1440]);

  await section.getByRole('button', { name: 'Note a consent' }).click();
  const dialog = page.getByRole('dialog', { name: 'What Anna Smith said' });
  await dialog.getByRole('button', { name: 'Note it' }).click();
  await dialog.getByText('Enter what they agreed to, word for word').waitFor();
  await expectGood(page, [390, 1440]);
  await dialog.getByLabel('What they agreed to').fill('I may get texts about my rent.');
  await dialog.getByRole('button', { name: 'Note it' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await reads(page, [
    /^Consents to messages by SMS$/,
    /noted by Dana Owens, told by phone$/,
    'I may get texts about my rent.',
  ]);

  await section.getByRole('button', { name: 'Note a consent' }).click();
  await dialog.getByLabel('What they said').click();
  await page.getByRole('option', { name: 'They want no more messages' }).click();
  await dialog.getByRole('button', { name: 'Note it' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page
    .getByRole('list', { name: 'Do not contact' })
    .getByText('Nothing is sent to +4915112345678 by SMS')
    .waitFor();
  await section.getByText('Wants no more messages by SMS').waitFor();
  const rows = await section.getByRole('listitem').allInnerTexts();
  expect(rows.map((row) => row.split('\n')[0])).toEqual([
    'Wants no more messages by SMS',
    'Consents to messages by SMS',
  ]);
  await expectGood(page, [390, 1440]);
  if (process.env['SHOTS'] !== undefined) {
    for (const scheme of ['light', 'dark'] as const)
      for (const width of [390, 1440]) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        await page.screenshot({ path: `/tmp/consent-shots/page-${scheme}-${width}.png`, fullPage: true });
      }
    await section.getByRole('button', { name: 'Note a consent' }).click();
    await dialog.getByRole('button', { name: 'Note it' }).click();
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `/tmp/consent-shots/dialog-${width}.png` });
    }
  }
});
