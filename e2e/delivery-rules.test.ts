import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addMember } from '#testing/owner.ts';
import { beginChannel, dialogOf, field, openTab, press, pressInCard } from './channel-form.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import { describeScreens, reads, type Visit } from './screens.fixture.ts';

const fixture = describeScreens();

const visit = (path: string, workspace: string, more: Visit = {}) =>
  fixture.open(path, { as: fixture.ann, workspace, ...more });

const says = (element: Locator, words: RegExp) => element.filter({ hasText: words }).waitFor();

const noteOf = (page: Page, title: string) =>
  page.locator('.mantine-Notification-root').filter({ hasText: title }).first().waitFor();

/** Two mail channels and one for SMS, and more mail channels. */
async function workspaceWithChannels(more: readonly string[] = []) {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  const create = async (name: string, type: string, configuration: object): Promise<string> => {
    const { json } = await fixture.ann.call('POST', '/api/channels', {
      workspace,
      body: { name, type, configuration },
    });
    return json.id;
  };
  const mail = { smtp_host: '127.0.0.1', smtp_port: 2525, username: 'dana@example.com' };
  const desk = await create('Desk', 'email', mail);
  for (const name of ['Shop', ...more]) await create(name, 'email', mail);
  await create('Texts', 'sms', { provider: 'twilio', api_key: 'AC0123', api_secret: 's', from_number: '+14155238886' });
  return { workspace, desk };
}

describe.concurrent('the sending hours', () => {
  const openHours = async (workspace: string, more: Visit = {}): Promise<Page> => {
    const page = await visit('/channels', workspace, more);
    await page.getByRole('button', { name: 'Sending hours' }).click();
    await dialogOf(page).getByRole('heading', { name: 'Sending hours' }).waitFor();
    return page;
  };
  const switchOn = (page: Page) => page.getByRole('switch', { name: 'Send within these hours only' }).press('Space');
  const settingsOf = async (workspace: string) => {
    const { json } = await fixture.ann.call('GET', '/api/workspaces');
    return json.data.find((one: { id: string }) => one.id === workspace).settings;
  };

  it('are set in a dialog that says in a sentence what they mean', async () => {
    const { workspace } = await workspaceWithChannels();
    const page = await openHours(workspace);
    const sentence = dialogOf(page).getByRole('status');
    await says(sentence, /^Messages go out at any time/);
    await switchOn(page);
    await says(sentence, /^Mail, SMS and WhatsApp go out Mon–Fri 08:00–20:00, in the recipient's timezone/);
    await dialogOf(page).getByRole('button', { name: 'Sat', exact: true }).click();
    await dialogOf(page).getByRole('button', { name: 'WhatsApp' }).click();
    await page.getByLabel('From: hours').fill('09');
    await page.getByLabel('From: minutes').fill('30');
    await page.getByRole('switch', { name: "Use the recipient's timezone" }).press('Space');
    await says(sentence, /^Mail and SMS go out Mon–Sat 09:30–20:00, .* time\.$/);
    await press(page, 'Save');
    await noteOf(page, 'Sending hours saved');
    expect((await settingsOf(workspace)).sendingHours).toMatchObject({
      enabled: true,
      days: [1, 2, 3, 4, 5, 6],
      from: '09:30',
      to: '20:00',
      zone: 'workspace',
      channels: ['email', 'sms'],
    });
    await page.getByRole('button', { name: 'Sending hours' }).click();
    await says(dialogOf(page).getByRole('status'), /^Mail and SMS go out Mon–Sat 09:30–20:00/);
  });

  it('are not saved without a day, a channel or a beginning', async () => {
    const { workspace } = await workspaceWithChannels();
    const page = await openHours(workspace);
    await switchOn(page);
    for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'])
      await dialogOf(page).getByRole('button', { name: day, exact: true }).click();
    for (const channel of ['Email', 'SMS', 'WhatsApp'])
      await dialogOf(page).getByRole('button', { name: channel, exact: true }).click();
    await page.getByLabel('To: hours').fill('08');
    await press(page, 'Save');
    await dialogOf(page).getByText('Choose at least one day').waitFor();
    await dialogOf(page).getByText('Choose at least one channel').waitFor();
    await expectAccessible(page);
    expect(await settingsOf(workspace)).toEqual({});
  });

  it('are shown to a member, who cannot change them', async ({ expect }) => {
    const { workspace } = await workspaceWithChannels();
    const own = await openHours(workspace);
    await switchOn(own);
    await press(own, 'Save');
    await noteOf(own, 'Sending hours saved');
    const max = await fixture.signUp('Max');
    await addMember(fixture.owner, { workspace, userId: max.userId, role: 'member' });
    const page = await visit('/channels', workspace, { as: max });
    await page.getByText(/go out every day|go out Mon/).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Sending hours' }).count()).toBe(0);
  });

  it('fit and can be used by everybody, light and dark', async () => {
    const { workspace } = await workspaceWithChannels();
    const page = await openHours(workspace);
    await expectGood(page);
  });
});

describe.concurrent('the messages per second of a channel', () => {
  it('are set with the channel, refused where they make no sense, and taken away again', async ({ expect }) => {
    const { workspace, desk } = await workspaceWithChannels();
    const rateOf = async () => {
      const { json } = await fixture.ann.call('GET', '/api/channels', { workspace });
      return json.data.find((one: { id: string }) => one.id === desk).rate_limit_per_second;
    };
    const page = await visit('/channels', workspace);
    const save = async (rate: string) => {
      await pressInCard(page, 'Desk', 'Edit');
      await openTab(page, 'Basic Settings');
      await field(page, 'Messages per second').fill(rate);
      await press(page, 'Update Channel');
    };
    await save('2000');
    await dialogOf(page).getByText('must be at most 1000').waitFor();
    await field(page, 'Messages per second').fill('0.5');
    await press(page, 'Update Channel');
    await noteOf(page, 'Channel updated');
    expect(await rateOf()).toBe(0.5);
    await save('');
    await expect.poll(rateOf).toBeNull();
  });

  it('are given to a new channel too', async () => {
    const workspace = await fixture.ann.createWorkspace('Oak Lane');
    const page = await visit('/channels', workspace);
    await beginChannel(page, { name: 'Hook', type: 'Webhook' });
    await field(page, 'Webhook URL').fill('https://example.com/');
    await openTab(page, 'Basic Settings');
    await field(page, 'Messages per second').fill('10');
    await press(page, 'Create Channel');
    await noteOf(page, 'Channel created');
    const { json } = await fixture.ann.call('GET', '/api/channels', { workspace });
    expect(json.data[0].rate_limit_per_second).toBe(10);
  });
});

describe.concurrent("a reminder's channels", () => {
  const openChannels = async (workspace: string, id: string, more: Visit = {}) => {
    const page = await visit(`/reminders/${id}/edit`, workspace, more);
    await page.getByRole('tab', { name: 'Channels' }).click();
    return page;
  };
  async function reminderIn(workspace: string): Promise<string> {
    const { json } = await fixture.ann.call('POST', '/api/reminders', {
      workspace,
      body: {
        name: 'Rent',
        schedule_config: {
          type: 'scheduled',
          scheduleType: 'daily',
          startDate: '2027-01-01T09:00:00',
          timezone: 'UTC',
        },
        content: { subject: 'Rent', message: 'It is due', recipients: ['dana@example.com', '+4915112345678'] },
        metadata: { channels: ['email', 'sms'] },
      },
    });
    return json.id;
  }
  const metadataOf = async (workspace: string, id: string) =>
    (await fixture.ann.call('GET', `/api/reminders/${id}`, { workspace })).json.metadata;

  it('are put in order with the keyboard, and one of several is pinned', async ({ expect }) => {
    const { workspace, desk } = await workspaceWithChannels();
    const id = await reminderIn(workspace);
    const page = await openChannels(workspace, id);
    await page.getByRole('switch', { name: 'Try the next channel only if the one before fails' }).press('Space');
    const order = page.getByRole('list', { name: 'Order of the channels' });
    await says(order, /Email.*SMS/s);
    await page.getByRole('button', { name: 'Move SMS up' }).press('Enter');
    await says(order, /SMS.*Email/s);
    await page.getByRole('combobox', { name: 'Email channel' }).click();
    await page.getByRole('option', { name: 'Desk' }).click();
    await expect.poll(() => page.getByRole('combobox', { name: 'SMS channel' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Update Reminder' }).click();
    await expect
      .poll(() => metadataOf(workspace, id))
      .toMatchObject({ channels: ['sms', 'email'], channel_mode: 'in_order', pinned_channels: { email: desk } });
  });

  it('say before saving for whom none takes over', async ({ expect }) => {
    const { workspace } = await workspaceWithChannels();
    const id = await reminderIn(workspace);
    const contact = { name: 'Erin Berg', email: 'erin@example.com', phone: '+4915112345670' };
    await fixture.call(workspace, { path: '/api/contacts', body: contact });
    const page = await openChannels(workspace, id);
    const tile = (name: string) => page.getByRole('group', { name: 'Channels' }).getByRole('button', { name });
    const inOrder = page.getByRole('switch', { name: 'Try the next channel only if the one before fails' });
    await inOrder.press('Space');
    await reads(page, ['No channel takes over if one fails: 1 by email only; 1 by SMS only.']);
    const recipients = page.getByRole('combobox', { name: 'Recipients', exact: true });
    await recipients.fill('erin@example.com');
    await recipients.press('Enter');
    await reads(page, [
      'In order: 1 by email, then SMS; 1 by email only; 1 by SMS only. For those with one channel, none takes over if it fails.',
    ]);
    // A URL takes the webhook out of the order.
    await tile('Webhook').click();
    const order = page.getByRole('list', { name: 'Order of the channels' });
    await says(order, /Email.*SMS.*Webhook/s);
    await recipients.fill('https://hooks.example.com/on-call');
    await recipients.press('Enter');
    await reads(page, [
      'Webhook sends at once, whatever becomes of the others, and none takes over from it: the webhook calls only the URLs in the list.',
    ]);
    expect(await order.getByRole('listitem').count()).toBe(2);
    await expectGood(page);
    await tile('Email').click();
    await reads(page, ['It changes nothing here: no channel takes over from another.']);
    await page.getByRole('button', { name: 'Update Reminder' }).click();
    await expect.poll(() => metadataOf(workspace, id)).toMatchObject({ channels: ['sms', 'webhook'] });
    await page.goto(`/reminders/${id}`);
    await reads(page, [/^No channel takes over if one fails, although they are tried in order: the webhook/]);
  });

  it('lose a pin whose channel is gone, and can be saved', async () => {
    const { workspace, desk } = await workspaceWithChannels(['Office']);
    const id = await reminderIn(workspace);
    const { json } = await fixture.ann.call('GET', `/api/reminders/${id}`, { workspace });
    const { name, description, status, schedule_config, content, metadata } = json;
    const pinned = { ...metadata, pinned_channels: { email: desk } };
    const body = { name, description, status, schedule_config, content, metadata: pinned };
    expect((await fixture.ann.call('PUT', `/api/reminders/${id}`, { workspace, body })).status).toBe(200);
    await fixture.ann.call('DELETE', `/api/channels/${desk}`, { workspace });
    const page = await openChannels(workspace, id);
    // It is there once the channels are known.
    await page.getByRole('combobox', { name: 'Email channel' }).waitFor();
    await page.getByRole('button', { name: 'Update Reminder' }).click();
    await noteOf(page, 'Reminder has been updated successfully.');
    expect(await metadataOf(workspace, id)).not.toHaveProperty('pinned_channels');
  });

  it('fit and can be used by everybody, light and dark', async () => {
    const { workspace } = await workspaceWithChannels();
    const page = await openChannels(workspace, await reminderIn(workspace));
    await page.getByRole('switch', { name: 'Try the next channel only if the one before fails' }).press('Space');
    await page.getByRole('list', { name: 'Order of the channels' }).waitFor();
    await expectGood(page);
  });
});
