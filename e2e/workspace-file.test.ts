import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { sampleReminder, sampleTemplate } from '#testing/samples.ts';
import { expectGood } from './looks.ts';
import { breakDown, describeScreens, outage, reads, restore, toast } from './screens.fixture.ts';

describe.concurrent('the file of a workspace', () => {
  const fixture = describeScreens();

  const newWorkspace = (name: string) => fixture.ann.createWorkspace(`${name} ${crypto.randomUUID().slice(0, 8)}`);
  const open = (workspace: string) =>
    fixture.open(`/admin/workspace/${workspace}/manage?tab=settings`, { as: fixture.ann, workspace });
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const choose = (page: Page, content: string, name = 'elm.json') =>
    page
      .locator('input[type=file][accept^=".json"]')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });

  it('is downloaded from one workspace, previewed and imported in another, twice', async ({ expect }) => {
    const workspace = await newWorkspace('Elm Street');
    for (const [path, body] of [
      ['/api/templates', sampleTemplate],
      ['/api/contacts', { name: 'Anna Smith', email: 'anna@example.com' }],
      ['/api/reminders', sampleReminder],
      ['/api/channels', { name: 'Our hook', type: 'webhook', configuration: { url: 'http://127.0.0.1:2/' } }],
    ] as const)
      await fixture.ann.call('POST', path, { workspace, body });
    const page = await open(workspace);
    await page.getByRole('heading', { name: 'Export and import' }).waitFor();
    await expectGood(page);
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Export workspace')]);
    const content = await readFile(await download.path(), 'utf8');
    expect(JSON.parse(content)).toMatchObject({ format: 'cuebird-workspace', reminders: [{ name: 'Rent' }] });
    await toast(page, { title: 'Workspace exported', text: download.suggestedFilename() });
    await fixture.leave(page);

    const other = await newWorkspace('Oak Lane');
    await fixture.ann.call('PATCH', `/api/workspaces/${other}`, {
      workspace: other,
      body: { settings: { companyName: 'Oak & Sons' } },
    });
    const parsed = JSON.parse(content);
    parsed.workspace.settings.companyName = 'Elm & Sons';
    const theirs = await open(other);
    await press(theirs, 'Import workspace');
    await theirs.getByRole('dialog', { name: 'Import workspace' }).waitFor();
    await expectGood(theirs);
    await choose(theirs, JSON.stringify(parsed));
    await reads(theirs, ['Reminders: 1 new', 'Templates: 1 new', 'Contacts: 1 new', 'Channels: 1 left out']);
    await reads(theirs, [/channels\.0: is not in the file with its credentials/]);
    await expectGood(theirs);
    await theirs.getByRole('checkbox', { name: 'Also take over the setting that differs' }).check();
    await press(theirs, 'Import');
    await toast(theirs, { title: 'Workspace imported', text: 'Its reminders are paused.' });
    await reads(theirs, ['These settings were taken over.']);
    await expectGood(theirs);
    await press(theirs, 'Done');
    await press(theirs, 'Import workspace');
    await choose(theirs, JSON.stringify(parsed));
    await reads(theirs, ['Reminders: 1 there already']);
    await expect.poll(() => theirs.getByRole('button', { name: 'Nothing to import' }).isDisabled()).toBe(true);
    const { json } = await fixture.ann.call('GET', '/api/reminders', { workspace: other });
    expect(json.data.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual([
      ['Rent', 'paused'],
    ]);
  });

  it('says why it cannot be exported or read, and how far it is', async () => {
    const workspace = await newWorkspace('Fir Row');
    const page = await open(workspace);
    const path = `/api/workspaces/${workspace}/export`;
    await breakDown(page, path);
    await press(page, 'Export workspace');
    await reads(page, [`Error exporting the workspace: ${outage}`]);
    await expectGood(page);
    await restore(page);
    await press(page, 'Import workspace');
    await choose(page, 'Name,Email', 'contacts.csv');
    await reads(page, ['contacts.csv is not a JSON file']);
    await choose(page, '{"format": "other"}');
    await reads(page, [/^elm\.json cannot be read: format must be cuebird-workspace/]);
    await expectGood(page);
    await choose(page, '{"format": "cuebird-workspace", "version": 1}');
    await reads(page, ['The file is empty: it has nothing but settings.']);
    await expectGood(page);
    await press(page, 'Back');
    const contacts = Array.from({ length: 400 }, (_, at) => ({ ref: crypto.randomUUID(), name: `Contact ${at}` }));
    await choose(page, JSON.stringify({ format: 'cuebird-workspace', version: 1, contacts }));
    await reads(page, ['Contacts: 400 new', 'and more']);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/import(\?|$)/, async (route) => {
      if (route.request().method() === 'POST') return released.then(() => route.continue());
      const latest = { began_at: '2026-11-23T20:00:00.000Z', status: 'running', items: 400, items_done: 100 };
      return route.fulfill({ json: { latest } });
    });
    await press(page, 'Import');
    await reads(page, ['100 of 400 items. You may close this: the import goes on.']);
    await expectGood(page);
    release();
    await toast(page, { title: 'Workspace imported', text: 'Its reminders are paused.' });
  });
});
