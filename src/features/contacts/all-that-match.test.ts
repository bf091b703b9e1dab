import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

describe('changes of all contacts that match', () => {
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
  const addTenants = async (...names: string[]) => {
    const contacts = names.map((name) => ({ name, tags: ['tenant'] }));
    expect((await call('POST', '/api/contacts/batch', { contacts })).status).toBe(200);
  };
  const count = async () => (await call('GET', '/api/contacts/count')).json.contacts;
  const acts = async () => {
    const { owner } = cuebird;
    try {
      const { rows } = await owner.query(
        `select action, target, details from audit_log where workspace_id = $1 and action like 'contacts.%' order by id`,
        [workspace],
      );
      return rows;
    } finally {
    }
  };
  const tenants = { matching: { tag: 'tenant' } };

  it('delete nothing when they are not as many as the person saw', async () => {
    await addTenants('Anna', 'Ben');
    const deletion = { ...tenants, expected: 2 };
    await addTenants('Cleo');
    const refused = await call('POST', '/api/contacts/delete', deletion);
    expect([refused.status, refused.json.error]).toMatchObject([
      409,
      { code: 'conflict', message: '3 contacts match by now, not 2: nothing was changed' },
    ]);
    expect(await count()).toBe(3);
    expect((await call('POST', '/api/contacts/delete', { ...tenants, expected: 3 })).json).toEqual({ deleted: 3 });
    await addTenants('Dora');
    expect((await call('POST', '/api/contacts/delete', { ...tenants, expected: 3 })).status).toBe(409);
    expect(await count()).toBe(1);
  });

  it('are refused without the number that is to be deleted', async () => {
    await addTenants('Anna');
    const { status, json } = await call('POST', '/api/contacts/delete', tenants);
    expect([status, json.error.fields]).toEqual([
      400,
      [{ path: 'expected', message: 'Give the number of contacts that match' }],
    ]);
    expect(await count()).toBe(1);
  });

  it('tag nobody when they are not as many as the person saw', async () => {
    await addTenants('Anna', 'Ben');
    const tagging = { contacts: { ...tenants, expected: 1 }, add: ['vip'] };
    expect((await call('POST', '/api/contact-tags', tagging)).status).toBe(409);
    expect((await call('GET', '/api/contacts/count?tag=vip')).json.contacts).toBe(0);
    const meant = { contacts: { ...tenants, expected: 2 }, add: ['vip'] };
    expect((await call('POST', '/api/contact-tags', meant)).json.changed).toBe(2);
  });

  it('are acts of the audit log, as are imports and their undoing', async () => {
    const csv = 'Name,Email,Tags\nAnna,anna@example.com,tenant\nBen,ben@example.com,tenant';
    const { import_id: id } = (await call('POST', '/api/contacts/import', { csv, mode: 'preview' })).json;
    expect(id).toBeNull();
    const first = (await call('POST', '/api/contacts/import', { csv, mode: 'import' })).json.import_id;
    await call('POST', `/api/contacts/import/${first}/undo`);
    const second = (await call('POST', '/api/contacts/import', { csv, mode: 'import' })).json.import_id;
    await call('POST', '/api/contacts/delete', { ...tenants, expected: 2 });
    await call('POST', '/api/contacts/delete', { ...tenants, expected: 0 });
    expect(await acts()).toMatchObject([
      { action: 'contacts.imported', target: first, details: { created: 2, updated: 0 } },
      { action: 'contacts.import_undone', target: first, details: { deleted: 2, restored: 0 } },
      { action: 'contacts.imported', target: second },
      {
        action: 'contacts.deleted',
        target: workspace,
        details: { contacts: 2, matching: '{"tag":"tenant"}' },
      },
    ]);
  });
});
