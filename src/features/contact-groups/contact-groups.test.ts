import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sampleReminder } from '#testing/samples.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

describe('groups of contacts', () => {
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
  const contact = async (body: object) => (await call('POST', '/api/contacts', body)).json;
  const vip = { match: 'all', conditions: [{ test: 'has_tag', tag: 'vip' }] };
  const create = (name: string, rule: object = vip) => call('POST', '/api/contact-groups', { name, rule });
  const people = async (body: object) => (await call('POST', '/api/audience/count', body)).json.people;

  it('are listed by name, changed and deleted', async () => {
    for (const name of ['owners', 'Ärzte', ' Tenants ']) expect((await create(name)).status).toBe(201);
    const { data } = (await call('GET', '/api/contact-groups')).json;
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['Ärzte', 'owners', 'Tenants']);
    const rule = { match: 'any', conditions: [{ test: 'contains', variable: 'building', value: 'Elm' }] };
    const changed = await call('PUT', `/api/contact-groups/${data[1].id}`, { name: 'Owners', rule });
    expect(changed.json).toMatchObject({ id: data[1].id, name: 'Owners', rule, workspace_id: workspace });
    expect((await call('DELETE', `/api/contact-groups/${data[1].id}`)).status).toBe(200);
    expect((await call('DELETE', `/api/contact-groups/${data[1].id}`)).status).toBe(404);
    expect((await call('PUT', `/api/contact-groups/${data[1].id}`, { name: 'Owners', rule })).status).toBe(404);
  });

  it('have names that differ in more than case and accents', async () => {
    const { json: group } = await create('Mieter');
    for (const name of ['MIETER', ' mieter ', 'Miéter']) {
      const refused = await create(name);
      expect([refused.status, refused.json.error.fields[0].path]).toEqual([409, 'name']);
    }
    const renamed = await call('PUT', `/api/contact-groups/${group.id}`, { name: 'MIETER', rule: vip });
    expect(renamed.status).toBe(200);
  });

  it('are refused with a rule that is empty, too long or of an unknown kind, with the field', async () => {
    const many = Array.from({ length: 11 }, () => ({ test: 'has_tag', tag: 'a' }));
    for (const rule of [
      { match: 'all', conditions: [] },
      { match: 'all', conditions: many },
      { match: 'most', conditions: [{ test: 'has_tag', tag: 'a' }] },
      { match: 'all', conditions: [{ test: 'is', variable: 'a b', value: 'x' }] },
      { match: 'all', conditions: [{ test: 'is', variable: 'a', value: '  ' }] },
      { match: 'all', conditions: [{ test: 'is', tag: 'a', value: 'x' }] },
      { match: 'all', conditions: [vip] },
    ]) {
      const refused = await create('Group', rule);
      expect(refused.status).toBe(400);
      expect(refused.json.error.fields[0].path).toMatch(/^rule/);
    }
  });

  it('are at most a hundred', async () => {
    for (let at = 0; at < 100; at += 1) expect((await create(`Group ${at}`)).status).toBe(201);
    expect((await create('One more')).json.error).toMatchObject({ code: 'unprocessable' });
  }, 30_000);

  it('have a hundred conditions with “contains” together, as each of them reads all values', async () => {
    const search = (count: number) => ({
      match: 'any',
      conditions: Array.from({ length: count }, (_, at) => ({ test: 'contains', variable: 'unit', value: `${at}` })),
    });
    for (let at = 0; at < 9; at += 1) expect((await create(`Group ${at}`, search(10))).status).toBe(201);
    const { json: last } = await create('Last', search(9));
    const refused = await create('One more', search(2));
    expect([refused.status, refused.json.error.fields]).toEqual([
      422,
      [
        {
          path: 'rule.conditions.0.value',
          message: 'The groups of a workspace have at most 100 conditions with “contains”',
        },
      ],
    ]);
    const change = (count: number) =>
      call('PUT', `/api/contact-groups/${last.id}`, { name: 'Last', rule: search(count) });
    expect((await change(10)).status).toBe(200);
    expect((await create('One more', search(1))).status).toBe(422);
    expect((await create('One more')).status).toBe(201);
  });

  it('count their people, once each in whatever ways they belong to an audience', async () => {
    const anna = await contact({ name: 'Anna', tags: ['VIP'], variables: { Building: '12 Elm' } });
    await contact({ name: 'Ben', tags: ['tenant'], variables: { building: ' 12 elm' } });
    await contact({ name: 'Cleo', variables: { building: '7 Oak' } });
    const { json: group } = await create('VIP');
    const elm = { match: 'all', conditions: [{ test: 'is', variable: 'building', value: '12 ELM' }] };
    expect(await people({ rule: elm })).toBe(2);
    expect(await people({ audience: { groups: [group.id] } })).toBe(1);
    expect(await people({ audience: { groups: [group.id], tags: ['vip', 'Tenant'], contacts: [anna.id] } })).toBe(2);
    expect(await people({ audience: { everyone: true, contacts: [anna.id] } })).toBe(3);
    expect(await people({ audience: {} })).toBe(0);
    expect((await call('POST', '/api/audience/count', {})).status).toBe(400);
  });

  it('say how many people they have, who is first, and how many reminders are sent to them', async () => {
    for (const name of ['Dora', 'anna', 'Cleo', 'Ben']) await contact({ name, tags: ['vip'] });
    await contact({ email: 'other@example.com', tags: ['owner'] });
    const [vips, owners, nobody] = [
      (await create('VIP')).json.id,
      (await create('Owners', { match: 'any', conditions: [{ test: 'has_tag', tag: 'owner' }] })).json.id,
      (await create('Nobody', { match: 'any', conditions: [{ test: 'has_tag', tag: 'x' }] })).json.id,
    ];
    for (const groups of [[vips, owners], [vips]]) {
      const metadata = { ...sampleReminder.metadata, audience: { groups } };
      const saved = await call('POST', '/api/reminders', { ...sampleReminder, status: 'draft', metadata });
      expect(saved.status).toBe(201);
    }
    const { data } = (await call('GET', '/api/contact-groups/counts')).json;
    expect(new Set(data)).toEqual(
      new Set([
        { id: vips, people: 4, reminders: 2 },
        { id: owners, people: 1, reminders: 1 },
        { id: nobody, people: 0, reminders: 0 },
      ]),
    );
    const described = (body: object) => call('POST', '/api/audience/count', body).then(({ json }) => json);
    expect(await described({ rule: vip })).toEqual({ people: 4, names: ['anna', 'Ben', 'Cleo'], contacts: [] });
    expect((await described({ audience: { groups: [owners] } })).names).toEqual(['other@example.com']);
    const other = await dana.createWorkspace('Oak Lane');
    expect((await dana.call('GET', '/api/contact-groups/counts', { workspace: other })).json.data).toEqual([]);
  });

  it('of another workspace are neither found, counted, changed nor deleted', async () => {
    await contact({ name: 'Anna', tags: ['VIP'] });
    const { json: group } = await create('VIP');
    const other = await dana.createWorkspace('Oak Lane');
    const there = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace: other, body });
    const audience = { groups: [group.id], tags: ['vip'], everyone: true };
    expect((await there('POST', '/api/audience/count', { audience })).json.people).toBe(0);
    expect((await there('GET', '/api/contact-groups')).json.data).toEqual([]);
    expect((await there('GET', `/api/contact-groups/${group.id}/uses`)).status).toBe(404);
    expect((await there('PUT', `/api/contact-groups/${group.id}`, { name: 'x', rule: vip })).status).toBe(404);
    expect((await there('DELETE', `/api/contact-groups/${group.id}`)).status).toBe(404);
    expect((await call('GET', '/api/contact-groups')).json.data).toHaveLength(1);
  });
});
