import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { startSink, type Sink } from '#testing/sink.ts';
import { createAccounts } from '#sandbox/accounts.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { sample } from '#testing/sample.ts';
import { beginChannel, cardOf, choose, dialogOf, field, press, pressInCard } from './channel-form.ts';
import { expectAccessible } from './accessible.ts';
import { expectFits, describeScreens, reads, toast, type Visit } from './screens.fixture.ts';

const fixture = describeScreens();
let sink: Sink;
let stubborn: { url: string; close(): void };

beforeAll(async () => {
  [sink, stubborn] = await Promise.all([startSink(), startStubbornServer()]);
});

afterAll(async () => {
  await sink.close();
  stubborn.close();
});

/** A server that wants nothing to do with anybody, but has a WhatsApp session of the name `default`. */
async function startStubbornServer() {
  const server = createServer((request, response) => {
    if (request.url === '/api/sessions/default') return response.end('{"name": "default", "status": "WORKING"}');
    return response.writeHead(request.url === '/api/sendText' ? 500 : 418).end('not today');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => server.close().closeAllConnections(),
  };
}

const visit = (workspace: string, more: Visit = {}) =>
  fixture.open('/channels', { as: fixture.ann, workspace, ...more });

async function workspaceWith(body: { name: string; type: string; configuration: object }): Promise<string> {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  const { status, json } = await fixture.ann.call('POST', '/api/channels', { workspace, body });
  expect(status, JSON.stringify(json)).toBe(201);
  return workspace;
}

const inboxOf = async (workspace: string) => (await fixture.ann.call('GET', '/api/inbox', { workspace })).json.data;

/** What the sandbox's mail server asks of a workspace. */
const mailPasswordOf = (workspace: string) =>
  createAccounts(createSecretBox(TEST_ENCRYPTION_KEY).deriveKey('sandbox')).secretOf('smtp', workspace);

type Kind = { type: string; provider?: string; recipient: string; arrives: { channel: string; recipient: string } };

const phone = '+14155552671';
const sms = { type: 'SMS', recipient: phone, arrives: { channel: 'sms', recipient: phone } };
const whatsApp = { type: 'WhatsApp', recipient: phone, arrives: { channel: 'whatsapp', recipient: phone } };
const slack = { type: 'Slack', recipient: '#general', arrives: { channel: 'slack', recipient: '#general' } };
const kinds: Kind[] = [
  {
    type: 'Email',
    recipient: 'Dana Field <dana@example.com>',
    arrives: { channel: 'email', recipient: 'dana@example.com' },
  },
  { ...sms, provider: 'Twilio' },
  { ...sms, provider: 'AWS SNS' },
  { ...sms, provider: 'MessageBird' },
  { ...sms, provider: 'Vonage (Nexmo)' },
  { ...whatsApp, provider: 'WAHA' },
  { ...whatsApp, provider: 'Twilio WhatsApp' },
  { ...whatsApp, provider: 'WhatsApp Business API' },
  { ...whatsApp, provider: 'MessageBird' },
  { type: 'Webhook', recipient: 'dana@example.com', arrives: { channel: 'webhook', recipient: 'dana@example.com' } },
  { ...slack, provider: 'Incoming webhook' },
  { ...slack, provider: 'Bot token' },
];

async function configure(page: Page, { type, provider }: Kind, workspace: string): Promise<void> {
  if (provider) await choose(page, { label: type === 'Slack' ? 'Method' : 'Provider', option: provider });
  if (type !== 'Email') return press(page, 'Fill in the sandbox');
  const { json } = await fixture.ann.call('GET', '/api/inbox/addresses', { workspace });
  await field(page, 'SMTP Host').fill(json.smtp_host);
  await field(page, 'SMTP Port').fill(String(json.smtp_port));
  await field(page, 'Username').fill(workspace);
  await field(page, 'Password').fill(mailPasswordOf(workspace));
  await field(page, 'From Email').fill('desk@example.com');
  await field(page, 'Use TLS').setChecked(false, { force: true });
}

describe.concurrent('a channel of every type', () => {
  const drawn = sample.draw(kinds, { name: 'kinds of channels', count: 4 });
  it.each(drawn.map((kind) => ({ ...kind, name: [kind.type, kind.provider].filter(Boolean).join(' by ') })))(
    '$name is added, tested with a message that arrives, disabled and deleted',
    async ({ name, ...kind }) => {
      const workspace = await fixture.ann.createWorkspace('Elm Lane');
      const page = await visit(workspace);
      await beginChannel(page, { name, type: kind.type });
      await configure(page, kind, workspace);
      await press(page, 'Create Channel');
      await toast(page, { title: 'Channel created', text: `${name} is ready. Send a test to check that it works.` });
      await cardOf(page, name).getByText('Unverified', { exact: true }).waitFor();

      await pressInCard(page, name, 'Test');
      await field(page, 'Recipient').fill(kind.recipient);
      await field(page, 'Message').fill('Is this thing on?');
      await press(page, 'Send Test');
      await page.locator('.mantine-Notification-root').filter({ hasText: 'Test successful' }).waitFor();
      await cardOf(page, name).getByText('Active', { exact: true }).waitFor();
      const [message] = await inboxOf(workspace);
      expect(message).toMatchObject({ channel: kind.arrives.channel });
      expect(JSON.stringify(message)).toContain(kind.arrives.recipient);
      expect(`${message.text} ${message.raw}`).toContain('Is this thing on?');

      await pressInCard(page, name, 'Disable');
      await cardOf(page, name).getByText('disabled', { exact: true }).waitFor();
      await cardOf(page, name).getByRole('button', { name: 'Test', disabled: true }).waitFor();
      await cardOf(page, name)
        .getByRole('button', { name: `Delete ${name}` })
        .click();
      await press(page, 'Delete Channel');
      await toast(page, { title: 'Channel deleted', text: `“${name}” has been deleted` });
      await reads(page, ['Choose your first channel']);
      await fixture.leave(page);
    },
  );
});

const post = {
  name: 'Post',
  type: 'email',
  configuration: { smtp_host: '127.0.0.1', smtp_port: 9, username: 'post@example.com' },
};
const get = (url: string) => ({ name: 'Bell', type: 'webhook', configuration: { url, method: 'GET' } });
const waha = (base_url: string) => ({
  name: 'Phone',
  type: 'whatsapp',
  configuration: { provider: 'waha', base_url, session_name: 'default' },
});

describe.concurrent('the test of a channel', () => {
  it.each([
    post,
    waha('http://127.0.0.1:2'),
    { name: 'Text', type: 'sms', configuration: { provider: 'messagebird', api_key: 'key', from_number: 'Elm' } },
    { name: 'Team', type: 'slack', configuration: { method: 'webhook', webhook_url: 'http://127.0.0.1:2/' } },
  ])('needs a recipient: $type', async (channel) => {
    const page = await visit(await workspaceWith(channel));
    await pressInCard(page, channel.name, 'Test');
    await dialogOf(page).getByText('Test Channel').waitFor();
    await field(page, 'Recipient').fill('  ');
    await press(page, 'Send Test');
    await reads(page, ['Recipient required']);
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
    await expectFits(page);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'Test');
  });

  it('calls a webhook without a recipient too, and says what it answered', async ({ expect }) => {
    const hook = { name: 'Desk', type: 'webhook', configuration: { url: sink.urlFor('desk') } };
    const page = await visit(await workspaceWith(hook));
    await pressInCard(page, 'Desk', 'Test');
    await expect.poll(() => field(page, 'Message').inputValue()).toBe('This is a test message from Cuebird.');
    await press(page, 'Send Test');
    await toast(page, { title: 'Test successful', text: 'HTTP 200: thanks' });
    await cardOf(page, 'Desk').getByText('Active', { exact: true }).waitFor();
    expect(sink.calls.some(({ recipient }) => recipient === 'desk')).toBe(true);
  });

  it('needs a URL for a GET webhook, and tells status and text where that is not ok', async ({ expect }) => {
    const page = await visit(await workspaceWith(get(stubborn.url)));
    await pressInCard(page, 'Bell', 'Test');
    await expect.poll(() => field(page, 'URL').inputValue()).toBe(stubborn.url);
    for (const url of ['', 'dana@example.com']) {
      await field(page, 'URL').fill(url);
      await press(page, 'Send Test');
      await reads(page, ['Please provide a valid URL for GET webhook testing']);
    }
    await field(page, 'URL').fill(stubborn.url);
    await press(page, 'Send Test');
    await toast(page, { title: 'Test failed', text: 'HTTP 418: not today' });
    await expectAccessible(page);
    await press(page, 'Cancel');
    await cardOf(page, 'Bell').getByText('Unverified', { exact: true }).waitFor();
  });

  it('tells what WAHA answered, and of every other type to check the configuration, and why', async ({ expect }) => {
    const page = await visit(await workspaceWith(waha(stubborn.url)));
    await pressInCard(page, 'Phone', 'Test');
    await field(page, 'Recipient').fill(phone);
    await press(page, 'Send Test');
    await toast(page, { title: 'Test failed', text: 'WAHA API error: 500 - not today' });
    await fixture.leave(page);

    const other = await visit(await workspaceWith(post));
    await pressInCard(other, 'Post', 'Test');
    await expect.poll(() => field(other, 'Recipient').inputValue()).toBe(fixture.ann.email);
    await press(other, 'Send Test');
    const toasts = other.locator('.mantine-Notification-root').filter({ hasText: 'Test failed' });
    await toasts
      .filter({ hasText: 'Failed to send test message. Please check your configuration. Not sent: ' })
      .waitFor();
    // The reason stays to be read when the toast has gone.
    await dialogOf(other).getByText('Failed to send test message.').waitFor();
  });

  it('has words of its own where the server has none', async () => {
    const page = await visit(await workspaceWith(post));
    await page.route('**/test', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: '', request_id: 'r-1' } } }),
    );
    await pressInCard(page, 'Post', 'Test');
    await press(page, 'Send Test');
    const text = 'Failed to send test message. Please check your configuration.';
    await toast(page, { title: 'Test failed', text });
  });

  it('is told also when its dialog was closed meanwhile, and closes no other', async ({ expect }) => {
    const hook = { name: 'Slow', type: 'webhook', configuration: { url: `${stubborn.url}/slow` } };
    const page = await visit(await workspaceWith(hook));
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/test', async (route) => {
      await promise;
      await route.fulfill({ json: { success: true, message: 'HTTP 200: at last' } });
    });
    await pressInCard(page, 'Slow', 'Test');
    await press(page, 'Send Test');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await pressInCard(page, 'Slow', 'Edit');
    await field(page, 'Name').waitFor();
    resolve();
    await toast(page, { title: 'Test successful', text: 'HTTP 200: at last' });
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Slow');
  });
});

describe.concurrent('Verify WAHA', () => {
  it('verifies the session on the configured server; the page loads anew and says so', async ({ expect }) => {
    const page = await visit(await workspaceWith(waha(stubborn.url)));
    await cardOf(page, 'Phone').getByText('Unverified', { exact: true }).waitFor();
    const loaded = page.waitForEvent('load');
    await pressInCard(page, 'Phone', 'Verify WAHA');
    await loaded;
    await toast(page, {
      title: 'Verification successful',
      text: 'The WAHA session “default” is connected to WhatsApp',
    });
    await cardOf(page, 'Phone').getByText('Active', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Verify WAHA' }).count()).toBe(0);
    await page.reload();
    await cardOf(page, 'Phone').waitFor();
    await expect.poll(() => page.getByText('Verification successful').count()).toBe(0);
  });

  it('says why it failed, or that it could not ask', async () => {
    const page = await visit(await workspaceWith(waha(`${stubborn.url}/elsewhere`)));
    await pressInCard(page, 'Phone', 'Verify WAHA');
    await toast(page, { title: 'Verification failed', text: 'WAHA API error: 418 - not today' });
    await page.route('**/verify-waha', (route) => route.fulfill({ json: { success: false, message: '' } }));
    await pressInCard(page, 'Phone', 'Verify WAHA');
    await toast(page, { title: 'Verification failed', text: 'Unable to verify WAHA connection' });
    await page.unrouteAll();
    await page.route('**/verify-waha', (route) => route.abort());
    await pressInCard(page, 'Phone', 'Verify WAHA');
    await toast(page, {
      title: 'Verification error',
      text: 'Cuebird cannot be reached. Check your connection and try again.',
    });
    await cardOf(page, 'Phone').getByText('Unverified', { exact: true }).waitFor();
  });

  it('is offered for WAHA alone', async ({ expect }) => {
    const { json } = await fixture.ann.call('GET', '/api/inbox/addresses', { workspace: fixture.empty });
    const twilio = json.providers.find(
      ({ channel, provider }: { channel: string; provider: string }) => channel === 'whatsapp' && provider === 'twilio',
    );
    const page = await visit(
      await workspaceWith({
        name: 'Phone',
        type: 'whatsapp',
        configuration: { provider: 'twilio', ...twilio.configuration },
      }),
    );
    await cardOf(page, 'Phone').getByText('Unverified', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Verify WAHA' }).count()).toBe(0);
  });
});
