import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ContactImport } from '#contract/contact-imports.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';

describe('the imports of a workspace', () => {
  let cuebird: TestCuebird;
  let owner: Client;
  let dana: TestPerson;
  let eric: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    owner = cuebird.owner;
    dana = await cuebird.signUp('Dana');
    eric = await cuebird.signUp('Eric');
  });
  afterAll(() => cuebird.stop());
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    await addMember(owner, { workspace, userId: eric.userId, role: 'member' });
  });

  const importing = (csv: string, more: object = {}) =>
    dana.call('POST', '/api/contacts/import', { workspace, body: { csv, mode: 'import', ...more } });
  const list = async (as = dana): Promise<{ data: ContactImport[]; default_country: string | null }> =>
    (await as.call('GET', '/api/contacts/imports', { workspace })).json;

  it('are listed with who, when, the file and the counts, for every member', async () => {
    expect(await list()).toEqual({ data: [], default_country: null });
    await importing('Name,Email\nAnna,anna@example.com\nBert,bert', {
      file_name: '  tenants.csv ',
      default_country: 'de',
    });
    const first = {
      id: expect.any(String),
      imported_by: 'Dana',
      file_name: 'tenants.csv',
      imported_at: expect.any(String),
      status: 'completed',
      lines: 2,
      lines_done: 2,
      counts: { created: 1, updated: 0, unchanged: 0, joined: 0, failed: 1, incomplete: 0 },
      undone_at: null,
      undone_by: null,
      undo: null,
      can_undo: true,
    };
    expect(await list(eric)).toEqual({ data: [first], default_country: 'DE' });
    await importing('Email\nanna@example.com', { file_name: ' ' });
    // Nothing was changed, so that there is nothing to undo; no country was chosen the last time.
    expect(await list()).toMatchObject({
      data: [{ file_name: null, counts: { unchanged: 1 }, can_undo: false }, first],
      default_country: null,
    });
  });

  it('do not contain previews, refused files, and those of another workspace', async () => {
    await importing('Email\nanna@example.com', { mode: 'preview' });
    expect((await importing('nothing')).status).toBe(400);
    expect((await importing('Email\na@example.com', { file_name: 'x'.repeat(256) })).status).toBe(400);
    expect((await importing('Email\na@example.com', { file_name: 'a\0b' })).status).toBe(400);
    const other = await dana.createWorkspace('Oak Street');
    await dana.call('POST', '/api/contacts/import', {
      workspace: other,
      body: { csv: 'Email\nanna@example.com', mode: 'import', default_country: 'FR' },
    });
    expect(await list()).toEqual({ data: [], default_country: null });
    const stranger = await cuebird.signUp('Stan');
    expect((await stranger.call('GET', '/api/contacts/imports', { workspace })).status).toBe(404);
  });

  it('are undone by a colleague, once, and say by whom and what was kept', async () => {
    await importing('Name,Email\nAnna,anna@example.com\nBert,bert@example.com');
    const [bert] = (await dana.call('GET', '/api/contacts?search=bert', { workspace })).json.data;
    await dana.call('PUT', `/api/contacts/${bert.id}`, {
      workspace,
      body: { name: 'Bertram', email: 'bert@example.com' },
    });
    const [imported] = (await list()).data;
    const undone = await eric.call('POST', `/api/contacts/import/${imported?.id}/undo`, { workspace });
    expect(undone.json).toEqual({ deleted: 1, restored: 0, kept: 1 });
    expect((await list()).data).toMatchObject([
      { undo: { deleted: 1, restored: 0, kept: 1 }, undone_by: 'Eric', can_undo: false },
    ]);
    expect((await dana.call('POST', `/api/contacts/import/${imported?.id}/undo`, { workspace })).status).toBe(404);
  });

  it('cannot be undone after a day', async () => {
    await importing('Email\nanna@example.com');
    await owner.query(
      "update contact_imports set imported_at = now() - interval '24 hours 1 minute' where workspace_id = $1",
      [workspace],
    );
    expect((await list()).data).toMatchObject([{ status: 'completed', can_undo: false }]);
  });

  it('show how far one is while it goes on, and write nothing until it has ended', async () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => `person${at}@example.com`);
    const seen: ContactImport[] = [];
    const count = async () => (await eric.call('GET', '/api/contacts/count', { workspace })).json.contacts;
    const counted = new Set<number>();
    let isOver = false;
    const work = importing(`Email\n${lines.join('\n')}`, { file_name: 'all.csv' }).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      counted.add(await count());
      seen.push(...(await list(eric)).data);
    }
    expect((await work).json.counts.created).toBe(10_000);
    const steps = seen.filter(({ status }) => status === 'running').map(({ lines_done: done }) => done);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    // At least one report between the first and the last line.
    expect(steps.filter((done) => done > 0 && done < 10_000).length).toBeGreaterThan(0);
    expect([...counted].filter((each) => each !== 0 && each !== 10_000)).toEqual([]);
    expect((await list()).data).toMatchObject([{ status: 'completed', lines: 10_000, lines_done: 10_000 }]);
  }, 60_000);

  it('go on when the page is left', async () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => `left${at}@example.com`);
    const leaving = new AbortController();
    const asked = fetch(`${cuebird.url}/api/contacts/import`, {
      method: 'POST',
      signal: leaving.signal,
      headers: {
        cookie: dana.cookie,
        'content-type': 'application/json',
        'x-workspace-id': workspace,
        origin: cuebird.url,
      },
      body: JSON.stringify({ csv: `Email\n${lines.join('\n')}`, mode: 'import' }),
    });
    await expect.poll(async () => (await list()).data.length).toBe(1);
    leaving.abort();
    await asked.catch(() => undefined);
    await expect.poll(async () => (await list()).data[0]?.status).toBe('completed');
    expect((await list()).data).toMatchObject([{ counts: { created: 3_000 } }]);
  });

  it('that fail or die with their process say so, and have written nothing', async () => {
    await owner.query(`alter table contacts add constraint no_devil check (email <> 'devil@example.com') not valid`);
    const refused = await importing('Email\nanna@example.com\ndevil@example.com');
    await owner.query('alter table contacts drop constraint no_devil');
    expect(refused.status).toBe(500);
    expect((await list()).data).toMatchObject([{ status: 'failed', counts: null, can_undo: false }]);
    expect((await dana.call('GET', '/api/contacts', { workspace })).json.data).toEqual([]);
    await owner.query(
      "update contact_imports set status = 'running', reported_at = now() - interval '3 minutes' where workspace_id = $1",
      [workspace],
    );
    expect((await list()).data).toMatchObject([{ status: 'failed' }]);
  });

  it('are the same import when the request is repeated with its key', async () => {
    const key = crypto.randomUUID();
    const send = () =>
      dana.call('POST', '/api/contacts/import', {
        workspace,
        headers: { 'idempotency-key': key },
        body: { csv: 'Email\nanna@example.com', mode: 'import' },
      });
    expect((await send()).json).toEqual((await send()).json);
    expect((await list()).data).toHaveLength(1);
  });

  it('are remembered up to a hundred, and the latest twenty are listed', async () => {
    await owner.query(
      `insert into contact_imports (id, workspace_id, imported_at, status, lines, reported_at, counts)
       select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, now(), 'completed', 1, now(), '{"created": 0, "updated": 0, "unchanged": 1, "joined": 0, "failed": 0, "incomplete": 0}'
         from generate_series(0, 300) n`,
      [workspace],
    );
    await importing('Email\nanna@example.com');
    const { rows } = await owner.query('select count(*)::int as count from contact_imports where workspace_id = $1', [
      workspace,
    ]);
    expect([rows, (await list()).data.length]).toEqual([[{ count: 100 }], 20]);
    expect((await list()).data[0]?.counts?.created).toBe(1);
  });
});
