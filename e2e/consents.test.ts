import type { Page } from 'playwright-core';
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
  await post('/api/topics', { name: 'Notices', kind: 'required', why: 'law' });
  const page = await fixture.open(`/contacts/${id}`, { as: dana, workspace });
  const section = page.getByRole('region', { name: 'Consent' });
  await section.getByText('They have said nothing about being written to.').waitFor();
  await expectGood(page, [390, 1440]);

  await section.getByRole('button', { name: 'Note a consent' }).click();
  const dialog = page.getByRole('dialog', { name: 'What Anna Smith said' });
  await dialog.getByRole('button', { name: 'Note it' }).click();
  await dialog.getByText('Choose what they said it about').waitFor();
  await dialog.getByLabel('About').click();
  await page.getByRole('option', { name: 'Notices' }).click();
  await dialog.getByRole('button', { name: 'Note it' }).click();
  await dialog.getByText('Enter what they agreed to, word for word').waitFor();
  // What nobody can leave is not chosen any more once they want no more messages.
  await dialog.getByLabel('What they said').click();
  await page.getByRole('option', { name: 'They want no more messages' }).click();
  await dialog.getByRole('button', { name: 'Note it' }).click();
  await dialog.getByText('Choose what they said it about').waitFor();
  await dialog.getByLabel('What they said').click();
  await page.getByRole('option', { name: 'They agree to messages' }).click();
  await dialog.getByLabel('About').click();
  await page.getByRole('option', { name: 'All messages', exact: true }).click();
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
  await dialog.getByLabel('About').click();
  await page.getByRole('option', { name: 'Everything', exact: true }).click();
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
  await shoot(page, 'page');

  await section.getByRole('link', { name: 'Proof' }).click();
  await page.getByRole('heading', { name: 'Proof of consent' }).waitFor();
  await reads(page, ['Wants no more messages by SMS', 'I may get texts about my rent.']);
  await expectGood(page, [390, 1440]);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as JSON' }).click();
  expect((await saved).suggestedFilename()).toBe('consent-sms-+4915112345678.json');
  await shoot(page, 'proof');
});

it('an admin requires consent for SMS, and sees how many would get nothing, there, in the form and on the page of a contact', async () => {
  const dana = await fixture.signUp('Dana Owens');
  const workspace = await dana.createWorkspace('Oak Lane');
  const post = async (path: string, body: object) => (await dana.call('POST', path, { workspace, body })).json;
  const numbers = ['+4915112345671', '+4915112345672', '+4915112345673'];
  const contacts = await Promise.all(numbers.map((phone, n) => post('/api/contacts', { name: `Anna ${n}`, phone })));
  await post('/api/consents', {
    consents: [{ channel: 'sms', recipient: numbers[0], kind: 'given', text: 'Text me.', how: 'writing' }],
  });
  const page = await fixture.open(`/admin/workspace/${workspace}/manage?tab=settings`, { as: dana, workspace });
  const section = page.getByRole('region', { name: 'Consent' });
  await section.getByRole('switch', { name: 'Require consent for SMS' }).click();
  await section.getByText('SMS: 1 of 3 numbers of contacts has agreed. 2 get nothing by SMS.').waitFor();
  await page.getByText('Not saved: Require consent.').waitFor();
  await expectGood(page, [390, 1440]);
  await section.scrollIntoViewIfNeeded();
  await shoot(page, 'settings');
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await page.getByText('Everything is saved.').waitFor();

  await page.goto(`${fixture.url}/contacts/${contacts[1].id}`);
  await page.getByText('No consent to SMS is on record: nothing is sent to them by SMS.').waitFor();
  await expectGood(page, [390, 1440]);
  await shoot(page, 'contact');
});

it('an admin imports contacts with their consents, attests them, and sees who is left out', async () => {
  const dana = await fixture.signUp('Dana Owens');
  const workspace = await dana.createWorkspace('Oak Lane');
  const post = async (path: string, body: object) => (await dana.call('POST', path, { workspace, body })).json;
  await post('/api/suppressions', { channel: 'sms', recipient: '+4915112345672' });
  const page = await fixture.open('/contacts', { as: dana, workspace });
  await page.getByRole('button', { name: 'Import a file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import Contacts' });
  await dialog
    .getByLabel('Contacts')
    .fill('Name,Phone,Signed\nAnna,+4915112345671,2026-01-02\nBen,+4915112345672,2026-01-03');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByRole('switch', { name: 'These people agreed to be written to' }).click();
  const attest = dialog.getByLabel('I attest that these people agreed to this text, at the time given.');
  await attest.click();
  await dialog.getByText('Choose a channel').waitFor();
  await dialog.getByText('Choose the day, or the column that says it').waitFor();
  await expectGood(page, [390, 1440]);
  await dialog.getByLabel('SMS').click();
  await dialog.getByLabel('About').click();
  await page.getByRole('option', { name: 'All messages', exact: true }).click();
  await dialog.getByLabel('What they agreed to').fill('Text me about my rent.');
  await dialog.getByLabel('When they agreed').fill('5 Jan 2026');
  await attest.click();
  await dialog.getByText('1 consent. 1 is left out: they have withdrawn, or are on the suppression list.').waitFor();
  await dialog.getByText('no consent of theirs is recorded: line 3.').waitFor();
  await expectGood(page, [390, 1440]);
  await shoot(page, 'import');
  await dialog.getByRole('button', { name: 'Import 2 contacts' }).click();
  await page.getByText('2 new. 1 consent recorded.').waitFor();
  const { data } = (await dana.call('GET', '/api/consents?kind=given', { workspace })).json;
  expect(data).toMatchObject([{ recipient: '+4915112345671', method: 'import', said_at: '2026-01-05T00:00:00.000Z' }]);
});

async function shoot(page: Page, name: string): Promise<void> {
  if (process.env['SHOTS'] === undefined) return;
  for (const scheme of ['light', 'dark'] as const)
    for (const width of [390, 1440]) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${process.env['SHOTS']}/${name}-${scheme}-${width}.png`, fullPage: true });
    }
}
