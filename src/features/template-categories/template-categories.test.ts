import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { categoryColors } from '#contract/template-categories.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleTemplate } from '#testing/samples.ts';

describe('categories of templates', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  afterAll(() => cuebird.stop());
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });

  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  const add = (body: object) => call('POST', '/api/template-categories', body);
  const list = async () => (await call('GET', '/api/template-categories')).json.data;

  it('have one of 17 colours, the first if none is chosen', async () => {
    expect(new Set(categoryColors.map(({ hex }) => hex)).size).toBe(17);
    const { status, json } = await add({ name: ' Rent ' });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.any(String),
      workspace_id: workspace,
      name: 'Rent',
      description: '',
      color: categoryColors[0].hex,
      template_count: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    for (const { hex } of categoryColors) expect((await add({ name: hex, color: hex })).json.color).toBe(hex);
  });

  it.each([
    [{ name: ' ' }, 'name', 'Please provide a category name'],
    [{}, 'name', 'Please provide a category name'],
    [{ name: 'x'.repeat(101) }, 'name', 'must be at most 100 characters'],
    [{ name: 'Rent', color: '#123456' }, 'color', 'must be one of the preset colours, such as #3b82f6'],
  ])('are refused with invalid fields: %o', async (body, path, message) => {
    const { status, json } = await add(body);
    expect([status, json.error.fields]).toEqual([400, [{ path, message }]]);
  });

  it('are listed by name, whatever the case', async () => {
    for (const name of ['water', 'Écoles', 'Rent', 'deposit']) await add({ name });
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(['deposit', 'Écoles', 'Rent', 'water']);
  });

  it('can be renamed and recoloured, which their templates show', async () => {
    const { id } = (await add({ name: 'Rent' })).json;
    const template = (await call('POST', '/api/templates', { ...sampleTemplate, category_id: id })).json;
    const changed = await call('PATCH', `/api/template-categories/${id}`, { name: 'Leases', color: '#22c55e' });
    expect(changed.json).toMatchObject({ name: 'Leases', color: '#22c55e', description: '', template_count: 1 });
    const shown = (await call('GET', `/api/templates/${template.id}`)).json;
    expect(shown.category).toEqual({ name: 'Leases', color: '#22c55e' });
    expect((await call('PATCH', `/api/template-categories/${id}`, { name: ' ' })).status).toBe(400);
  });

  it('leave their templates without a category and otherwise unchanged when they are deleted', async () => {
    const { id } = (await add({ name: 'Rent' })).json;
    const template = (await call('POST', '/api/templates', { ...sampleTemplate, category_id: id })).json;
    expect((await call('DELETE', `/api/template-categories/${id}`)).json).toEqual({});
    expect((await call('GET', `/api/templates/${template.id}`)).json).toEqual({
      ...template,
      category_id: null,
      category: null,
    });
    expect((await call('DELETE', `/api/template-categories/${id}`)).status).toBe(404);
    expect((await call('PATCH', `/api/template-categories/${id}`, { name: 'Rent' })).status).toBe(404);
  });

  it('are at most a thousand', async () => {
    const { owner } = cuebird;
    await owner.query(
      "insert into template_categories (workspace_id, name, color) select $1, n::text, '#ef4444' from generate_series(1, 999) n",
      [workspace],
    );
    expect((await add({ name: 'The last' })).status).toBe(201);
    const refused = await add({ name: 'One more' });
    expect([refused.status, refused.json.error.message]).toEqual([422, 'A workspace can have 1000 categories at most']);
  });
});
