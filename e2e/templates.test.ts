import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sampleReminder, sampleTemplate } from '#testing/samples.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood, showAt } from './looks.ts';
import {
  breakDown,
  cutOffNews,
  delayRequests,
  expectFits,
  describeScreens,
  outage,
  reads,
  restore,
  shiftOf,
  toast,
  type Visit,
} from './screens.fixture.ts';

const fixture = describeScreens();

const visit = (workspace: string, { path = '/templates', ...more }: Visit & { path?: string } = {}) =>
  fixture.open(path, { as: fixture.ann, workspace, ...more });

async function post(workspace: string, path: string, body: object = {}) {
  const { status, json } = await fixture.ann.call('POST', path, { workspace, body });
  expect([status, json.error]).toEqual([expect.any(Number), undefined]);
  return json;
}

const write = (workspace: string, body: object = {}) =>
  post(workspace, '/api/templates', { ...sampleTemplate, ...body });
const read = async (workspace: string) => (await fixture.ann.call('GET', '/api/templates', { workspace })).json.data;

/** A workspace with a template of each kind, in categories and without. */
async function anyKind(): Promise<string> {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  const rent = await post(workspace, '/api/template-categories', { name: 'Rent', color: '#eab308' });
  await write(workspace, { name: 'W'.repeat(100), description: 'x'.repeat(500) });
  for (const type of ['sms', 'push', 'webhook', 'email'])
    await write(workspace, {
      name: `By ${type}`,
      category_id: rent.id,
      is_public: type === 'push',
      content: { ...sampleTemplate.content, type },
    });
  return workspace;
}

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
/** Waits until the cards are these, in this order. */
const showsCards = (page: Page, names: readonly string[]) =>
  page.waitForFunction(
    (wanted) => [...document.querySelectorAll('article h2')].map((title) => title.textContent).join('\n') === wanted,
    names.join('\n'),
  );

async function choose(page: Page, { label, option }: { label: string; option: string }): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function fromMenu(page: Page, { of, item }: { of: string; item: string }): Promise<void> {
  await press(page, `More actions for ${of}`);
  await page.getByRole('menuitem', { name: item }).click();
}

describe.concurrent('the Templates screen', () => {
  it('fits and works for everyone, empty and full, from 320 to 1440 px, in the light and in the dark', async () => {
    for (const workspace of [fixture.empty, await anyKind()]) {
      const page = await visit(workspace);
      const last = workspace === fixture.empty ? 'No templates yet' : 'By sms';
      await reads(page, ['Manage Categories', last]);
      await expectGood(page, [320, 390, 768, 1440]);
      await fixture.leave(page);
    }
  });

  it('shows its shape while it waits, and nothing jumps when the answer comes', async ({ expect }) => {
    const workspace = await anyKind();
    let release = () => {};
    const page = await visit(workspace, {
      before: async (asked) => {
        release = await delayRequests(asked, '/api/templates');
      },
    });
    await page.getByRole('status', { name: 'Loading templates' }).waitFor();
    await expect.poll(() => page.getByTestId('skeleton').count()).toBe(3);
    release();
    await card(page, 'By email').waitFor();
    expect(await shiftOf(page)).toBeLessThan(0.02);
  });

  it('says what failed, and tries again', async () => {
    const page = await visit(fixture.empty, { before: (asked) => breakDown(asked, '/api/templates') });
    await toast(page, { title: 'Error loading templates', text: outage });
    await restore(page);
    await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
    await reads(page, ['No templates yet']);
  });

  it('is narrowed by search and category, which the address keeps', async () => {
    const workspace = await anyKind();
    const page = await visit(workspace);
    await choose(page, { label: 'Filter by category', option: 'Rent' });
    await showsCards(page, ['By email', 'By webhook', 'By push', 'By sms']);
    await page.getByRole('searchbox', { name: 'Search templates...' }).fill('WEB');
    await showsCards(page, ['By webhook']);
    await page.reload();
    await showsCards(page, ['By webhook']);
    await page.getByRole('searchbox', { name: 'Search templates...' }).fill('nothing like it');
    await reads(page, ['No templates found', 'Try adjusting your search or filters']);
    await press(page, 'Show all templates');
    await page.getByRole('article').nth(4).waitFor();
  });
});

describe.concurrent('a template', () => {
  it('is written over three tabs, and nothing typed is lost on the way', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Elm Street');
    const page = await visit(workspace);
    await press(page, 'Create your first template');
    const form = dialog(page, 'Create Template');
    await tab(page, 'Variables');
    await form.getByLabel('New variable').fill('amount');
    await form.getByLabel('New variable').press('Enter');
    await form.getByLabel('New variable').fill('amount');
    await press(page, 'Add Variable');
    await toast(page, { title: 'Variable already exists', text: 'A variable with this name already exists' });
    await form.getByLabel('New variable').fill('due_date');
    await tab(page, 'Content');
    await form.getByLabel('Subject').fill('Rent of ');
    await form.getByRole('button', { name: 'amount', exact: true }).click();
    await form.getByLabel('Message').fill('Dear , {{ tenant }}');
    await form.getByLabel('Message').press('Home');
    for (let step = 0; step < 5; step += 1) await form.getByLabel('Message').press('ArrowRight');
    await form.getByRole('button', { name: 'recipient_name', exact: true }).click();
    await expect.poll(() => form.getByLabel('Message').inputValue()).toBe('Dear {{recipient_name}}, {{ tenant }}');
    await expect.poll(() => form.getByLabel('Subject').inputValue()).toBe('Rent of {{amount}}');
    await form.getByRole('button', { name: 'Create Template' }).click();
    await toast(page, { title: 'Name required', text: 'Please provide a template name' });
    await form.getByRole('tab', { name: 'Basic Info has errors' }).waitFor();
    await expect.poll(() => form.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true);
    await form.getByLabel('Name').fill('Rent');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Create Template' }).click();
    await toast(page, { title: 'Template created', text: '“Rent” has been saved' });
    await card(page, 'Rent').waitFor();
    const [saved] = await read(workspace);
    expect(saved.content).toEqual({
      subject: 'Rent of {{amount}}',
      body: 'Dear {{recipient_name}}, {{ tenant }}',
      format: 'markdown',
      type: 'email',
    });
    expect(saved.variables.variables.map(({ name }: { name: string }) => name)).toEqual(['amount', 'due_date']);
  });

  it('asks before what was typed is thrown away: by Escape, by Cancel, and by a link elsewhere', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Elm Street');
    const { id } = await write(workspace);
    const page = await visit(workspace);
    await card(page, sampleTemplate.name).getByRole('button', { name: 'Edit' }).click();
    const form = dialog(page, 'Edit Template');
    await form.getByLabel('Name').fill('Changed');
    await expect.poll(() => new URL(page.url()).searchParams.get('template')).toBe(id);
    await page.keyboard.press('Escape');
    await dialog(page, 'Close without saving?').getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Changed');
    await page.evaluate(() => {
      const link = [...document.querySelectorAll('a')].find(({ pathname }) => pathname === '/channels');
      link?.click();
    });
    await press(page, 'Close without saving');
    await page.getByRole('heading', { level: 1, name: 'Notification Channels' }).waitFor();
    expect((await read(workspace))[0].name).toBe(sampleTemplate.name);
  });

  it('is opened by its link, edited, and stays what it was where somebody only looks', async () => {
    const workspace = await fixture.ann.createWorkspace('Elm Street');
    const { id } = await write(workspace);
    const page = await visit(workspace, { path: `/templates?template=${id}` });
    const form = dialog(page, 'Edit Template');
    await form.getByLabel('Description').fill('Every month');
    await form.getByRole('button', { name: 'Update Template' }).click();
    await toast(page, { title: 'Template updated', text: `“${sampleTemplate.name}” has been saved` });
    await reads(page, ['Every month']);
    await page.waitForURL((url) => url.search === '');
    await page.goto(`/templates?template=${crypto.randomUUID()}`);
    await toast(page, { title: 'Error loading templates', text: 'There is no such template' });
  });

  it('finds the variables in its text, with the types that their names tell', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Elm Street');
    await write(workspace, {
      content: { ...sampleTemplate.content, body: 'Ends {{trial_ends}}' },
      variables: { variables: [] },
    });
    const page = await visit(workspace);
    await card(page, sampleTemplate.name).getByRole('button', { name: 'Edit' }).click();
    await tab(page, 'Variables');
    const form = dialog(page, 'Edit Template');
    await form.getByText('trial_ends', { exact: false }).first().waitFor();
    await form.getByRole('button', { name: 'Add to variables' }).click();
    const added = form.getByRole('listitem', { name: 'trial_ends' });
    await expect.poll(() => added.getByLabel('Type').inputValue()).toBe('Date');
  });

  it('for SMS tells how many messages it is', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Elm Street');
    const page = await visit(workspace);
    await press(page, 'Create Template');
    await tab(page, 'Content');
    await choose(page, { label: 'Type', option: 'SMS' });
    await page.getByLabel('Message').fill('x'.repeat(161));
    await reads(page, ['2 segments, GSM-7 · 161 characters']);
    await page.getByLabel('Message').fill('Dear {{recipient_name}} 🐦');
    await reads(page, ['1 segment, UCS-2 · 16 characters, with sample values']);
    await expect.poll(() => page.getByLabel('Subject').count()).toBe(0);
  });

  it('is previewed as mail in a frame of its own, with samples that can be changed', async () => {
    const workspace = await fixture.ann.createWorkspace('Elm Street');
    await write(workspace, {
      content: {
        subject: 'Rent of {{amount}}',
        body: 'Dear {{recipient_name}}, <b>{{amount}}</b> is due.',
        type: 'email',
      },
    });
    const page = await visit(workspace);
    await card(page, sampleTemplate.name).getByRole('button', { name: 'Preview' }).click();
    await reads(page, ['Rent of 123']);
    const mail = page.frameLocator('iframe[title="The message as mail"]');
    await mail.getByText('Dear John Doe, <b>123</b> is due.').waitFor();
    await expectAccessible(page);
    await tab(page, 'Test Variables');
    await page.getByLabel('amount').fill('950 €');
    await page.getByLabel('recipient_name').fill('');
    await expectAccessible(page);
    await tab(page, 'Preview');
    await mail.getByText('Dear {{recipient_name}}, <b>950 €</b> is due.').waitFor();
    await reads(page, ['Rent of 950 €', 'recipient_name']);
  });

  it('whose preview fails in one channel can be looked at in another', async () => {
    const workspace = await fixture.ann.createWorkspace('Elm Street');
    await write(workspace, { content: { subject: 'Rent', body: 'It is due.', type: 'email' } });
    const page = await visit(workspace);
    await breakDown(page, '/api/templates/preview');
    await card(page, sampleTemplate.name).getByRole('button', { name: 'Preview' }).click();
    await reads(page, ['Error loading the preview', outage]);
    await restore(page);
    await page.getByRole('radio', { name: 'Email' }).press('ArrowRight');
    await reads(page, ['It is due.']);
  });

  it('is duplicated, and deleted after a question', async () => {
    const workspace = await fixture.ann.createWorkspace('Elm Street');
    await write(workspace);
    const page = await visit(workspace);
    await press(page, `Duplicate ${sampleTemplate.name}`);
    await toast(page, {
      title: 'Template duplicated',
      text: `“${sampleTemplate.name}” has been copied as “${sampleTemplate.name} (Copy)”`,
    });
    await press(page, `Delete ${sampleTemplate.name} (Copy)`);
    await press(page, 'Delete Template');
    await toast(page, { title: 'Template deleted', text: `“${sampleTemplate.name} (Copy)” has been deleted` });
    await showsCards(page, [sampleTemplate.name]);
  });

  it('tells what each version changed, and takes one back', async () => {
    const workspace = await fixture.ann.createWorkspace('Elm Street');
    const { id } = await write(workspace);
    const content = { ...sampleTemplate.content, subject: 'Deposit of {{amount}}' };
    await fixture.ann.call('PATCH', `/api/templates/${id}`, { workspace, body: { content } });
    const page = await visit(workspace);
    await fromMenu(page, { of: sampleTemplate.name, item: 'Version history' });
    await page.locator('ins', { hasText: 'Deposit' }).waitFor();
    await page.locator('del', { hasText: 'Rent' }).waitFor();
    await expectAccessible(page);
    await press(page, 'Restore version 1');
    await toast(page, { title: 'Template updated', text: 'Version 1 has been restored as version 3' });
    await page.getByRole('heading', { name: 'Version 3' }).waitFor();
    expect((await read(workspace))[0].content).toEqual({ ...sampleTemplate.content, format: 'plain' });
  });

  it('tells where it is used, with the way there', async () => {
    const workspace = await fixture.ann.createWorkspace('Elm Street');
    const { id } = await write(workspace);
    const { metadata } = sampleReminder;
    await post(workspace, '/api/reminders', {
      ...sampleReminder,
      name: 'June',
      metadata: { ...metadata, template_id: id },
    });
    const page = await visit(workspace);
    await card(page, sampleTemplate.name)
      .getByText(/ used once /)
      .waitFor();
    await fromMenu(page, { of: sampleTemplate.name, item: 'Where it is used' });
    await expectAccessible(page);
    await page.getByRole('link', { name: 'June' }).click();
    await page.getByRole('heading', { level: 1, name: 'Edit Reminder' }).waitFor();
  });

  it('is shown to nobody outside until an admin allows it, which its own dialog offers', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Open Lane');
    const page = await visit(workspace);
    await page.getByRole('button', { name: 'Create Template' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByText(/Public templates are off in this workspace/).waitFor();
    await form.getByLabel('Name').fill('For all');
    await press(page, 'Allow public templates');
    await toast(page, { title: 'Settings updated', text: 'Workspace settings have been saved successfully.' });
    await form.getByText('Everybody on this installation can see and copy it.').waitFor();
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('For all');
    await expectAccessible(page);
    await fixture.leave(page);
    await fixture.owner.query("update workspace_members set role = 'member' where workspace_id = $1", [workspace]);
    await fixture.owner.query("update workspaces set settings = '{}' where id = $1", [workspace]);
    const asMember = await visit(workspace);
    await asMember.getByRole('button', { name: 'Create Template' }).first().click();
    await asMember.getByText(/Ask an admin to allow them/).waitFor();
    await expect.poll(() => asMember.getByRole('button', { name: 'Allow public templates' }).count()).toBe(0);
  });

  it('that is public can be found and copied from another workspace', async () => {
    const theirs = await fixture.ann.createWorkspace('Generous Street');
    const settings = { allowPublicTemplates: true };
    await fixture.ann.call('PATCH', `/api/workspaces/${theirs}`, { workspace: theirs, body: { settings } });
    await write(theirs, { name: 'For everybody', is_public: true });
    const mine = await fixture.ann.createWorkspace('Elm Street');
    const page = await visit(mine);
    await press(page, 'Template gallery');
    await page.getByRole('tab', { name: 'Public' }).click();
    await dialog(page, 'Template gallery').getByRole('searchbox').fill('for everybody');
    await reads(page, ['From Generous Street · Email · 1 variable']);
    await expectAccessible(page);
    await press(page, 'Copy For everybody');
    await toast(page, { title: 'Template created', text: '“For everybody” has been copied from Generous Street' });
    expect((await read(mine)).map(({ name }: { name: string }) => name)).toEqual(['For everybody']);
  });
});

describe.concurrent('a starter template', () => {
  it('is found by its words and copied into the workspace', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Harbour Lane');
    const page = await visit(workspace);
    await press(page, 'Template gallery');
    const gallery = dialog(page, 'Template gallery');
    await gallery.getByRole('heading', { name: 'Customer success' }).waitFor();
    await gallery.getByRole('searchbox').fill('rent payment late');
    await expect.poll(() => gallery.getByRole('listitem').count()).toBe(1);
    await gallery.getByText('Show the text').click();
    await gallery.getByText('Your rent for {{unit}} has not reached us').waitFor();
    await expectAccessible(page);
    await press(page, 'Copy Rent has not arrived');
    await toast(page, { title: 'Template created', text: '“Rent has not arrived” has been copied' });
    const [copy] = await read(workspace);
    expect(copy).toMatchObject({ name: 'Rent has not arrived', is_public: false, category_id: null });
    expect(copy.content.body).toContain('Hello {{recipient_name}},');
    await gallery.getByRole('searchbox').fill('nothing like it');
    await reads(page, ['No templates found', 'Try adjusting your search']);
  });
});

describe.concurrent('the dialogs of a template', () => {
  it('stay where they are and do not become lower when another tab opens', async ({ expect }) => {
    const page = await visit(fixture.empty);
    await press(page, 'Create your first template');
    const height = async () => (await dialog(page, 'Create Template').boundingBox())?.height ?? 0;
    const top = async () => (await dialog(page, 'Create Template').boundingBox())?.y;
    await dialog(page, 'Create Template').getByLabel('Name').waitFor();
    const begins = await top();
    await tab(page, 'Content');
    await dialog(page, 'Create Template').getByLabel('Message').waitFor();
    const tall = await height();
    await tab(page, 'Variables');
    await dialog(page, 'Create Template').getByLabel('New variable').waitFor();
    await expect.poll(height).toBeCloseTo(tall, 0);
    await expect.poll(top).toBe(begins);
  });

  it('fit on a phone and at a desk, whatever its name, in the light and in the dark', async () => {
    const workspace = await fixture.ann.createWorkspace('Elm Street');
    const long = 'W'.repeat(100);
    await post(workspace, '/api/template-categories', { name: long });
    const variables = { variables: [{ name: 'w'.repeat(100) }] };
    const { id } = await write(workspace, { name: long, description: long, variables });
    const content = { body: `${long} {{${'w'.repeat(100)}}}` };
    await fixture.ann.call('PATCH', `/api/templates/${id}`, { workspace, body: { content } });
    const { metadata } = sampleReminder;
    await post(workspace, '/api/reminders', {
      ...sampleReminder,
      name: long,
      metadata: { ...metadata, template_id: id },
    });
    const cases: [string, (page: Page) => Promise<unknown>][] = [
      ['Update Template', (page) => card(page, long).getByRole('button', { name: 'Edit' }).click()],
      ['Close', (page) => card(page, long).getByRole('button', { name: 'Preview' }).click()],
      ['Restore version 1', (page) => fromMenu(page, { of: long, item: 'Version history' })],
      ['New Category', (page) => press(page, 'Manage Categories')],
    ];
    const page = await visit(workspace);
    for (const [button, open] of cases) {
      await open(page);
      const opened = page.getByRole('dialog');
      await opened.getByRole('button', { name: button, exact: true }).first().waitFor();
      const parts = opened.getByRole('tab', { name: /^(Content|Variables|Test Variables)$/ });
      for (const part of await parts.all()) {
        await part.click();
        await showAt(page, 390);
        await expectFits(page);
        await showAt(page, 1440);
        await expectFits(page);
      }
      await expectGood(page);
      await page.keyboard.press('Escape');
      await opened.waitFor({ state: 'detached' });
    }
  });
});

describe.concurrent('a category', () => {
  it('is made, recoloured by the keyboard, renamed and deleted; its templates show it at once', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Elm Street');
    const page = await visit(workspace);
    await press(page, 'Manage Categories');
    await press(page, 'New Category');
    const form = page.getByRole('form', { name: 'New category' });
    await expect.poll(() => form.getByRole('radio').count()).toBe(17);
    await form.getByLabel('Category name').fill('Rent');
    await form.getByRole('radio', { name: 'Blue' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Escape');
    // Only the form is left, for where it was opened.
    await expect
      .poll(() => page.getByRole('button', { name: 'New Category' }).evaluate((it) => it === document.activeElement))
      .toBe(true);
    await page.keyboard.press('Enter');
    await form.getByLabel('Category name').fill('Rent');
    await form.getByRole('radio', { name: 'Blue' }).focus();
    await page.keyboard.press('ArrowRight');
    await expectAccessible(page);
    await press(page, 'Create Category');
    await toast(page, { title: 'Category created', text: '“Rent” has been saved' });
    const [category] = (await fixture.ann.call('GET', '/api/template-categories', { workspace })).json.data;
    expect(category).toMatchObject({ name: 'Rent', color: '#ef4444' });
    await write(workspace, { category_id: category.id });
    await press(page, 'Edit Rent');
    await page.getByLabel('Category name').fill('Leases');
    await page.getByLabel('Category name').press('Enter');
    await toast(page, { title: 'Category updated', text: '“Leases” has been saved' });
    await reads(page, ['1 template']);
    await press(page, 'Delete Leases');
    await page.getByText('This will remove the category from all templates.').waitFor();
    await press(page, 'Delete Category');
    await toast(page, { title: 'Category deleted', text: '“Leases” has been deleted' });
    await reads(page, ['No categories yet']);
    expect((await read(workspace))[0].category).toBeNull();
  });
});

/** The API refuses in these words, or without any. */
async function refuse(page: Page, path: string, { status, message }: { status: number; message: string }) {
  await cutOffNews(page);
  const json = { error: { code: 'refused', message, request_id: 'r-1' } };
  await page.route(
    (url) => url.pathname === path,
    (route) => route.fulfill({ status, json }),
  );
}

/** A workspace with one template, in the only category. */
async function withTemplate() {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  const post = async (path: string, body: object) =>
    (await fixture.ann.call('POST', path, { workspace, body })).json.id as string;
  const category = await post('/api/template-categories', { name: 'Rent' });
  return { workspace, category, template: await post('/api/templates', { ...sampleTemplate, category_id: category }) };
}

async function expectOptions(page: Page, { of, options: names }: { of: string; options: string[] }): Promise<void> {
  await page.getByRole('combobox', { name: of, exact: true }).click();
  const options = page.getByRole('option');
  await expect.poll(() => options.allInnerTexts()).toEqual(names);
  await options.first().click();
  await options.first().waitFor({ state: 'detached' });
}

describe.concurrent('the choices of the Templates screen', () => {
  it('offers every category, type of message and type of variable there is', async ({ expect }) => {
    const { workspace } = await withTemplate();
    for (const name of ['water', 'Deposit'])
      await fixture.ann.call('POST', '/api/template-categories', { workspace, body: { name } });
    const page = await visit(workspace);
    await page.getByRole('heading', { level: 1, name: 'Templates', exact: true }).waitFor();
    await page.getByRole('article').waitFor();
    await expectOptions(page, { of: 'Filter by category', options: ['All Categories', 'Deposit', 'Rent', 'water'] });
    await press(page, 'Create Template');
    const tabs = dialog(page, 'Create Template').getByRole('tab');
    await tabs.first().waitFor();
    await expect.poll(() => tabs.allInnerTexts()).toEqual(['Basic Info', 'Content', 'Variables']);
    await tabs.nth(1).click();
    await expectOptions(page, { of: 'Type', options: ['Email', 'SMS', 'Push', 'Webhook'] });
    await tabs.nth(2).click();
    await expectOptions(page, { of: 'Its type', options: ['Text', 'Number', 'Date', 'Email'] });
    await page.keyboard.press('Escape');
    await press(page, 'Preview');
    const parts = page.getByRole('dialog').getByRole('tab');
    await parts.first().waitFor();
    await expect.poll(() => parts.allInnerTexts()).toEqual(['Preview', 'Test Variables']);
  });

  it('says in its place that nobody is signed in, or that no workspace is chosen', async () => {
    const page = await visit(fixture.empty, {
      before: (asked) => refuse(asked, '/api/templates', { status: 404, message: 'There is no such workspace' }),
    });
    await reads(page, ['No Workspace Selected', 'No workspace selected. Please select a workspace first.']);
    await refuse(page, '/api/templates', { status: 401, message: 'Sign in first' });
    await press(page, 'Retry');
    await toast(page, { title: 'Authentication Required', text: 'Sign in first' });
    await page.waitForURL('**/auth');
  });

  it('says that the categories could not be had, beside its buttons', async ({ expect }) => {
    const page = await visit(fixture.empty, { before: (asked) => breakDown(asked, '/api/template-categories') });
    await toast(page, { title: 'Error loading categories', text: outage });
    const [said, gallery] = [
      page.getByRole('alert').filter({ hasText: 'Error loading categories' }),
      page.getByRole('button', { name: 'Template gallery' }),
    ];
    for (const width of [1440, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const { right, left } = {
        right: await said.evaluate((it) => it.getBoundingClientRect().right),
        left: await gallery.evaluate((it) => it.getBoundingClientRect().left),
      };
      expect(right).toBeLessThan(left);
    }
  });
});

describe.concurrent('what fails is called by what was done', () => {
  it('with a template, of which nothing typed is lost', async ({ expect }) => {
    const { workspace, template } = await withTemplate();
    const page = await visit(workspace);
    await breakDown(page, `/api/templates/${template}`);
    await breakDown(page, `/api/templates/${template}/duplicate`);
    await press(page, `Duplicate ${sampleTemplate.name}`);
    await toast(page, { title: 'Error duplicating template', text: outage });
    const notice = page.getByRole('alert').filter({ hasText: 'Error duplicating template' });
    const color = await notice.evaluate((it) => getComputedStyle(it).getPropertyValue('--notification-color'));
    const [red = 0, green = 0, blue = 0] = color.match(/[\da-f]{2}/g)?.map((part) => Number.parseInt(part, 16)) ?? [];
    expect(red).toBeGreaterThan(2 * Math.max(green, blue));
    await press(page, `Delete ${sampleTemplate.name}`);
    await press(page, 'Delete Template');
    await toast(page, { title: 'Error deleting template', text: outage });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await restore(page);
    await press(page, 'Edit');
    const form = dialog(page, 'Edit Template');
    await form.getByLabel('Name').fill('Rent of June');
    await breakDown(page, `/api/templates/${template}`);
    await press(page, 'Update Template');
    await toast(page, { title: 'Error saving template', text: outage });
    await restore(page);
    await refuse(page, `/api/templates/${template}`, { status: 500, message: '' });
    await press(page, 'Update Template');
    await toast(page, { title: 'Error saving template', text: 'An unexpected error occurred' });
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Rent of June');
  });

  it('with a new template, for want of a workspace or of somebody signed in', async () => {
    const page = await visit(fixture.empty, { before: cutOffNews });
    await press(page, 'Create your first template');
    await dialog(page, 'Create Template').getByLabel('Name').fill('Rent');
    const create = dialog(page, 'Create Template').getByRole('button', { name: 'Create Template' });
    await refuse(page, '/api/templates', { status: 404, message: 'There is no such workspace' });
    await create.click();
    const text = 'No workspace selected. Please select a workspace first.';
    await toast(page, { title: 'Cannot create template', text });
    await refuse(page, '/api/templates', { status: 401, message: 'Sign in first' });
    await create.click();
    await toast(page, { title: 'Cannot create template', text: 'Sign in first' });
  });

  it('with a category, which needs more than blanks for a name', async ({ expect }) => {
    const { workspace, category } = await withTemplate();
    const page = await visit(workspace, { before: cutOffNews });
    await page.getByRole('article').waitFor();
    await breakDown(page, '/api/template-categories');
    await breakDown(page, `/api/template-categories/${category}`);
    await press(page, 'Manage Categories');
    for (const [opens, saves, title] of [
      ['New Category', 'Create Category', 'Error creating category'],
      ['Edit Rent', 'Update Category', 'Error updating category'],
    ] as const) {
      await press(page, opens);
      const save = page.getByRole('button', { name: saves });
      await page.getByLabel('Category name').fill('  ');
      await expect.poll(() => save.isDisabled()).toBe(true);
      await page.getByLabel('Category name').fill('Leases');
      await save.click();
      await toast(page, { title, text: outage });
      await expect.poll(() => page.getByLabel('Category name').inputValue()).toBe('Leases');
      await page.getByRole('form').getByRole('button', { name: 'Cancel' }).click();
    }
    await press(page, 'Delete Rent');
    await press(page, 'Delete Category');
    await toast(page, { title: 'Error deleting category', text: outage });
  });
});
