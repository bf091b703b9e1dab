import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { verifySignature } from '#features/events/hook-signature.ts';
import type { TestPerson } from '#testing/cuebird.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import {
  breakDown,
  delayRequests,
  describeScreens,
  outage,
  reads,
  restore,
  shiftOf,
  toast,
} from './screens.fixture.ts';

const fixture = describeScreens();

async function newOwner(): Promise<{ dana: TestPerson; workspace: string }> {
  const dana = await fixture.signUp('Dana Owens');
  return { dana, workspace: await dana.createWorkspace(`Oak Lane ${crypto.randomUUID().slice(0, 8)}`) };
}

async function newKey({ dana, workspace }: { dana: TestPerson; workspace: string }): Promise<string> {
  const body = { name: 'Shop', scopes: ['read', 'manage'] };
  return (await dana.call('POST', '/api/api-keys', { workspace, body })).json.key;
}

const endpoint = (page: Page, id: string) => page.locator(`[data-endpoint="${id}"]`);
const toggle = (page: Page, id: string) => endpoint(page, id).getByRole('button').first();
const categories = (page: Page) => page.getByRole('group', { name: 'Category' });

describe.concurrent('the API documentation', () => {
  it('is open to all, and shows the endpoints of the server by category', async ({ expect }) => {
    const page = await fixture.open('/api-docs');
    await reads(page, ['API Documentation', 'Endpoints', 'Authentication', 'Quick Start', '/api/notifications/send']);
    expect(await categories(page).getByRole('button').allInnerTexts()).toEqual(
      'All Templates Channels Notifications Jobs Reminders Contacts Events Webhooks'.split(' '),
    );
    await categories(page).getByRole('button', { name: 'Channels' }).click();
    await page.waitForURL(/category=Channels/);
    await expect.poll(() => page.getByText('/api/notifications/send').count()).toBe(0);
    await reads(page, ['/api/channels']);
    await categories(page).getByRole('button', { name: 'All' }).click();
    await page.getByRole('searchbox', { name: 'Search endpoints...' }).fill('nothing of the kind');
    await reads(page, ['No endpoints found']);
    await expectGood(page, [390, 1440]);
    await page.getByRole('button', { name: 'Show all endpoints' }).click();
    await toggle(page, 'createJob').click();
    await reads(page, ['Needs an API key that may send.', 'schedule.timezone']);
    await expectGood(page, [390, 1024, 1440]);
    await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
    await page.waitForURL(/\/auth\?next=/);
  });

  it('leads back to itself after a sign-in', async () => {
    const { dana } = await newOwner();
    const page = await fixture.open('/api-docs?tab=authentication');
    await reads(page, ['Authentication Required', '100 requests per hour on Free']);
    await expectGood(page, [390, 1440]);
    await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill(dana.email);
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.waitForURL(/\/api-docs\?tab=authentication/);
    await reads(page, ['No API keys yet']);
    await expectGood(page, [390, 1440]);
  });

  it('shows the secret that signs webhooks, and replaces it: for a day both sign', async ({ expect }) => {
    const { dana, workspace } = await newOwner();
    const calls: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
    const receiver = createServer((request, response) => {
      void buffer(request).then((body) => {
        calls.push({ headers: request.headers, body });
        response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const template = await dana.call('POST', '/api/templates', {
      workspace,
      body: { name: 'Rent', content: { type: 'webhook', subject: 'Rent', body: 'Rent is due' } },
    });
    /** Sends a webhook, and says by which of the secrets the receiver knows it. */
    async function signedWith(...secrets: string[]): Promise<boolean[]> {
      const before = calls.length;
      const recipient = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
      const body = { template_id: template.json.id, recipient };
      await dana.call('POST', '/api/notifications/send', { workspace, body });
      await expect.poll(() => calls.length, { timeout: 20_000 }).toBe(before + 1);
      const { headers, body: sent } = calls.at(-1)!;
      const named = new Headers(
        Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const now = Temporal.Now.instant();
      return secrets.map((secret) => 'key' in verifySignature({ headers: named, body: sent, secret, now }));
    }
    const page = await fixture.open('/api-docs?tab=authentication', { as: dana, workspace });
    const card = page.getByRole('region', { name: 'Signing secret' });
    const shown = () => card.getByText(/^whsec_/).innerText();
    await card.getByRole('button', { name: 'Show secret' }).click();
    await card.getByText(/^In use since/).waitFor();
    const first = await shown();
    expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await card.getByText(/The one before signs too/).count()).toBe(0);
    expect(await signedWith(first)).toEqual([true]);
    await card.getByRole('button', { name: 'Replace secret' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replace the signing secret?' });
    await dialog.getByText(/For 24 hours every webhook has two signatures/).waitFor();
    await expectGood(page, [390, 1440]);
    await dialog.getByRole('button', { name: 'Replace secret' }).click();
    await toast(page, { title: 'Signing secret replaced', text: 'For a day both secrets sign.' });
    await card.getByText(/The one before signs too, until/).waitFor();
    const second = await shown();
    expect(second).not.toBe(first);
    expect(await signedWith(first, second)).toEqual([true, true]);
    await expectGood(page, [390, 1440]);
    // Whoever comes back later asks for it again, and gets the same.
    await page.reload();
    await card.getByRole('button', { name: 'Show secret' }).click();
    await card.getByText(/The one before signs too, until/).waitFor();
    expect(await shown()).toBe(second);
    await fixture.leave(page);
    receiver.close().closeAllConnections();
  });

  it('shows that it loads, and why it could not', async ({ expect }) => {
    let show = () => {};
    const page = await fixture.open('/api-docs', {
      before: async (opened) => {
        show = await delayRequests(opened, '/api/openapi.json');
      },
    });
    await page.getByRole('status', { name: 'Loading the API documentation' }).waitFor();
    await expectAccessible(page);
    show();
    await reads(page, ['/api/notifications/send']);
    expect(await shiftOf(page)).toBeLessThan(0.1);
    await fixture.leave(page);
    const broken = await fixture.open('/api-docs', { before: (opened) => breakDown(opened, '/api/openapi.json') });
    await reads(broken, ['Error loading the API documentation', outage]);
    await expectGood(broken, [390, 1440]);
    await restore(broken);
    await broken.getByRole('button', { name: 'Retry' }).click();
    await reads(broken, ['/api/notifications/send']);
  });

  it('says nothing of limits before it knows them', async ({ expect }) => {
    const page = await fixture.open('/api-docs?tab=authentication', {
      before: (opened) => breakDown(opened, '/api/config'),
    });
    await reads(page, ['Error loading the rate limits', outage]);
    expect(await page.getByText('requests per hour').count()).toBe(0);
    await restore(page);
    await page.getByRole('button', { name: 'Retry' }).click();
    await reads(page, ['100 requests per hour on Free']);
  });

  it('tries a request for real with a key that it does not keep, by the keyboard alone', async ({ expect }) => {
    const { dana, workspace } = await newOwner();
    const key = await newKey({ dana, workspace });
    const page = await fixture.open('/api-docs?category=Templates', { as: dana, workspace });
    await toggle(page, 'createTemplate').focus();
    await page.keyboard.press('Enter');
    const details = endpoint(page, 'createTemplate');
    await details.getByRole('button', { name: 'Try it' }).focus();
    await page.keyboard.press('Enter');
    await reads(page, [
      'This acts for real, in the workspace of the key: what it sends, changes or deletes is sent, changed or deleted.',
    ]);
    await details.getByRole('button', { name: 'Send request' }).focus();
    await page.keyboard.press('Enter');
    await reads(page, ['Enter an API key']);
    await details.getByRole('textbox', { name: 'API key' }).focus();
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    await reads(page, [/^Answered 201 in/]);
    await expectGood(page, [390, 1440]);
    const { json } = await dana.call('GET', '/api/templates?search=Receipt', { workspace });
    expect(json.data.map(({ name }: { name: string }) => name)).toContain('Receipt');
    const kept = await page.evaluate(() =>
      [...Object.entries(localStorage), ...Object.entries(sessionStorage), location.href].join(' '),
    );
    expect(kept).not.toContain(key);
    await page.getByRole('banner').getByRole('link', { name: 'Channels', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Notification Channels' }).waitFor();
    await page.goBack();
    await endpoint(page, 'createTemplate').getByRole('button', { name: 'Try it' }).click();
    await expect
      .poll(() => endpoint(page, 'createTemplate').getByRole('textbox', { name: 'API key' }).inputValue())
      .toBe('');
  });

  it('shows the answer of a refused request, and a sentence where there was none', async () => {
    const { dana, workspace } = await newOwner();
    const page = await fixture.open('/api-docs?endpoint=listChannels', { as: dana, workspace });
    const details = endpoint(page, 'listChannels');
    await details.getByRole('button', { name: 'Try it' }).click();
    await details.getByRole('textbox', { name: 'API key' }).fill('cue_nothing');
    await details.getByRole('button', { name: 'Send request' }).click();
    await reads(page, [/^Answered 401 in/]);
    await breakDown(page, '/api/channels');
    await details.getByRole('button', { name: 'Send request' }).click();
    await reads(page, [/^Answered 500 in/]);
    await restore(page);
  });
});

describe('Quick Start', () => {
  it('ends with a message in the Inbox in under a minute', async ({ expect }) => {
    const { dana, workspace } = await newOwner();
    const startedAt = performance.now();
    const page = await fixture.open('/api-docs?tab=quick-start', { as: dana, workspace });
    await page.getByRole('button', { name: 'Create a key' }).click();
    for (const step of ['Write a template', 'Send a message', 'Follow it'])
      await page.getByRole('button', { name: `Run: ${step}` }).click();
    await reads(page, ['The message has been sent.']);
    await page.getByRole('link', { name: 'Open the Inbox' }).click();
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    await page.getByText('Receipt of 950').first().waitFor();
    const seconds = (performance.now() - startedAt) / 1_000;
    console.info(`Quick Start, from opening the page to the message in the Inbox: ${seconds.toFixed(1)} s`);
    expect(seconds).toBeLessThan(60);
    await page.goBack();
    await reads(page, ['Create a key']);
    await expectGood(page, [390, 1440]);
  });

  it('can be read without an account, and says where to sign in', async () => {
    const page = await fixture.open('/api-docs?tab=quick-start');
    await reads(page, ['Get an API key', 'Write a template', 'Send a message', 'Follow it', 'Read it']);
    await expectGood(page, [390, 1440]);
    await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
    await page.waitForURL(/\/auth\?next=/);
  });

  it('asks a member for a key', async () => {
    const { dana, workspace } = await newOwner();
    const kim = await fixture.signUp('Kim Ray');
    await fixture.owner.query(`insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'member')`, [
      workspace,
      kim.userId,
    ]);
    const page = await fixture.open('/api-docs?tab=quick-start', { as: kim, workspace });
    await reads(page, [/create keys: ask one of them, and paste it here\.$/]);
    await page.getByRole('tab', { name: 'Authentication' }).click();
    await reads(page, [/^Owners and admins of .* create them\.$/]);
    await fixture.leave(page);
    await dana.call('GET', '/api/workspaces');
  });
});
