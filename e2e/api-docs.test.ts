import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import {
  breakDown,
  delayRequests,
  type Fixture,
  openFixture,
  outage,
  reads,
  restore,
  shiftOf,
} from './screens.fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

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
      'All Templates Channels Notifications Jobs Reminders Contacts Events'.split(' '),
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
    await fixture.leave(page);
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
    await fixture.leave(page);
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
    await fixture.leave(broken);
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
    await fixture.leave(page);
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
    await fixture.leave(page);
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
    await fixture.leave(page);
  });

  it('can be read without an account, and says where to sign in', async () => {
    const page = await fixture.open('/api-docs?tab=quick-start');
    await reads(page, ['Get an API key', 'Write a template', 'Send a message', 'Follow it', 'Read it']);
    await expectGood(page, [390, 1440]);
    await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
    await page.waitForURL(/\/auth\?next=/);
    await fixture.leave(page);
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
