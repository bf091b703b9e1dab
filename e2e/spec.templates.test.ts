import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { sampleTemplate } from '#testing/samples.ts';
import { breakDown, cutOffNews, type Fixture, openFixture, outage, reads, restore, toast } from './screens.fixture.ts';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.close());

const visit = (workspace: string, before?: (page: Page) => Promise<unknown>) =>
  fixture.open('/templates', { as: fixture.ann, workspace, before });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const named = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

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

async function optionsOf(page: Page, label: string): Promise<string[]> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  const options = page.getByRole('option');
  await options.first().waitFor();
  const offered = await options.allInnerTexts();
  await options.first().click();
  await options.first().waitFor({ state: 'detached' });
  return offered;
}

describe.concurrent('the Templates screen', () => {
  it('offers every category, type of message and type of variable there is', async ({ expect }) => {
    const { workspace } = await withTemplate();
    for (const name of ['water', 'Deposit'])
      await fixture.ann.call('POST', '/api/template-categories', { workspace, body: { name } });
    const page = await visit(workspace);
    await page.getByRole('heading', { level: 1, name: 'Templates', exact: true }).waitFor();
    await page.getByRole('article').waitFor();
    expect(await optionsOf(page, 'Filter by category')).toEqual(['All Categories', 'Deposit', 'Rent', 'water']);
    await press(page, 'Create Template');
    const tabs = named(page, 'Create Template').getByRole('tab');
    await tabs.first().waitFor();
    await expect.poll(() => tabs.allInnerTexts()).toEqual(['Basic Info', 'Content', 'Variables']);
    await tabs.nth(1).click();
    expect(await optionsOf(page, 'Type')).toEqual(['Email', 'SMS', 'Push', 'Webhook']);
    await tabs.nth(2).click();
    expect(await optionsOf(page, 'Its type')).toEqual(['Text', 'Number', 'Date', 'Email']);
    await page.keyboard.press('Escape');
    await press(page, 'Preview');
    const parts = page.getByRole('dialog').getByRole('tab');
    await parts.first().waitFor();
    await expect.poll(() => parts.allInnerTexts()).toEqual(['Preview', 'Test Variables']);
    await fixture.leave(page);
  });

  it('says in its place that nobody is signed in, or that no workspace is chosen', async () => {
    const page = await visit(fixture.empty, (asked) =>
      refuse(asked, '/api/templates', { status: 404, message: 'There is no such workspace' }),
    );
    await reads(page, ['No Workspace Selected', 'No workspace selected. Please select a workspace first.']);
    await refuse(page, '/api/templates', { status: 401, message: 'Sign in first' });
    await press(page, 'Retry');
    await toast(page, { title: 'Authentication Required', text: 'Sign in first' });
    await page.waitForURL('**/auth');
    await fixture.leave(page);
  });

  it('says that the categories could not be had', async () => {
    const page = await visit(fixture.empty, (asked) => breakDown(asked, '/api/template-categories'));
    await toast(page, { title: 'Error loading categories', text: outage });
    await fixture.leave(page);
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
    const form = named(page, 'Edit Template');
    await form.getByLabel('Name').fill('Rent of June');
    await breakDown(page, `/api/templates/${template}`);
    await press(page, 'Update Template');
    await toast(page, { title: 'Error saving template', text: outage });
    await restore(page);
    await refuse(page, `/api/templates/${template}`, { status: 500, message: '' });
    await press(page, 'Update Template');
    await toast(page, { title: 'Error saving template', text: 'An unexpected error occurred' });
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Rent of June');
    await fixture.leave(page);
  });

  it('with a new template, for want of a workspace or of somebody signed in', async () => {
    const page = await visit(fixture.empty, cutOffNews);
    await press(page, 'Create your first template');
    await named(page, 'Create Template').getByLabel('Name').fill('Rent');
    const create = named(page, 'Create Template').getByRole('button', { name: 'Create Template' });
    await refuse(page, '/api/templates', { status: 404, message: 'There is no such workspace' });
    await create.click();
    const text = 'No workspace selected. Please select a workspace first.';
    await toast(page, { title: 'Cannot create template', text });
    await refuse(page, '/api/templates', { status: 401, message: 'Sign in first' });
    await create.click();
    await toast(page, { title: 'Cannot create template', text: 'Sign in first' });
    await fixture.leave(page);
  });

  it('with a category, which needs more than blanks for a name', async ({ expect }) => {
    const { workspace, category } = await withTemplate();
    const page = await visit(workspace, cutOffNews);
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
    await fixture.leave(page);
  });
});
