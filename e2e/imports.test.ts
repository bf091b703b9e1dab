import type { Page } from 'playwright-core';
import { beforeAll, describe, it } from 'vitest';
import { addMember } from '#testing/owner.ts';
import type { TestPerson } from '#testing/cuebird.ts';
import { expectGood } from './looks.ts';
import { breakDown, delayRequests, describeScreens, outage, reads, restore, toast } from './screens.fixture.ts';

describe.concurrent('the imports of a workspace', () => {
  const fixture = describeScreens();
  let bea: TestPerson;
  beforeAll(async () => {
    bea = await fixture.signUp('Bea Long');
  });

  const newWorkspace = async () => {
    const workspace = await fixture.ann.createWorkspace(`Fir Street ${crypto.randomUUID().slice(0, 8)}`);
    await addMember(fixture.owner, { workspace, userId: bea.userId, role: 'member' });
    return workspace;
  };
  const open = (workspace: string, { as = fixture.ann, path = '/contacts' } = {}) =>
    fixture.open(path, { as, workspace });
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const countryOf = (page: Page) => page.getByRole('combobox', { name: 'Country of numbers without a country code' });
  const file = (text: string) => ({ name: 'tenants.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

  it('are listed for a colleague, who undoes one after the dialog was closed and reads what was kept', async ({
    expect,
  }) => {
    const workspace = await newWorkspace();
    const page = await open(workspace);
    await press(page, 'Import a file');
    const csv = 'Name,Email,Phone\nAnna,anna@example.com,0151 23456789\nBert,bert@example.com,\nCarl,carl,';
    await page.locator('input[type=file]').setInputFiles(file(csv));
    await countryOf(page).fill('germ');
    await page.getByRole('option', { name: 'Germany (DE)' }).click();
    await press(page, 'Preview');
    await press(page, 'Import 2 contacts');
    await toast(page, { title: 'Contacts imported', text: '2 new, 1 left out.' });
    await press(page, 'Done');
    await page.getByRole('button', { name: 'Recent imports' }).waitFor();
    await fixture.leave(page);
    const [, bert] = (await fixture.ann.call('GET', '/api/contacts', { workspace })).json.data;
    const edited = { name: 'Bertram', email: 'bert@example.com' };
    await fixture.ann.call('PUT', `/api/contacts/${bert.id}`, { workspace, body: edited });

    const theirs = await open(workspace, { as: bea });
    await theirs.getByRole('heading', { level: 1 }).waitFor();
    await theirs.getByRole('button', { name: 'Recent imports' }).waitFor();
    await expectGood(theirs);
    await press(theirs, 'Import');
    await expect.poll(() => countryOf(theirs).inputValue()).toBe('Germany (DE)');
    await theirs.keyboard.press('Escape');
    await countryOf(theirs).waitFor({ state: 'detached' });
    await press(theirs, 'Recent imports');
    await reads(theirs, ['tenants.csv', /^Ann Lee · /, '2 new, 1 left out']);
    await expectGood(theirs);
    await theirs.route('**/undo', (route) =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({ status: 500, json: { error: { code: 'internal', message: outage, request_id: 'r-1' } } }),
    );
    // A second click, meant for whatever comes, undoes nothing.
    await theirs.getByRole('button', { name: 'Undo import of tenants.csv' }).dblclick();
    const question = theirs.getByRole('dialog', { name: 'Undo the import of tenants.csv?' });
    await question.getByText('1 contact that it added is deleted').waitFor();
    await question.getByText('1 contact was changed or deleted since').waitFor();
    await expectGood(theirs);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect((await fixture.ann.call('GET', '/api/contacts', { workspace })).json.data).toHaveLength(2);
    await press(theirs, 'Undo import of tenants.csv');
    await press(theirs, 'Delete 1 contact');
    await toast(theirs, { title: 'Error undoing the import', text: outage });
    await theirs.unrouteAll();
    await press(theirs, 'Delete 1 contact');
    const words = 'The import is undone: 1 contact deleted. 1 contact was changed since and stays.';
    await toast(theirs, { title: 'Import undone', text: words });
    await reads(theirs, [new RegExp(`^${words} By Bea Long, `)]);
    await expect.poll(() => theirs.getByRole('button', { name: /^Undo import/ }).count()).toBe(0);
    await expectGood(theirs);
  });

  it('say how many lines are done while a large one goes on, also after its dialog is closed', async ({ expect }) => {
    const workspace = await newWorkspace();
    const page = await open(workspace);
    await press(page, 'Import a file');
    const lines = Array.from({ length: 1_000 }, (_, at) => `Person ${at},person${at}@example.com`);
    await page.locator('input[type=file]').setInputFiles(file(`Name,Email\n${lines.join('\n')}`));
    await press(page, 'Preview');
    await page.getByRole('button', { name: 'Import 1,000 contacts' }).waitFor();
    // The real import, whose answer is delayed; and its progress at a moment.
    let done = 350;
    let release = () => {};
    const delayed = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/contacts/import', async (route) => {
      const response = await route.fetch();
      await delayed;
      await route.fulfill({ response });
    });
    await page.route('**/api/contacts/imports', async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      const at = (one: object) => ({ ...one, status: 'running', counts: null, lines_done: done, can_undo: false });
      await route.fulfill({ response, json: { ...rest, data: data.map(at) } });
    });
    await press(page, 'Import 1,000 contacts');
    await reads(page, ['350 of 1,000 lines', /the import goes on, and Recent imports shows how it ends/]);
    await expectGood(page);
    done = 700;
    await reads(page, ['700 of 1,000 lines']);
    await page.keyboard.press('Escape');
    await press(page, 'Recent imports');
    await page.getByRole('list', { name: 'Recent imports' }).getByText('700 of 1,000 lines').waitFor();
    await expectGood(page);
    await page.unroute('**/api/contacts/imports');
    release();
    await toast(page, { title: 'Contacts imported', text: '1,000 new.' });
    await page.getByRole('list', { name: 'Recent imports' }).getByText('1,000 new').waitFor();
    expect((await fixture.ann.call('GET', '/api/contacts/count', { workspace })).json.contacts).toBe(1_000);
  });

  it('show their shape while they come, say why they do not, and that there are none', async () => {
    const path = '/api/contacts/imports';
    let release = () => {};
    const page = await fixture.open('/contacts?open=imports', {
      as: fixture.ann,
      workspace: fixture.empty,
      before: async (fresh) => {
        release = await delayRequests(fresh, path);
      },
    });
    await page.getByRole('dialog', { name: 'Recent imports' }).waitFor();
    await expectGood(page);
    release();
    await reads(page, ['Nothing was imported yet']);
    await expectGood(page);
    await fixture.leave(page);
    const broken = await fixture.open('/contacts?open=imports', {
      as: fixture.ann,
      workspace: fixture.empty,
      before: (fresh) => breakDown(fresh, path),
    });
    await reads(broken, ['Error loading the imports', outage]);
    await expectGood(broken);
    await restore(broken);
    await broken.getByRole('dialog').getByRole('button', { name: 'Retry', exact: true }).click();
    await reads(broken, ['Nothing was imported yet']);
  });
});
