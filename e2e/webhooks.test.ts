import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import { breakDown, describeScreens, outage, reads, restore, toast } from './screens.fixture.ts';

const fixture = describeScreens();
let receiver: Server;
let url: string;
beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url === '/fails' ? 500 : 200).end(request.url === '/fails' ? 'no' : 'thanks');
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(() => receiver.close().closeAllConnections());

async function newOwner(): Promise<{ workspace: string; dana: TestPerson; path: string }> {
  const dana = await fixture.signUp('Dana Owens');
  const workspace = await dana.createWorkspace(`Oak Lane ${crypto.randomUUID().slice(0, 8)}`);
  return { workspace, dana, path: `/admin/workspace/${workspace}/manage?tab=webhooks` };
}

/** Chooses the fifteenth of a month beside this one. */
async function pickMoment(page: Page, { label, month }: { label: string; month: 'Previous month' | 'Next month' }) {
  await page.getByRole('button', { name: label, exact: true }).click();
  await page.getByRole('button', { name: month }).click();
  await page.getByRole('button', { name: /^15 / }).click();
  await page.getByRole('button', { name: 'Done' }).click();
}

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

/** Waits for a toast with this title. */
const expectToast = (page: Page, title: string) =>
  page.locator('.mantine-Notification-root').filter({ hasText: title }).first().waitFor();

describe.concurrent('the webhooks of a workspace', () => {
  it('are added, tested, read in the log and sent again, by keyboard where it matters', async ({ expect }) => {
    const { workspace, dana, path } = await newOwner();
    const page = await fixture.open(path, { as: dana, workspace });
    await reads(page, ['No webhooks yet']);
    await expectGood(page, [390, 1440]);
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = dialogOf(page, 'Add a webhook');
    await dialog.getByRole('textbox', { name: 'URL' }).fill('example.com');
    await page.keyboard.press('Enter');
    await reads(page, ['must be a URL that begins with https:// or http://']);
    await expectAccessible(page);
    await dialog.getByRole('textbox', { name: 'URL' }).fill('http://10.0.0.1/in');
    await page.keyboard.press('Enter');
    await reads(page, [/10\.0\.0\.1 is .*, which Cuebird does not connect to/]);
    await dialog.getByRole('textbox', { name: 'URL' }).fill(`${url}/in`);
    await dialog.getByRole('checkbox', { name: 'job.completed' }).check();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expectToast(page, 'Webhook added');
    await reads(page, [`${url}/in`, 'delivery.failed, job.completed, job.failed', 'Nothing sent yet.']);
    await expectGood(page, [390, 1440]);
    await page.getByRole('button', { name: `Send a test event to ${url}/in` }).click();
    const log = dialogOf(page, `Log of ${url}/in`);
    await log.getByText('HTTP 200: thanks').waitFor();
    await log.getByText('Show the event').click();
    await log.getByText(/"type": "webhook\.test"/).waitFor();
    await expectGood(page, [390, 1440]);
    await log.getByRole('button', { name: 'Send again: webhook.test' }).click();
    await expectToast(page, '1 event is sent again');
    await log.getByText('Accepted', { exact: true }).waitFor();
    await log.getByText('Send a time range again').click();
    await log.getByRole('button', { name: 'Send events again' }).click();
    await reads(page, ['Enter both times']);
    await pickMoment(page, { label: 'From', month: 'Previous month' });
    await pickMoment(page, { label: 'To', month: 'Next month' });
    await log.getByRole('button', { name: 'Send events again' }).click();
    await log.getByText('Accepted', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await log.waitFor({ state: 'detached' });
    await reads(page, [/Last answer .*HTTP 200: thanks/]);
    expect((await dana.call('GET', '/api/webhooks', { workspace })).json.data).toHaveLength(1);
  });

  it('show that they fail, are turned off, edited and deleted', async ({ expect }) => {
    const { workspace, dana, path } = await newOwner();
    const { json: made } = await dana.call('POST', '/api/webhooks', {
      workspace,
      body: { url: `${url}/fails`, activity_types: ['job.failed'] },
    });
    await dana.call('POST', `/api/webhooks/${made.id}/test`, { workspace });
    const page = await fixture.open(path, { as: dana, workspace });
    await reads(page, ['Failing', /Last answer .*HTTP 500: no/, /1 waiting\./]);
    await expectGood(page, [390, 1440]);
    await page.getByRole('button', { name: `Turn off ${url}/fails` }).click();
    await expectToast(page, 'Webhook turned off');
    await page.getByText('Off', { exact: true }).waitFor();
    await page.getByRole('button', { name: `Log of ${url}/fails` }).click();
    await reads(page, ['Enable the webhook to send events again.']);
    await expectGood(page, [390, 1440]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `Enable ${url}/fails` }).click();
    await expectToast(page, 'Webhook enabled');
    await page.getByRole('button', { name: `Edit ${url}/fails` }).click();
    const dialog = dialogOf(page, 'Edit the webhook');
    await dialog.getByRole('textbox', { name: 'URL' }).fill(`${url}/in`);
    await dialog.getByRole('button', { name: 'Save webhook' }).click();
    await expectToast(page, 'Webhook saved');
    await page.getByRole('button', { name: `Delete ${url}/in` }).click();
    await dialogOf(page, `Delete the webhook to ${url}/in?`).getByRole('button', { name: 'Delete webhook' }).click();
    await expectToast(page, 'Webhook deleted');
    await reads(page, ['No webhooks yet']);
    expect((await dana.call('GET', '/api/webhooks', { workspace })).json.data).toEqual([]);
  });

  it('say why they could not be loaded or saved, and how many there may be', async ({ expect }) => {
    const { workspace, dana, path } = await newOwner();
    const page = await fixture.open(path, {
      as: dana,
      workspace,
      before: (opened) => breakDown(opened, '/api/webhooks'),
    });
    await reads(page, ['Error loading webhooks', outage]);
    await expectAccessible(page);
    await restore(page);
    await page.getByRole('button', { name: 'Retry' }).click();
    await reads(page, ['No webhooks yet']);
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = dialogOf(page, 'Add a webhook');
    const field = dialog.getByRole('textbox', { name: 'URL' });
    await field.fill(`${url}/in`);
    await breakDown(page, '/api/webhooks');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await toast(page, { title: 'Error saving the webhook', text: outage });
    await expect.poll(() => field.inputValue()).toBe(`${url}/in`);
    await restore(page);
    for (let count = 0; count < 10; count += 1)
      await dana.call('POST', '/api/webhooks', {
        workspace,
        body: { url: `${url}/${count}`, activity_types: ['job.failed'] },
      });
    await page.reload();
    await reads(page, [/A workspace has at most 10\./]);
    await expect.poll(() => page.getByRole('button', { name: 'Add webhook' }).isDisabled()).toBe(true);
    await expectGood(page, [390, 1440]);
  });
});
