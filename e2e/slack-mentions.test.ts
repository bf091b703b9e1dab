import { expect, it } from 'vitest';
import { expectGood } from './looks.ts';
import { describeScreens } from './screens.fixture.ts';

const fixture = describeScreens();

it('an admin lets messages mention people in Slack, and the preview says whom they ping', async () => {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  await fixture.ann.call('POST', '/api/channels', {
    workspace,
    body: {
      name: 'Team',
      type: 'slack',
      configuration: { method: 'webhook', webhook_url: 'http://127.0.0.1:2/services' },
    },
  });
  const page = await fixture.open('/reminders/new', { as: fixture.ann, workspace });
  const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
  const tile = (name: RegExp) => page.getByRole('button', { name }).click();
  const write = async () => {
    await tab('Channels');
    await tile(/^Slack/);
    await tile(/^Email/);
    await tab('Content');
    await page.getByRole('textbox', { name: 'Message' }).fill('Hi @here and <@U012AB>');
  };
  await write();
  const off =
    '@here, <@U012AB> stay plain text and ping nobody. An admin can let messages mention people, in the channel Team under Channels.';
  await page.getByText(off).waitFor();
  await expectGood(page);

  await page.getByRole('textbox', { name: 'Subject' }).fill('@channel: the lift');
  await page.getByRole('textbox', { name: 'Message' }).fill('Ask @petra, <@U012AB> or desk@example.com');
  await page
    .getByText(
      '@channel in the subject pings nobody: only the message can. @petra pings nobody: Slack needs the id of a person, as in <@U012AB>.',
    )
    .waitFor();
  await expectGood(page);
  await page.getByRole('textbox', { name: 'Message' }).fill('Hi @here and <@U012AB>');
  await page.getByText(off).waitFor();

  const channels = await fixture.open('/channels', { as: fixture.ann, workspace });
  await channels.getByRole('button', { name: /Edit/ }).first().click();
  const dialog = channels.getByRole('dialog');
  await dialog.getByRole('tab', { name: 'Configuration' }).click();
  const mentions = dialog.getByRole('switch', { name: 'Let messages mention people' });
  await expect.poll(() => mentions.isChecked()).toBe(false);
  await expectGood(channels);
  await mentions.press('Space');
  await dialog.getByRole('button', { name: 'Update Channel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const { json } = await fixture.ann.call('GET', '/api/channels', { workspace });
  expect(json.data[0].configuration).toMatchObject({ allow_mentions: true });

  await page.getByText('Pings everybody in the channel who is online, and the person U012AB.').waitFor();
  await expectGood(page);
});
