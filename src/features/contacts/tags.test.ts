import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

describe('tags of contacts', () => {
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
  const add = async (contact: object) => {
    const added = await call('POST', '/api/contacts', contact);
    expect([added.status, added.json.error]).toEqual([201, undefined]);
    return added.json;
  };
  const tag = (body: object) => call('POST', '/api/contact-tags', body);
  const addMany = async (of: string, count: number) => {
    const { owner } = cuebird;
    try {
      await owner.query(
        `insert into contacts (workspace_id, name) select $1, 'Person ' || n from generate_series(1, $2::int) as n`,
        [of, count],
      );
    } finally {
    }
  };
  const tagsByName = async (query = '') =>
    Object.fromEntries(
      (await call('GET', `/api/contacts${query}`)).json.data.map((contact: { name: string; tags: string[] }) => [
        contact.name,
        contact.tags,
      ]),
    );

  it('are kept in their spelling and order, and once, whatever case and accents', async () => {
    expect(await add({ name: 'Anna', tags: ['VIP', ' Mieter ', 'vip', 'Café', 'cafe'] })).toMatchObject({
      tags: ['VIP', 'Mieter', 'Café'],
    });
  });

  it('stay when a contact is replaced without them, and are replaced where they are given', async () => {
    const { id } = await add({ name: 'Anna', tags: ['vip'] });
    expect((await call('PUT', `/api/contacts/${id}`, { name: 'Anna B' })).json.tags).toEqual(['vip']);
    expect((await call('PUT', `/api/contacts/${id}`, { name: 'Anna B', tags: ['tenant'] })).json.tags).toEqual([
      'tenant',
    ]);
    expect((await call('PUT', `/api/contacts/${id}`, { name: 'Anna B', tags: [] })).json.tags).toEqual([]);
  });

  it('are exported and imported again, unless they hold a semicolon', async () => {
    for (const tags of [['vip', 'Mieter'], ['Oak, left']])
      await add({ email: `${tags.length}@example.com`, name: tags[0], tags });
    const response = await fetch(`${cuebird.url}/api/contacts/export?workspace=${workspace}`, {
      headers: { cookie: dana.cookie },
    });
    const csv = await response.text();
    expect(csv).toContain(
      'Name,Salutation,First name,Last name,Email,Phone,Timezone,Language,Preferred channel,Note,Tags',
    );
    workspace = await dana.createWorkspace('Oak Street');
    await call('POST', '/api/contacts/import', { csv, mode: 'import' });
    expect(await tagsByName()).toEqual({ vip: ['vip', 'Mieter'], 'Oak, left': ['Oak, left'] });
  });

  it('of a contact that is saved again are added to those it has', async () => {
    await add({ name: 'Anna', email: 'anna@example.com', tags: ['vip'] });
    const contacts = [
      { email: 'anna@example.com', tags: ['VIP', 'tenant'] },
      { email: 'ben@example.com', name: 'Ben', tags: ['tenant'] },
      { email: 'cleo@example.com', name: 'Cleo' },
    ];
    const saved = await call('POST', '/api/contacts/batch', { contacts });
    expect(saved.json.counts).toEqual({ created: 2, updated: 1, unchanged: 0, joined: 0, failed: 0, incomplete: 0 });
    expect(await tagsByName()).toEqual({ Anna: ['vip', 'tenant'], Ben: ['tenant'], Cleo: [] });
    const again = await call('POST', '/api/contacts/batch', { contacts });
    expect(again.json.counts).toEqual({ created: 0, updated: 0, unchanged: 3, joined: 0, failed: 0, incomplete: 0 });
  });

  it('are refused when blank, too long or too many, with the field', async () => {
    for (const [tags, path] of [
      [['  '], 'tags.0'],
      [['\u0301'], 'tags.0'],
      [['a'.repeat(51)], 'tags.0'],
      [Array.from({ length: 21 }, (_, at) => `t${at}`), 'tags'],
      [['a\u200bb'], 'tags.0'],
    ] as const) {
      const refused = await call('POST', '/api/contacts', { name: 'Anna', tags });
      expect([refused.status, refused.json.error.fields[0].path]).toEqual([400, path]);
    }
  });

  it('are added to and removed from chosen contacts, and what they had stays', async () => {
    const [anna, ben] = [await add({ name: 'Anna', tags: ['VIP'] }), await add({ name: 'Ben', tags: ['old'] })];
    await add({ name: 'Cleo' });
    const changed = await tag({ contacts: { ids: [anna.id, ben.id] }, add: ['vip', 'Tenant'], remove: ['OLD'] });
    expect(changed.json).toMatchObject({ changed: 2, full: 0 });
    expect(new Set(changed.json.ids)).toEqual(new Set([anna.id, ben.id]));
    expect(await tagsByName()).toEqual({ Anna: ['VIP', 'Tenant'], Ben: ['vip', 'Tenant'], Cleo: [] });
    const again = { changed: 0, full: 0, ids: [] };
    expect((await tag({ contacts: { ids: [anna.id] }, add: ['tenant'] })).json).toEqual(again);
  });

  it('are added to all that match a search, a tag or a group, also those that no page shows', async () => {
    const contacts = Array.from({ length: 300 }, (_, at) => ({
      name: `${at % 3 === 0 ? 'Tenant' : 'Owner'} ${at}`,
      variables: { Building: at % 2 === 0 ? '12 Elm' : '7 Oak' },
    }));
    for (const part of [contacts])
      expect((await call('POST', '/api/contacts/batch', { contacts: part })).json.counts.created).toBe(300);
    expect((await tag({ contacts: { matching: { search: 'tenant' } }, add: ['tenant'] })).json.changed).toBe(100);
    expect((await tag({ contacts: { matching: { tag: 'TENANT' } }, add: ['pays rent'] })).json.changed).toBe(100);
    const rule = { match: 'all', conditions: [{ test: 'is', variable: 'building', value: '12 ELM' }] };
    const { id } = (await call('POST', '/api/contact-groups', { name: 'Elm', rule })).json;
    expect((await tag({ contacts: { matching: { group: id, tag: 'tenant' } }, add: ['elm'] })).json.changed).toBe(50);
    expect((await tag({ contacts: { matching: {} }, remove: ['pays rent'] })).json.changed).toBe(100);
    expect((await call('GET', '/api/contact-tags')).json.data).toEqual([
      { tag: 'elm', contacts: 50 },
      { tag: 'tenant', contacts: 100 },
    ]);
    expect((await call('GET', `/api/contacts?group=${id}&tag=elm&limit=200`)).json.data).toHaveLength(50);
  });

  it('are added to ten thousand contacts at once, and to no more', async () => {
    const there = await dana.createWorkspace('Oak Lane');
    await addMany(workspace, 10_000);
    await addMany(there, 20);
    const all = { contacts: { matching: {} }, add: ['tenant'] };
    const changed = (await tag(all)).json;
    expect([changed.changed, new Set(changed.ids).size]).toEqual([10_000, 10_000]);
    expect((await tag(all)).json).toEqual({ changed: 0, full: 0, ids: [] });
    expect((await call('GET', '/api/contacts/count?tag=TENANT')).json).toEqual({ contacts: 10_000 });
    expect((await call('GET', '/api/contacts/count?tag=tenant&search=person%2099')).json).toEqual({ contacts: 111 });
    expect((await dana.call('GET', '/api/contacts/count?tag=tenant', { workspace: there })).json.contacts).toBe(0);
    await add({ name: 'One more' });
    expect((await tag({ ...all, add: ['vip'] })).json.error).toMatchObject({ code: 'unprocessable' });
    expect((await call('POST', '/api/contacts/delete', { matching: {}, expected: 10_000 })).json.error.code).toBe(
      'unprocessable',
    );
    const tenants = { matching: { tag: 'tenant' }, expected: 10_000 };
    expect((await call('POST', '/api/contacts/delete', tenants)).json.deleted).toBe(10_000);
    expect((await call('GET', '/api/contacts/count')).json).toEqual({ contacts: 1 });
    expect((await dana.call('GET', '/api/contacts/count', { workspace: there })).json.contacts).toBe(20);
  }, 30_000);

  it('leave a contact that would have too many as it is, and say how many those are', async () => {
    const full = await add({ name: 'Anna', tags: Array.from({ length: 20 }, (_, at) => `t${at}`) });
    const other = await add({ name: 'Ben' });
    expect((await tag({ contacts: { ids: [full.id, other.id] }, add: ['vip'] })).json).toEqual({
      changed: 1,
      full: 1,
      ids: [other.id],
    });
    expect((await tag({ contacts: { ids: [full.id] }, add: ['vip'], remove: ['t3'] })).json).toEqual({
      changed: 1,
      full: 0,
      ids: [full.id],
    });
  });

  it('of another workspace are neither seen nor changed', async () => {
    const { id } = await add({ name: 'Anna', tags: ['vip'] });
    const rule = { match: 'any', conditions: [{ test: 'has_tag', tag: 'vip' }] };
    const group = (await call('POST', '/api/contact-groups', { name: 'VIP', rule })).json;
    const other = await dana.createWorkspace('Oak Lane');
    const there = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace: other, body });
    const changed = await there('POST', '/api/contact-tags', { contacts: { ids: [id] }, add: ['x'], remove: ['vip'] });
    expect(changed.json).toEqual({ changed: 0, full: 0, ids: [] });
    expect((await there('GET', '/api/contact-tags')).json.data).toEqual([]);
    expect((await there('GET', `/api/contacts?group=${group.id}`)).json.data).toEqual([]);
    expect(await tagsByName()).toEqual({ Anna: ['vip'] });
  });
});
