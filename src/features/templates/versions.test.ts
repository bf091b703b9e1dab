import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { sampleTemplate } from '#testing/samples.ts';

describe('the versions of a template', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  let id: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  afterAll(() => cuebird.stop());
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    id = (await dana.call('POST', '/api/templates', { workspace, body: sampleTemplate })).json.id;
  });

  const change = (body: object, as = dana) => as.call('PATCH', `/api/templates/${id}`, { workspace, body });
  const versions = async (query = '') =>
    (await dana.call('GET', `/api/templates/${id}/versions${query}`, { workspace })).json;
  const restore = (version: number | string) =>
    dana.call('POST', `/api/templates/${id}/versions/${version}/restore`, { workspace });

  it('contain its text after each edit, and the author', async () => {
    const erin = await cuebird.signUp('Erin');
    await addMember(database, { workspace, userId: erin.userId, role: 'member' });
    await change({ content: { subject: 'New', body: 'Text', type: 'sms' } }, erin);
    const { data } = await versions();
    expect(data).toEqual([
      {
        ...sampleTemplate,
        id: expect.any(String),
        version: 2,
        content: { subject: 'New', body: 'Text', type: 'sms' },
        restored_from: null,
        created_by: { id: erin.userId, full_name: 'Erin' },
        created_at: expect.any(String),
      },
      expect.objectContaining({ ...sampleTemplate, version: 1, created_by: { id: dana.userId, full_name: 'Dana' } }),
    ]);
  });

  it('do not include changes of its category or visibility, or an edit without a change', async () => {
    for (const body of [{ is_public: true }, { category_id: null }, { content: sampleTemplate.content }]) {
      expect((await change(body)).json.version).toBe(1);
    }
    expect((await versions()).data).toHaveLength(1);
  });

  it('can be restored, which creates a new version and deletes none', async () => {
    await change({ name: 'Second', is_public: true });
    const { status, json } = await restore(1);
    expect(status).toBe(200);
    expect(json).toMatchObject({ ...sampleTemplate, version: 3, is_public: true });
    const { data } = await versions();
    expect(
      data.map((one: { version: number; restored_from: number | null }) => [one.version, one.restored_from]),
    ).toEqual([
      [3, 1],
      [2, null],
      [1, null],
    ]);
    expect((await restore(3)).json.version).toBe(3);
  });

  it('answer 404 for an unknown number', async () => {
    expect((await restore(2)).status).toBe(404);
    for (const wrong of ['0', '-1', 'x', '99999999999']) expect((await restore(wrong)).status).toBe(400);
  });

  it('are listed in pages, and the newest fifty are kept', async () => {
    for (let at = 2; at <= 52; at += 1) await change({ name: `Name ${at}` });
    const first = await versions('?limit=30');
    const second = await versions(`?limit=30&cursor=${first.next_cursor}`);
    const numbers = [...first.data, ...second.data].map(({ version }: { version: number }) => version);
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, at) => 52 - at));
    expect(second.next_cursor).toBeNull();
    expect((await restore(2)).status).toBe(404);
    expect((await restore(3)).json.name).toBe('Name 3');
  });

  it('of two simultaneous edits are both kept', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, at) => change({ description: `By ${at}` })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    const numbers = (await versions()).data.map(({ version }: { version: number }) => version);
    expect(numbers).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });
});
