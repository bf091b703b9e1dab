import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ImportAnswer } from '#contract/contact-imports.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('an import of contacts', () => {
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

  const importing = async (csv: string, body: object = {}): Promise<ImportAnswer> => {
    const asked = { workspace, body: { csv, mode: 'import', ...body } };
    const { status, json } = await dana.call('POST', '/api/contacts/import', asked);
    expect(status).toBe(200);
    return json;
  };
  const kept = async () => (await dana.call('GET', '/api/contacts', { workspace })).json.data;

  const undo = (id: string | null, of = workspace) =>
    dana.call('POST', `/api/contacts/import/${id}/undo`, { workspace: of });

  it('is undone: what it added is deleted, what it changed is as before, what was changed since stays', async () => {
    await importing(
      'Name,Email,Phone,amount,Tags\nAnna,anna@example.com,+4915112345678,950,vip\nBert,bert@example.com,,1,',
    );
    const before = (await dana.call('GET', '/api/contacts', { workspace })).json.data;
    const csv =
      'Name,Email,Phone,amount,Tags\nAnn,anna@example.com,+4915187654321,960,new\nBertram,bert@example.com,,2,\nCleo,cleo@example.com,,,\nDora,dora@example.com,,,';
    const { import_id: id, counts } = await importing(csv);
    expect(counts).toMatchObject({ created: 2, updated: 2 });
    const all = (await dana.call('GET', '/api/contacts', { workspace })).json.data;
    const idOf = (name: string) => all.find((one: { name: string }) => one.name === name).id;
    const changed = { name: 'Dora Jones', email: 'dora@example.com' };
    await dana.call('PUT', `/api/contacts/${idOf('Dora')}`, { workspace, body: changed });
    await dana.call('DELETE', `/api/contacts/${idOf('Bertram')}`, { workspace });

    expect((await undo(id)).json).toEqual({ deleted: 1, restored: 1, kept: 2 });
    const after = (await dana.call('GET', '/api/contacts', { workspace })).json.data;
    expect(after).toEqual([
      { ...before[0], updated_at: expect.any(String) },
      expect.objectContaining({ name: 'Dora Jones' }),
    ]);
    expect((await undo(id)).status).toBe(404);
  });

  it('tells before its undo how many contacts go, who of them has got a message and which reminders reach them', async () => {
    const post = async (path: string, body: object) => (await dana.call('POST', path, { workspace, body })).json;
    const previewOf = (id: string | null, of = workspace) =>
      dana.call('GET', `/api/contacts/import/${id}/undo`, { workspace: of });
    await importing('Name,E-mail\nAnna,anna@example.com');
    const csv = 'Name,E-mail,Tags\nAnn,anna@example.com,\nBert,bert@example.com,vip\nCleo,cleo@example.com,vip';
    const { import_id: id } = await importing(csv);
    expect((await previewOf(id)).json).toEqual({ deleted: 2, restored: 1, kept: 0, reminders: 0, written_to: 0 });
    const group = await post('/api/contact-groups', {
      name: 'VIP',
      rule: { match: 'all', conditions: [{ test: 'has_tag', tag: 'vip' }] },
    });
    const [anna, bert] = await kept();
    const remind = (audience: object, status: string) =>
      post('/api/reminders', {
        ...sampleReminder,
        status,
        schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: '2099-01-01T09:00:00', timezone: 'UTC' },
        content: { subject: 'Hello', message: 'Hello', recipients: [] },
        metadata: { channels: ['email'], priority: 'medium', audience },
      });
    for (const audience of [
      { everyone: true },
      { tags: ['VIP'] },
      { groups: [group.id] },
      { contacts: [bert.id] },
      { contacts: [anna.id] },
      { tags: ['others'] },
    ])
      expect(await remind(audience, 'active')).toMatchObject({ status: 'active' });
    await remind({ everyone: true }, 'draft');
    await cuebird.owner.query(
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, contact_id)
       select $1, gen_random_uuid(), now(), 'email', 'x@example.com', unnest($2::text[]), $3`,
      [workspace, ['accepted', 'failed'], bert.id],
    );
    expect((await previewOf(id)).json).toEqual({ deleted: 2, restored: 1, kept: 0, reminders: 4, written_to: 1 });
    expect((await previewOf(id, await dana.createWorkspace('Oak Street'))).status).toBe(404);
    expect((await undo(id)).json).toEqual({ deleted: 2, restored: 1, kept: 0 });
    expect((await previewOf(id)).status).toBe(404);
  });

  it('says which reminders reach people whom it added, however many there are', async () => {
    const { import_id: id } = await importing(
      ['Email,Tags', ...Array.from({ length: 2_000 }, (_, n) => `anna${n}@example.com,vip`)].join('\n'),
    );
    const { json: group } = await dana.call('POST', '/api/contact-groups', {
      workspace,
      body: { name: 'VIP', rule: { match: 'all', conditions: [{ test: 'has_tag', tag: 'vip' }] } },
    });
    const audiences = [{ everyone: true }, { groups: [group.id] }, { tags: ['VIP', 'others'] }, { tags: ['others'] }];
    for (const audience of audiences)
      await cuebird.owner.query(
        `insert into reminders (workspace_id, name, status, schedule_config, content, metadata)
         select $1, 'R', 'active', '{"type":"scheduled"}', '{}', json_build_object('audience', $2::json) from generate_series(1, 500)`,
        [workspace, JSON.stringify(audience)],
      );
    const { json } = await dana.call('GET', `/api/contacts/import/${id}/undo`, { workspace });
    expect(json).toMatchObject({ reminders: 1_500 });
  });

  it('is undone except for a contact whose old number is another’s by now', async () => {
    await importing('Name,Email,Phone\nAnna,anna@example.com,+4915112345678');
    const { import_id: id } = await importing('Email,Phone\nanna@example.com,+4915187654321');
    await dana.call('POST', '/api/contacts', { workspace, body: { name: 'Bert', phone: '+4915112345678' } });
    expect((await undo(id)).json).toEqual({ deleted: 0, restored: 0, kept: 1 });
    expect(await kept()).toMatchObject([{ phone: '+4915187654321' }, { name: 'Bert' }]);
  });

  it('is undone within a day, in its own workspace, and only when it wrote something', async () => {
    const csv = 'Email\nanna@example.com';
    expect((await importing(csv, { mode: 'preview' })).import_id).toBeNull();
    const { import_id: id } = await importing(csv);
    expect((await importing(csv)).import_id).toBeNull();
    const other = await dana.createWorkspace('Oak Street');
    expect((await undo(id, other)).status).toBe(404);
    const { owner } = cuebird;
    await owner.query(
      "update contact_import_changes set imported_at = now() - interval '24 hours 1 minute' where import_id = $1",
      [id],
    );
    const refused = await undo(id);
    expect([refused.status, await kept()]).toMatchObject([404, [{ email: 'anna@example.com' }]]);
    const { rows } = await owner.query("select delete_expired('contact_import_changes', 'infinity', 100) as gone");
    expect(rows).toEqual([{ gone: 1 }]);
  });
});
