import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sample } from '#testing/sample.ts';
import { beginChannel, cardOf, choose, dialogOf, field, openTab, press, pressInCard } from './channel-form.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import { delayRequests, expectFits, describeScreens, reads, toast, type Visit } from './screens.fixture.ts';

const fixture = describeScreens();

const visit = (workspace: string, more: Visit = {}) =>
  fixture.open('/channels', { as: fixture.ann, workspace, ...more });

const secret = 'sesame of the desk';
const hook = {
  name: 'Desk',
  type: 'webhook',
  configuration: { url: 'http://127.0.0.1:2/desk', secret, headers: `{"X-Api-Key": "${secret}"}` },
};

async function workspaceWithHook(): Promise<{ workspace: string; id: string }> {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  const { json } = await fixture.ann.call('POST', '/api/channels', { workspace, body: hook });
  return { workspace, id: json.id };
}

const channelsOf = async (workspace: string) =>
  (await fixture.ann.call('GET', '/api/channels', { workspace })).json.data;

const openHook = async (page: Page, tab: 'Basic Settings' | 'Configuration' = 'Configuration') => {
  await pressInCard(page, 'Desk', 'Edit');
  await openTab(page, tab);
};

const isFocused = (page: Page, label: string) =>
  page.waitForFunction((name) => {
    const { activeElement } = document;
    return (
      activeElement instanceof HTMLInputElement &&
      [...(activeElement.labels ?? [])].some((found) => found.textContent?.startsWith(name))
    );
  }, label);

type Asks = { type: string; provider?: string; missing: string; fields: readonly string[] };

const sms = ['API Key', 'From Number'];
const whatsApp = ['API Key', 'Phone Number ID'];

/** What the spec's table names for each type, and what of it cannot be done without. */
const forms: Asks[] = [
  {
    type: 'Email',
    missing: 'SMTP Host, SMTP Port and Username are required.',
    fields: [
      'SMTP Host',
      'SMTP Port',
      'Username',
      'Password',
      'From Email',
      'From Name',
      'Use TLS',
      'Reply To',
      'Return Address',
    ],
  },
  { type: 'SMS', missing: 'Provider is required.', fields: ['Provider'] },
  { type: 'SMS', provider: 'Twilio', missing: 'API Key is required.', fields: [...sms, 'API Secret'] },
  { type: 'SMS', provider: 'AWS SNS', missing: 'API Key is required.', fields: [...sms, 'API Secret'] },
  { type: 'SMS', provider: 'MessageBird', missing: 'API Key is required.', fields: sms },
  { type: 'SMS', provider: 'Vonage (Nexmo)', missing: 'API Key is required.', fields: [...sms, 'API Secret'] },
  { type: 'WhatsApp', missing: 'Provider is required.', fields: ['Provider'] },
  {
    type: 'WhatsApp',
    provider: 'WAHA',
    missing: 'Base URL and Session Name are required.',
    fields: ['Base URL', 'Session Name', 'API Key'],
  },
  { type: 'WhatsApp', provider: 'Twilio WhatsApp', missing: 'API Key is required.', fields: whatsApp },
  { type: 'WhatsApp', provider: 'WhatsApp Business API', missing: 'API Key is required.', fields: whatsApp },
  { type: 'WhatsApp', provider: 'MessageBird', missing: 'API Key is required.', fields: whatsApp },
  {
    type: 'Webhook',
    missing: 'Webhook URL is required.',
    fields: ['Webhook URL', 'HTTP Method', 'Body', 'Headers (JSON)', 'Secret', 'Trusted Origins', 'Timeout (seconds)'],
  },
  { type: 'Slack', missing: 'Method is required.', fields: ['Method'] },
  {
    type: 'Slack',
    provider: 'Incoming webhook',
    missing: 'Webhook URL is required.',
    fields: ['Webhook URL', 'Let messages mention people'],
  },
  {
    type: 'Slack',
    provider: 'Bot token',
    missing: 'Bot Token is required.',
    fields: ['Bot Token', 'Channel', 'Let messages mention people'],
  },
];

describe.concurrent('the form of a channel', () => {
  it.each(
    sample.draw(forms, { name: 'forms of channels', count: 4 }).map((form) => ({
      ...form,
      name: [form.type, form.provider].filter(Boolean).join(' by '),
    })),
  )('asks for what $name needs, and says what is missing', async (form) => {
    const page = await visit(fixture.empty);
    await beginChannel(page, { name: 'Desk', type: form.type });
    const choice = form.type === 'Slack' ? 'Method' : 'Provider';
    if (form.provider) await choose(page, { label: choice, option: form.provider });
    await press(page, 'Create Channel');
    const alert = dialogOf(page).getByRole('alert');
    await alert.waitFor();
    expect((await alert.innerText()).split(/\n+/)).toEqual(['Configuration incomplete', form.missing]);
    for (const label of form.fields) await field(page, label).waitFor();
    await expectFits(page);
    await page.setViewportSize({ width: 320, height: 844 });
    await expectFits(page);
    expect(await channelsOf(fixture.empty)).toEqual([]);
    await fixture.leave(page);
  });

  it.each(sample.draw(['Email', 'WhatsApp by WAHA', 'Webhook'], { name: 'forms of channels to look at', count: 1 }))(
    'works for everyone, in the light and on a phone in the dark: %s',
    async (name) => {
      const page = await visit(fixture.empty);
      const [type = '', provider] = name.split(' by ');
      await beginChannel(page, { name: 'Desk', type });
      if (provider) await choose(page, { label: 'Provider', option: provider });
      await press(page, 'Create Channel');
      await dialogOf(page).getByRole('alert').waitFor();
      await expectGood(page);
      await openTab(page, 'Basic Settings');
      await expectGood(page);
      await fixture.leave(page);
    },
  );

  it('has two tabs, needs a name, and leads to the first that is wrong', async ({ expect }) => {
    let release = () => {};
    const page = await visit(fixture.empty, {
      before: async (opened) => {
        release = await delayRequests(opened, '/api/channel-types');
      },
    });
    const opener = page.getByRole('button', { name: 'Add Channel' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await dialogOf(page).getByRole('status', { name: 'Loading the form' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Close');
    release();
    const tabs = dialogOf(page).getByRole('tab');
    await tabs.first().waitFor();
    await expect.poll(() => tabs.allInnerTexts()).toEqual(['Basic Settings', 'Configuration']);
    await isFocused(page, 'Name');
    await page.keyboard.type('   ');
    await press(page, 'Create Channel');
    await reads(page, ['Name required']);
    await isFocused(page, 'Name');
    await expect
      .poll(() => tabs.filter({ has: page.getByRole('img', { name: 'has errors' }) }).allInnerTexts())
      .toEqual(['Basic Settings', 'Configuration']);
    await field(page, 'Name').fill('Post');
    await press(page, 'Create Channel');
    await reads(page, ['Configuration incomplete']);
    await isFocused(page, 'SMTP Host');
  });

  it('begins with what the spec begins with', async ({ expect }) => {
    const page = await visit(fixture.empty);
    await beginChannel(page, { name: 'Desk', type: 'Email' });
    await expect.poll(() => field(page, 'SMTP Port').getAttribute('placeholder')).toBe('587');
    await expect.poll(() => field(page, 'Use TLS').isChecked()).toBe(true);
    await openTab(page, 'Basic Settings');
    await expect.poll(() => field(page, 'Active').isChecked()).toBe(true);
    await choose(page, { label: 'Type', option: 'Webhook' });
    await openTab(page, 'Configuration');
    await expect.poll(() => field(page, 'HTTP Method').inputValue()).toBe('POST');
    await expect.poll(() => field(page, 'Timeout (seconds)').inputValue()).toBe('30');
    await dialogOf(page).getByRole('combobox', { name: 'HTTP Method' }).click();
    const methods = page.getByRole('option');
    await methods.first().waitFor();
    await expect.poll(() => methods.allInnerTexts()).toEqual(['GET', 'POST', 'PUT', 'PATCH']);
    for (const method of ['GET', 'PUT', 'PATCH', 'POST']) {
      await page.getByRole('option', { name: method, exact: true }).click();
      await expect.poll(() => field(page, 'Body').count()).toBe(method === 'POST' ? 1 : 0);
      await dialogOf(page).getByRole('combobox', { name: 'HTTP Method' }).click();
    }
  });

  it("shows what is switched on in the system's own colours too", async () => {
    const page = await visit(fixture.empty);
    await page.emulateMedia({ forcedColors: 'active' });
    await beginChannel(page, { name: 'Desk', type: 'Email' });
    const track = dialogOf(page).locator('.mantine-Switch-track');
    const look = () =>
      track.evaluate((drawn) => {
        const { backgroundColor, borderTopWidth } = getComputedStyle(drawn);
        return { backgroundColor, borderTopWidth };
      });
    const on = await look();
    await field(page, 'Use TLS').press('Space');
    await expect.poll(async () => (await look()).backgroundColor).not.toBe(on.backgroundColor);
    const off = await look();
    expect([on.borderTopWidth, off.borderTopWidth]).toEqual(['1px', '1px']);
  });

  it('is cleared when the type changes, even when it is changed back', async ({ expect }) => {
    const { workspace } = await workspaceWithHook();
    const page = await visit(workspace);
    await openHook(page, 'Basic Settings');
    await reads(page, ['Changing the type clears the configuration.']);
    await choose(page, { label: 'Type', option: 'Email' });
    await openTab(page, 'Configuration');
    await field(page, 'Username').fill('post@example.com');
    await openTab(page, 'Basic Settings');
    await choose(page, { label: 'Type', option: 'Webhook' });
    await openTab(page, 'Configuration');
    await expect.poll(() => field(page, 'Webhook URL').inputValue()).toBe('');
    await expect.poll(() => dialogOf(page).getByText('A value is saved.').count()).toBe(0);
    await field(page, 'Webhook URL').fill('http://127.0.0.1:2/other');
    await press(page, 'Update Channel');
    await toast(page, { title: 'Channel updated', text: 'Desk has been saved.' });
    const [channel] = await channelsOf(workspace);
    expect(channel).toMatchObject({ configuration: { url: 'http://127.0.0.1:2/other' }, secrets_set: [] });
  });

  it('never shows a secret that is stored; it says that it is there, keeps it, replaces it and removes it', async ({
    expect,
  }) => {
    const { workspace } = await workspaceWithHook();
    const page = await visit(workspace);
    const stored = async () => (await channelsOf(workspace))[0].secrets_set.toSorted();
    await openHook(page);
    await expect.poll(() => dialogOf(page).getByText('A value is saved. Type to replace it.').count()).toBe(2);
    await expect.poll(() => field(page, 'Secret').inputValue()).toBe('');
    expect(await page.content()).not.toContain(secret);
    await field(page, 'Timeout (seconds)').fill('20');
    await press(page, 'Update Channel');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await stored()).toEqual(['headers', 'secret']);

    await openHook(page);
    await field(page, 'Secret').fill('another');
    await reads(page, ['Saving replaces the saved value.']);
    await dialogOf(page).getByRole('button', { name: 'Keep Secret' }).click();
    await expect.poll(() => field(page, 'Secret').inputValue()).toBe('');
    await dialogOf(page).getByRole('button', { name: 'Remove Headers (JSON)' }).click();
    await reads(page, ['Saving removes the saved value.']);
    await press(page, 'Update Channel');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await stored()).toEqual(['secret']);
  });

  it('asks for a secret again before it goes to another host, and keeps what was typed', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Oak Lane');
    const configuration = { smtp_host: '127.0.0.1', smtp_port: 2525, username: 'post@example.com', password: secret };
    await fixture.ann.call('POST', '/api/channels', {
      workspace,
      body: { name: 'Desk', type: 'email', configuration },
    });
    const page = await visit(workspace);
    await openHook(page);
    await reads(page, ['A value is saved. Type to replace it.']);
    await field(page, 'SMTP Host').fill('127.0.0.2');
    await reads(page, ['It must be entered again: SMTP Host decides where it goes, and was changed.']);
    await field(page, 'Use TLS').press('Space');
    await reads(page, ['It must be entered again: SMTP Host and Use TLS decide where it goes, and were changed.']);
    await field(page, 'From Name').fill('Front desk');
    await expectAccessible(page);
    await press(page, 'Update Channel');
    await reads(page, ['Password is required.']);
    await isFocused(page, 'Password');
    await expect.poll(() => field(page, 'SMTP Host').inputValue()).toBe('127.0.0.2');

    await field(page, 'SMTP Host').fill('127.0.0.1');
    await field(page, 'Use TLS').press('Space');
    await reads(page, ['A value is saved. Type to replace it.']);
    await expect.poll(() => dialogOf(page).getByRole('alert').count()).toBe(0);
    await field(page, 'SMTP Host').fill('127.0.0.2');
    await field(page, 'Password').fill('another');
    await press(page, 'Update Channel');
    await toast(page, { title: 'Channel updated', text: 'Desk has been saved.' });
    const [channel] = await channelsOf(workspace);
    expect(channel).toMatchObject({
      configuration: { smtp_host: '127.0.0.2', from_name: 'Front desk' },
      secrets_set: ['password'],
    });
  });

  it('shows below its field what the server refuses, and keeps what was typed', async ({ expect }) => {
    const page = await visit(fixture.empty);
    await beginChannel(page, { name: 'Desk', type: 'Webhook' });
    await field(page, 'Webhook URL').fill('http://10.0.0.5/hook');
    await field(page, 'Headers (JSON)').fill('no json');
    await press(page, 'Create Channel');
    await toast(page, {
      title: 'Error saving channel',
      text: 'Headers (JSON) must be a JSON object such as {"X-Api-Key": "…"}',
    });
    await reads(page, ['must be a JSON object such as {"X-Api-Key": "…"}']);
    await page.waitForFunction(() => document.activeElement?.nodeName === 'TEXTAREA');
    await field(page, 'Headers (JSON)').fill('{}');
    await press(page, 'Create Channel');
    const refusal = /^10\.0\.0\.5 is a private address, which Cuebird does not connect to\.$/;
    await dialogOf(page).getByText(refusal).waitFor();
    await expect.poll(() => field(page, 'Webhook URL').inputValue()).toBe('http://10.0.0.5/hook');
  });

  it('says that saving failed where the server has no words for it', async () => {
    const { workspace } = await workspaceWithHook();
    const page = await visit(workspace);
    await page.route('**/api/channels/*', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: '', request_id: 'r-1' } } }),
    );
    await openHook(page);
    await press(page, 'Update Channel');
    await toast(page, { title: 'Error saving channel', text: 'Failed to save channel. Please try again.' });
  });

  it('gives up after 15 seconds with everything as it was typed, and what was done meanwhile is not done twice', async ({
    expect,
  }) => {
    const workspace = await fixture.ann.createWorkspace('Elm Lane');
    const page = await visit(workspace, { own: {}, before: (fresh) => fresh.clock.install() });
    await beginChannel(page, { name: 'Desk', type: 'Webhook' });
    await field(page, 'Webhook URL').fill('http://127.0.0.1:2/desk');
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    await page.route('**/api/channels', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      // The server does it; its answer is lost on the way.
      await route.fetch();
      reach();
    });
    await press(page, 'Create Channel');
    await reads(page, ['Creating...']);
    await reached;
    // The clock goes on by itself as well.
    await page.clock.fastForward(5_000);
    await expect.poll(() => dialogOf(page).getByRole('button', { name: 'Creating...' }).isDisabled()).toBe(true);
    await page.clock.fastForward(10_000);
    await toast(page, { title: 'Error saving channel', text: 'Operation timed out after 15 seconds' });
    await expect.poll(() => field(page, 'Webhook URL').inputValue()).toBe('http://127.0.0.1:2/desk');

    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await press(page, 'Create Channel');
    await toast(page, { title: 'Channel created', text: 'Desk is ready. Send a test to check that it works.' });
    expect(await channelsOf(workspace)).toHaveLength(1);
  });

  it('asks before what was typed is thrown away, by Escape or Cancel, and gives the focus back', async ({ expect }) => {
    const { workspace } = await workspaceWithHook();
    const page = await visit(workspace);
    await pressInCard(page, 'Desk', 'Edit');
    await field(page, 'Name').fill('Front desk');
    const question = page.getByRole('dialog', { name: 'Close without saving?' });
    await page.keyboard.press('Escape');
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await isFocused(page, 'Name');
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Front desk');
    await press(page, 'Cancel');
    await question.getByRole('button', { name: 'Close without saving' }).click();
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'Edit');

    await pressInCard(page, 'Desk', 'Edit');
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Desk');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('leaves a channel verified whose name alone is changed', async () => {
    const workspace = await fixture.ann.createWorkspace('Oak Lane');
    const { json } = await fixture.ann.call('GET', '/api/inbox/addresses', { workspace });
    const created = await fixture.ann.call('POST', '/api/channels', {
      workspace,
      body: { ...hook, configuration: { url: json.webhook_url, secret } },
    });
    await fixture.ann.call('POST', `/api/channels/${created.json.id}/test`, { workspace, body: {} });
    const page = await visit(workspace);
    await openHook(page, 'Basic Settings');
    await field(page, 'Name').fill('Front desk');
    await press(page, 'Update Channel');
    await cardOf(page, 'Front desk').getByText('Active', { exact: true }).waitFor();
  });
});
