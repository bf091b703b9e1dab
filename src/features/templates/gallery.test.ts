import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleTemplate } from '#testing/samples.ts';

describe('the gallery of public templates', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let erin: TestPerson;
  let theirs: string;
  let mine: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
    erin = await cuebird.signUp('Erin');
  });
  afterAll(() => cuebird.stop());
  beforeEach(async () => {
    await database.query('delete from workspaces');
    theirs = await erin.createWorkspace('Oak Street');
    mine = await dana.createWorkspace('Elm Street');
  });

  const allow = async (isAllowed: boolean) => {
    const body = { settings: { allowPublicTemplates: isAllowed } };
    expect((await erin.call('PATCH', `/api/workspaces/${theirs}`, { workspace: theirs, body })).status).toBe(200);
  };
  const write = async (body: object): Promise<string> =>
    (await erin.call('POST', '/api/templates', { workspace: theirs, body: { ...sampleTemplate, ...body } })).json.id;
  const gallery = async (query = '', as = dana) => (await as.call('GET', `/api/templates/gallery${query}`)).json;
  const names = async (query = '') => (await gallery(query)).data.map(({ name }: { name: string }) => name);
  const copy = (id: string) => dana.call('POST', `/api/templates/gallery/${id}/copy`, { workspace: mine });

  it('shows public templates of workspaces that allow it to every signed-in user, with only the workspace’s name', async () => {
    await allow(true);
    const id = await write({ is_public: true });
    const shown = { ...sampleTemplate, id, workspace_name: 'Oak Street' };
    expect(await gallery()).toEqual({ data: [shown], next_cursor: null });
    expect((await gallery('', await cuebird.signUp('Without a workspace'))).data).toEqual([shown]);
    expect((await fetch(`${cuebird.url}/api/templates/gallery`)).status).toBe(401);
  });

  it('shows no private template, and none of a workspace that does not allow it', async () => {
    await write({ name: 'Private' });
    const id = await write({ name: 'Public', is_public: true });
    expect(await names()).toEqual([]);
    expect((await copy(id)).status).toBe(404);
    await allow(true);
    expect(await names()).toEqual(['Public']);
    await allow(false);
    expect(await names()).toEqual([]);
    expect((await copy(id)).status).toBe(404);
  });

  it('shows no template of a demo, which is opened without an account', async () => {
    await allow(true);
    const id = await write({ name: 'Free money', is_public: true });
    expect(await names()).toEqual(['Free money']);
    await database.query("update workspaces set demo_until = now() + interval '1 day' where id = $1", [theirs]);
    expect(await names()).toEqual([]);
    expect((await copy(id)).status).toBe(404);
  });

  it('gives no access by id: other routes answer 404 outside the workspace', async () => {
    await allow(true);
    const ids = [await write({ is_public: true }), await write({ name: 'Private' })];
    const cases: [string, string, unknown?][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', ''],
      ['POST', '/duplicate'],
      ['GET', '/versions'],
      ['POST', '/versions/1/restore'],
      ['GET', '/uses'],
      ['GET', `/html?workspace=${mine}`],
    ];
    for (const id of ids) {
      for (const [method, path, body] of cases)
        expect((await dana.call(method, `/api/templates/${id}${path}`, { workspace: mine, body })).status).toBe(404);
    }
    expect((await copy(ids[1] ?? '')).status).toBe(404);
    expect((await dana.call('GET', '/api/templates', { workspace: mine })).json.data).toEqual([]);
  });

  it('creates independent copies', async () => {
    await allow(true);
    const category = await erin.call('POST', '/api/template-categories', {
      workspace: theirs,
      body: { name: 'Rent' },
    });
    const id = await write({ is_public: true, category_id: category.json.id });
    const { status, json } = await copy(id);
    expect(status).toBe(201);
    expect(json).toMatchObject({
      ...sampleTemplate,
      workspace_id: mine,
      category_id: null,
      category: null,
      is_public: false,
      usage_count: 0,
      version: 1,
      created_by: dana.userId,
    });
    await dana.call('PATCH', `/api/templates/${json.id}`, { workspace: mine, body: { name: 'Changed' } });
    expect(await names()).toEqual([sampleTemplate.name]);
  });

  it('is listed by name, searched, and read in pages', async () => {
    await allow(true);
    for (const name of ['water', 'Écoles', 'rent', 'Écoles'])
      await write({ name, description: `About ${name}`, is_public: true });
    expect(await names()).toEqual(['Écoles', 'Écoles', 'rent', 'water']);
    expect(await names('?search=about ecoles')).toEqual(['Écoles', 'Écoles']);
    expect(await names('?search=%25')).toEqual([]);
    const first = await gallery('?limit=1');
    const second = await gallery(`?limit=2&cursor=${first.next_cursor}`);
    const third = await gallery(`?limit=2&cursor=${second.next_cursor}`);
    const read = [...first.data, ...second.data, ...third.data].map(({ name }: { name: string }) => name);
    expect(read).toEqual(['Écoles', 'Écoles', 'rent', 'water']);
    expect(third.next_cursor).toBeNull();
  });

  it('audits who publishes a template', async () => {
    const id = await write({ is_public: true });
    await erin.call('PATCH', `/api/templates/${id}`, { workspace: theirs, body: { is_public: false } });
    const { rows } = await database.query(
      "select action, actor_id from audit_log where target = $1 and action like 'template.%' order by created_at, id",
      [id],
    );
    expect(rows).toEqual([
      { action: 'template.published', actor_id: erin.userId },
      { action: 'template.unpublished', actor_id: erin.userId },
    ]);
  });
});
