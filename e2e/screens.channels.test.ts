import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMember } from '#testing/owner.ts';
import { startSink, type Sink } from '#testing/sink.ts';
import { cardOf, dialogOf, field, openTab, pressInCard } from './channel-form.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood, loadedWidths } from './looks.ts';
import {
  breakDown,
  delayRequests,
  describeScreens,
  outage,
  reads,
  restore,
  shiftOf,
  toast,
  type Visit,
} from './screens.fixture.ts';

const fixture = describeScreens();
let sink: Sink;

beforeAll(async () => {
  sink = await startSink();
});

afterAll(() => sink.close());

const visit = (workspace: string, more: Visit = {}) =>
  fixture.open('/channels', { as: fixture.ann, workspace, ...more });

const change = async (workspace: string, id: string, body: object) =>
  expect((await fixture.ann.call('PATCH', `/api/channels/${id}`, { workspace, body })).status).toBe(200);

const create = async (workspace: string, body: object): Promise<string> =>
  (await fixture.ann.call('POST', '/api/channels', { workspace, body })).json.id;

const hook = (name: string) => ({ name, type: 'webhook', configuration: { url: sink.urlFor('desk') } });
const waha = { provider: 'waha', base_url: 'http://127.0.0.1:2', session_name: 'default' };

/** A workspace with a channel in each of its states. */
async function anyState(): Promise<string> {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  for (const name of ['Off', 'Desk']) {
    const id = await create(workspace, hook(name));
    await fixture.ann.call('POST', `/api/channels/${id}/test`, { workspace, body: {} });
    if (name === 'Off') await change(workspace, id, { is_active: false });
  }
  await create(workspace, hook('W'.repeat(100)));
  await create(workspace, { name: 'Phone', type: 'whatsapp', configuration: waha });
  return workspace;
}

const cards = (page: Page) => page.getByRole('article').getByRole('heading').allInnerTexts();
const buttons = async (page: Page, name: string) =>
  (await cardOf(page, name).getByRole('button').allInnerTexts()).filter((text) => text !== '');

describe.concurrent('the Channels screen', () => {
  it('fits and works for everyone, empty and full, from 320 to 1440 px, in the light and in the dark', async () => {
    for (const workspace of [fixture.empty, await anyState()]) {
      const page = await visit(workspace);
      const last = workspace === fixture.empty ? 'Slack' : 'Verify WAHA';
      await reads(page, ['Notification Channels', last]);
      await expectGood(page, [320, 390, 768, 1440]);
      await fixture.leave(page);
    }
  });

  it('shows its shape while it waits, and nothing jumps when the answer comes', async () => {
    const workspace = await anyState();
    for (const width of loadedWidths()) {
      let release = () => {};
      const page = await visit(workspace, {
        width,
        async before(fresh) {
          release = await delayRequests(fresh, '/api/channels');
        },
      });
      await page.getByRole('status', { name: 'Loading channels' }).waitFor();
      release();
      await cardOf(page, 'Desk').waitFor();
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      expect(await shiftOf(page)).toBeLessThan(0.1);
      await fixture.leave(page);
    }
  });

  it('says that it could not be loaded, and why, and Retry brings it', async () => {
    const page = await visit(fixture.full, { before: (fresh) => breakDown(fresh, '/api/channels') });
    await toast(page, { title: 'Error loading channels', text: outage });
    await reads(page, ['Error loading channels', outage, 'Retry']);
    await expectAccessible(page);
    await restore(page);
    await page.getByRole('button', { name: 'Retry' }).click();
    await cardOf(page, 'Hook').waitFor();
  });

  it('is in the navigation, and the dashboard leads to it', async ({ expect }) => {
    const page = await fixture.open('/dashboard', { as: fixture.ann, workspace: fixture.full });
    await page.getByRole('link', { name: 'Manage Channels' }).click();
    await page.getByRole('heading', { level: 1, name: 'Notification Channels' }).waitFor();
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Channels' });
    await expect.poll(() => link.getAttribute('aria-current')).toBe('page');
  });

  it('offers a tile for each type while there is none, and opens the form at that type', async ({ expect }) => {
    const page = await visit(fixture.empty);
    const tiles = page.getByRole('region', { name: 'Choose your first channel' }).getByRole('button');
    await tiles.first().waitFor();
    const names = (await tiles.allInnerTexts()).map((text) => text.split('\n')[0]);
    expect(names).toEqual(['Email', 'SMS', 'WhatsApp', 'Webhook', 'Slack']);
    for (const name of names) {
      await tiles
        .filter({ hasText: `${name}` })
        .first()
        .click();
      const type = dialogOf(page).getByRole('combobox', { name: 'Type' });
      await type.waitFor();
      await expect.poll(() => type.inputValue()).toBe(name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });

  it('leads from a tile to the first channel, without the focus getting lost', async () => {
    const workspace = await fixture.ann.createWorkspace('Fir Lane');
    const page = await visit(workspace);
    await page.getByRole('button', { name: /^Webhook/ }).press('Enter');
    await field(page, 'Name').fill('Desk');
    await openTab(page, 'Configuration');
    await field(page, 'Webhook URL').fill(sink.urlFor('desk'));
    await page.keyboard.press('Enter');
    await cardOf(page, 'Desk').waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'content');
    await page.getByRole('button', { name: 'Add Channel' }).press('Enter');
    await field(page, 'Name').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.textContent === 'Add Channel');
  });

  it('has a badge and the actions of its state on each card, the last changed first', async ({ expect }) => {
    const page = await visit(await anyState());
    await cardOf(page, 'Phone').waitFor();
    await expect.poll(() => cards(page)).toEqual(['Phone', 'W'.repeat(100), 'Desk', 'Off']);
    const badge = (name: string, word: string) => cardOf(page, name).getByText(word, { exact: true }).waitFor();
    await badge('Desk', 'Active');
    await badge('Phone', 'Unverified');
    // Verified too, but that is not what counts then.
    await badge('Off', 'disabled');
    await expect.poll(() => buttons(page, 'Desk')).toEqual(['Edit', 'Test', 'Disable']);
    await expect.poll(() => buttons(page, 'Phone')).toEqual(['Edit', 'Test', 'Disable', 'Verify WAHA']);
    await expect.poll(() => buttons(page, 'Off')).toEqual(['Edit', 'Test', 'Enable']);
    await expect.poll(() => cardOf(page, 'Desk').getByRole('button', { name: 'Delete Desk' }).count()).toBe(1);
    const test = (name: string) => cardOf(page, name).getByRole('button', { name: 'Test' });
    expect([await test('Off').isDisabled(), await test('Desk').isDisabled()]).toEqual([true, false]);
  });

  it('finds channels by name, type or destination, and by type, and keeps that in its address', async ({ expect }) => {
    const page = await visit(await anyState());
    await cardOf(page, 'Desk').waitFor();
    const search = page.getByPlaceholder('Search channels...');
    for (const [text, found] of [
      ['deSK', ['W'.repeat(100), 'Desk', 'Off']],
      ['pHONE', ['Phone']],
      ['whatsapp', ['Phone']],
      ['127.0.0.1:2', ['Phone']],
    ] as const) {
      await search.fill(text);
      await page.waitForFunction((count) => document.querySelectorAll('article').length === count, found.length);
      await expect.poll(() => cards(page)).toEqual(found);
    }
    await search.fill('');
    await page.getByRole('combobox', { name: 'Filter by type' }).click();
    const options = page.getByRole('option');
    await options.first().waitFor();
    await expect
      .poll(() => options.allInnerTexts())
      .toEqual(['All Types', 'Email', 'SMS', 'WhatsApp', 'Webhook', 'Slack']);
    await options.filter({ hasText: 'SMS' }).click();
    await reads(page, ['No channels found', 'Try adjusting your search or filters']);
    await expect.poll(() => new URL(page.url()).search).toBe('?type=sms');
    await page.getByRole('button', { name: 'Show all channels' }).click();
    await cardOf(page, 'Desk').waitFor();
    await page.goto('/channels?search=2026&type=no-such-type');
    await reads(page, ['No channels found']);
    await expect.poll(() => search.inputValue()).toBe('2026');
  });

  it('follows what others change, without being asked', async () => {
    const workspace = await anyState();
    const page = await visit(workspace);
    await cardOf(page, 'Desk').waitFor();
    const id = await create(workspace, hook('From afar'));
    await cardOf(page, 'From afar').getByText('Unverified').waitFor();
    await fixture.ann.call('POST', `/api/channels/${id}/test`, { workspace, body: {} });
    await cardOf(page, 'From afar').getByText('Active').waitFor();
    await fixture.ann.call('DELETE', `/api/channels/${id}`, { workspace });
    await cardOf(page, 'From afar').waitFor({ state: 'detached' });
  });

  it('enables and disables, and says so, or what the server said', async () => {
    const workspace = await anyState();
    const page = await visit(workspace);
    await pressInCard(page, 'Desk', 'Disable');
    await toast(page, {
      title: 'Channel disabled',
      text: 'Desk sends nothing until it is enabled again.',
    });
    await cardOf(page, 'Desk').getByText('disabled', { exact: true }).waitFor();
    await pressInCard(page, 'Desk', 'Enable');
    await toast(page, { title: 'Channel enabled', text: 'Desk can send reminders again.' });
    await cardOf(page, 'Desk').getByText('Active', { exact: true }).waitFor();
    await page.route('**/api/channels/*', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: outage, request_id: 'r-1' } } }),
    );
    await pressInCard(page, 'Desk', 'Disable');
    await toast(page, { title: 'Error updating channel', text: outage });
  });

  it('asks by name before it deletes, and says that it did, or what the server said', async () => {
    const workspace = await anyState();
    const page = await visit(workspace);
    const opener = cardOf(page, 'Desk').getByRole('button', { name: 'Delete Desk' });
    const dialog = page.getByRole('dialog', { name: 'Delete channel?' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('Desk', { exact: true }).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Delete Desk');

    await opener.click();
    await page.route('**/api/channels/*', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: outage, request_id: 'r-1' } } }),
    );
    await dialog.getByRole('button', { name: 'Delete Channel' }).click();
    await toast(page, { title: 'Error deleting channel', text: outage });
    await page.unrouteAll();
    await dialog.getByRole('button', { name: 'Delete Channel' }).click();
    await toast(page, { title: 'Channel deleted', text: '“Desk” has been deleted' });
    await cardOf(page, 'Desk').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.id === 'content');
  });
});

describe('a member', () => {
  it('may look and test, reads the sending hours, and is offered nothing that is refused', async ({ expect }) => {
    const member = await fixture.signUp('Mel Member');
    const workspace = await anyState();
    const empty = await fixture.ann.createWorkspace('Ash Lane');
    for (const each of [workspace, empty])
      await addMember(fixture.owner, { workspace: each, userId: member.userId, role: 'member' });

    const hours = { enabled: true, days: [1, 2, 3, 4, 5], from: '08:00', to: '20:00', zone: 'workspace' };
    const sendingHours = { ...hours, timezone: 'Europe/Berlin', channels: ['email'] };
    const saved = await fixture.ann.call('PATCH', `/api/workspaces/${workspace}`, {
      workspace,
      body: { settings: { sendingHours } },
    });
    expect(saved.status, JSON.stringify(saved.json)).toBe(200);

    const page = await visit(empty, { as: member });
    await page.getByText('No channels yet').waitFor();
    expect(await page.getByRole('main').getByRole('button', { name: 'Slack' }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Add Channel' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await fixture.leave(page);

    const full = await visit(workspace, { as: member });
    await cardOf(full, 'Desk').waitFor();
    await reads(full, ['Only workspace admins can create channels and change them. You can test them.']);
    await reads(full, ['Mail goes out Mon–Fri 08:00–20:00, Europe/Berlin time.']);
    for (const name of ['Desk', 'Phone', 'Off'])
      expect(await cardOf(full, name).getByRole('button').allInnerTexts()).toEqual(['Test']);
    await expect.poll(() => full.getByRole('button', { name: 'Sending hours' }).count()).toBe(0);
    await expectGood(full, [390, 1440]);
    await pressInCard(full, 'Desk', 'Test');
    await full.getByRole('button', { name: 'Send Test' }).click();
    await toast(full, { title: 'Test successful', text: 'HTTP 200' });
  });
});
