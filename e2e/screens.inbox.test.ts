import { describe, it } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import { expectFits, describeScreens, reads, toast } from './screens.fixture.ts';

describe.concurrent('the inbox', () => {
  const fixture = describeScreens();

  it('lets a channel fail, says so above the messages, and behaves again when it is told to', async () => {
    const page = await fixture.open('/inbox', { as: fixture.ann, workspace: fixture.empty });
    await page.getByRole('button', { name: 'Simulate failures' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Number of messages').fill('');
    await dialog.getByRole('button', { name: 'Start simulating' }).click();
    await reads(page, ['A whole number from 1 to 10,000']);
    await dialog.getByLabel('Number of messages').fill('2');
    await dialog.getByRole('button', { name: 'Start simulating' }).click();
    const words = 'SMS: too many requests, retry after 30 s; 2 more times';
    await toast(page, { title: 'Simulation started', text: words });
    await dialog.getByRole('combobox', { name: 'Failure' }).click();
    await page.getByRole('option', { name: 'Server error' }).click();
    await reads(page, ['Refused with a server error.', 'Answer']);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    const notice = page.getByRole('region', { name: 'Simulated failures' });
    await notice.getByText(words).waitFor();
    await expectAccessible(page);
    await notice.getByRole('button', { name: `Stop simulating ${words}` }).click();
    await notice.waitFor({ state: 'detached' });
  });

  it('shows what is answered as the recipient in the conversation, and in the list', async () => {
    const page = await fixture.open(`/inbox/${fixture.things.sms}`, { as: fixture.ann, workspace: fixture.full });
    const phone = page.getByRole('region', { name: 'The phone of +14155552671' });
    await phone.getByRole('button', { name: 'Reply STOP' }).click();
    await phone.getByText('STOP', { exact: true }).waitFor();
    await toast(page, {
      title: '+14155552671 answered “STOP”',
      text: 'The provider has no callback URL, so Cuebird does not receive this answer.',
    });
    await phone.getByLabel('Answer as +14155552671').fill('I have paid');
    await page.keyboard.press('Enter');
    await phone.getByText('I have paid', { exact: true }).waitFor();
    const answer = page.getByRole('link', { name: 'I have paid' });
    await answer.click();
    await reads(page, ['Answer from +14155552671', 'The rent of June is due.']);
    await expectFits(page);
  });

  it('says that there is no such message, also where its address has no id', async () => {
    const page = await fixture.open(`/inbox/${crypto.randomUUID()}`, { as: fixture.ann, workspace: fixture.full });
    await reads(page, ['This message is not here']);
    await page.goto('/inbox/first');
    await reads(page, ['This message is not here']);
    await expectGood(page, [390, 1440]);
    await page.getByRole('link', { name: 'Show all messages' }).click();
    await reads(page, ['Choose a message']);
  });

  it('is filtered by channel', async ({ expect }) => {
    const page = await fixture.open('/inbox', { as: fixture.ann, workspace: fixture.full });
    await page.getByText('The rent of June is due.').first().waitFor();
    await page.getByRole('radiogroup', { name: 'Channel' }).getByTitle('Slack').click();
    await page.getByText('Rent & water').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?channel=slack');
    // The list of all messages has the one of Slack, too.
    await page.getByText('The rent of June is due.').first().waitFor({ state: 'detached' });
  });
});
