import { expect, it } from 'vitest';
import { expectGood } from './looks.ts';
import { describeScreens } from './screens.fixture.ts';

const fixture = describeScreens();

it('a reminder to Slack alone asks for no recipient, keeps what was typed, and is saved without it', async () => {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  const page = await fixture.open('/reminders/new', { as: fixture.ann, workspace });
  const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
  const tile = (name: RegExp) => page.getByRole('button', { name }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Stand-up');
  await tab('Channels');
  const recipient = page.getByPlaceholder('Email, phone, URL or the name of a contact');
  await recipient.fill('whoever');
  await tile(/^Slack/);
  await recipient.waitFor();
  await tile(/^Email/);
  await page.getByText('No recipient is needed: Slack posts to its own channel.').waitFor();
  await page.getByText('are not saved', { exact: false }).waitFor();
  await expect.poll(() => recipient.count()).toBe(0);
  await expectGood(page);
  await tile(/^Email/);
  await expect.poll(() => recipient.inputValue()).toBe('whoever');
  await tile(/^Email/);
  await tab('Content');
  await page.getByRole('textbox', { name: 'Subject' }).fill('Stand-up');
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello {{recipient_name}}');
  await page.getByText('Hello everyone').waitFor();
  await page.getByRole('button', { name: 'Create Reminder' }).click();
  const card = page.getByRole('article', { name: 'Stand-up' });
  await card.getByText('Slack').waitFor();
  const { json } = await fixture.ann.call('GET', '/api/reminders', { workspace });
  expect(json.data[0]).toMatchObject({ metadata: { channels: ['slack'] }, content: { recipients: [] } });
});

it('a calendar to Slack asks for no recipient', async () => {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  const page = await fixture.open(`/admin/workspace/${workspace}/manage`, { as: fixture.ann, workspace });
  await page.getByRole('button', { name: 'Add calendar' }).first().click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Channel' }).click();
  await page.getByRole('option', { name: 'Slack' }).click();
  await page.getByText('No recipient is needed: Slack posts to its own channel.').waitFor();
  await expectGood(page);
});
