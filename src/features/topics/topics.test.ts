import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { sampleReminder, sampleTemplate } from '#testing/samples.ts';

describe('topics', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  afterAll(() => cuebird.stop());
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });

  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  const add = async (name: string, more: object = {}) =>
    (await call('POST', '/api/topics', { name, ...more })).json.id as string;
  const change = (id: string, body: object) => call('PATCH', `/api/topics/${id}`, body);
  const list = async () =>
    (await call('GET', '/api/topics')).json.data.map(({ name }: { name: string }) => name) as string[];
  const required = { kind: 'required', why: 'law' };
  const about = (topic: string | undefined) => ({
    ...sampleReminder,
    content: { ...sampleReminder.content, ...(topic !== undefined && { topic_id: topic }) },
  });

  it('are optional unless an admin says why people cannot leave them', async () => {
    const { status, json } = await call('POST', '/api/topics', { name: ' Events ' });
    expect([status, json]).toEqual([
      201,
      {
        id: expect.any(String),
        workspace_id: workspace,
        name: 'Events',
        kind: 'optional',
        why: null,
        is_default: false,
        archived_at: null,
        reminders: 0,
        left: 0,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const notices = await call('POST', '/api/topics', { name: 'Notices', ...required });
    expect(notices.json).toMatchObject({ kind: 'required', why: 'law' });
    const mo = await cuebird.signUp('Mo');
    await addMember(database, { workspace, userId: mo.userId, role: 'member' });
    expect((await mo.call('GET', '/api/topics', { workspace })).json.data).toHaveLength(2);
    const body = { name: 'Mine', ...required };
    expect((await mo.call('POST', '/api/topics', { workspace, body })).status).toBe(403);
  });

  it.each([
    [{ name: ' ' }, 400, 'name', 'Please provide a name for the topic'],
    [{ name: 'x'.repeat(61) }, 400, 'name', 'must be at most 60 characters'],
    [{ name: 'Notices', kind: 'required' }, 400, 'why', 'Say why people cannot leave this topic'],
    [{ name: 'Events', why: 'law' }, 400, 'why', 'Only a required topic has a reason'],
    [
      { name: 'Notices', kind: 'required', why: 'law', is_default: true },
      400,
      'is_default',
      'Only an optional topic can be proposed: what nobody can leave is chosen on purpose',
    ],
    [{ name: 'RÉNT' }, 422, 'name', 'There is a topic RÉNT already'],
  ])('are refused with invalid fields: %o', async (body, expected, path, message) => {
    await add('Rent');
    const { status, json } = await call('POST', '/api/topics', body);
    expect([status, json.error.fields]).toEqual([expected, [{ path, message }]]);
  });

  it('never become required, neither by a request nor in the database', async () => {
    const id = await add('Rent');
    const { status, json } = await change(id, { kind: 'required', why: 'law' });
    expect([status, json.error.fields[0]]).toEqual([
      400,
      { path: 'kind', message: 'People could leave this topic, so it stays optional: create another one' },
    ]);
    await expect(
      database.query("update topics set kind = 'required', why = 'law' where id = $1", [id]),
    ).rejects.toThrow('an optional topic never becomes required');
    const notices = await add('Notices', required);
    expect((await change(notices, { kind: 'optional' })).json).toMatchObject({ kind: 'optional', why: null });
  });

  it('have one default, which is optional and not archived', async () => {
    const [rent, events] = [await add('Rent', { is_default: true }), await add('Events')];
    const defaults = async () =>
      (await call('GET', '/api/topics')).json.data
        .filter(({ is_default: isDefault }: { is_default: boolean }) => isDefault)
        .map(({ name }: { name: string }) => name);
    expect(await defaults()).toEqual(['Rent']);
    await change(events, { is_default: true });
    expect(await defaults()).toEqual(['Events']);
    await change(events, { is_archived: true });
    expect(await defaults()).toEqual([]);
    expect((await change(events, { is_default: true })).status).toBe(422);
    expect((await change(rent, { is_default: true })).status).toBe(200);
  });

  it('are listed by name, archived ones last, which cannot be chosen but stay where they are', async () => {
    const [rent, events] = [await add('rent'), await add('Events')];
    const kept = (await call('POST', '/api/reminders', about(events))).json;
    expect(kept.content.topic_id).toBe(events);
    expect((await change(events, { is_archived: true })).json.archived_at).toEqual(expect.any(String));
    expect(await list()).toEqual(['rent', 'Events']);
    const refused = await call('POST', '/api/reminders', about(events));
    expect([refused.status, refused.json.error.fields]).toEqual([
      400,
      [{ path: 'content.topic_id', message: 'The topic Events is archived: choose another one' }],
    ]);
    expect((await call('PUT', `/api/reminders/${kept.id}`, { ...about(events), name: 'Party' })).status).toBe(200);
    expect((await call('PUT', `/api/reminders/${kept.id}`, about(rent))).json.content.topic_id).toBe(rent);
    expect((await call('PUT', `/api/reminders/${kept.id}`, about(events))).status).toBe(400);
    await add('Events');
    expect((await change(events, { is_archived: false })).json.error.fields[0].message).toBe(
      'There is a topic Events already',
    );
  });

  it('are counted with their reminders, and with who left them', async () => {
    const id = await add('Events');
    const { json } = await call('POST', '/api/reminders', about(id));
    await call('POST', '/api/suppressions', {
      channel: 'email',
      recipient: 'a@example.com',
      covers: 'topic',
      topic_id: id,
    });
    expect((await call('GET', '/api/topics')).json.data[0]).toMatchObject({ reminders: 1, left: 1 });
    await call('DELETE', `/api/reminders/${json.id}`);
    expect((await call('GET', '/api/topics')).json.data[0]).toMatchObject({ reminders: 0, left: 1 });
  });

  it('are kept by copies, named in the history, and never another workspace’s', async () => {
    const [id, foreign] = [await add('Events'), crypto.randomUUID()];
    const { json } = await call('POST', '/api/reminders', about(id));
    const copy = (await call('POST', `/api/reminders/${json.id}/duplicate`)).json;
    expect(copy.content.topic_id).toBe(id);
    await call('PUT', `/api/reminders/${json.id}`, about(undefined));
    expect((await call('GET', `/api/reminders/${json.id}/changes`)).json.data[0].fields).toBe('topic');
    const elsewhere = await dana.createWorkspace('Oak Lane');
    const there = await dana.call('POST', '/api/topics', { workspace: elsewhere, body: { name: 'Rent' } });
    for (const wrong of [foreign, there.json.id]) {
      const { status, json: answer } = await call('POST', '/api/reminders', about(wrong));
      expect([status, answer.error.fields]).toEqual([
        400,
        [{ path: 'content.topic_id', message: 'There is no such topic in this workspace' }],
      ]);
    }
  });

  it('are proposed by templates, which keep them in their versions and hide them from other workspaces', async () => {
    const id = await add('Events');
    const content = { ...sampleTemplate.content, topic_id: id };
    const template = (await call('POST', '/api/templates', { ...sampleTemplate, content, is_public: true })).json;
    expect(template.content.topic_id).toBe(id);
    const path = `/api/templates/${template.id}`;
    const without = (await call('PATCH', path, { content: { topic_id: null } })).json;
    expect(without.content).not.toHaveProperty('topic_id');
    await change(id, { is_archived: true });
    expect((await call('PATCH', path, { content: { topic_id: id } })).status).toBe(400);
    expect((await call('POST', `${path}/versions/1/restore`)).json.content.topic_id).toBe(id);
    expect((await call('PATCH', path, { name: 'Party' })).json.content.topic_id).toBe(id);
    const body = { settings: { allowPublicTemplates: true } };
    await dana.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body });
    const elsewhere = await dana.createWorkspace('Oak Lane');
    const gallery = await dana.call('GET', '/api/templates/gallery', { workspace: elsewhere });
    expect(gallery.json.data.map(({ id: shown }: { id: string }) => shown)).toContain(template.id);
    expect(JSON.stringify(gallery.json)).not.toContain(id);
    const copied = await dana.call('POST', `/api/templates/gallery/${template.id}/copy`, { workspace: elsewhere });
    expect([copied.status, copied.json.content.topic_id]).toEqual([201, undefined]);
  });

  it('of a message of the API is the one that it names, else that of its template', async () => {
    const [events, rent] = [await add('Events'), await add('Rent')];
    const content = { ...sampleTemplate.content, topic_id: events };
    const template = (await call('POST', '/api/templates', { ...sampleTemplate, content })).json.id;
    const send = (more: object) =>
      call('POST', '/api/notifications/send', {
        template_id: template,
        recipient: 'a@example.com',
        variables: { amount: 1 },
        ...more,
      });
    const topicOf = async (more: object) => {
      const { json } = await send(more);
      return (await call('GET', `/api/jobs/${json.job_id}`)).json.payload.content.topic_id;
    };
    expect(await topicOf({})).toBe(events);
    expect(await topicOf({ topic_id: rent })).toBe(rent);
    const { status, json } = await send({ topic_id: crypto.randomUUID() });
    expect([status, json.error.fields[0].path]).toEqual([400, 'topic_id']);
  });

  it('are at most 50 of a workspace that are not archived', async () => {
    await database.query(
      "insert into topics (workspace_id, name, kind) select $1, 'Topic ' || n, 'optional' from generate_series(1, 49) n",
      [workspace],
    );
    const id = await add('The last');
    expect((await call('POST', '/api/topics', { name: 'One more' })).status).toBe(422);
    await change(id, { is_archived: true });
    expect((await call('POST', '/api/topics', { name: 'One more' })).status).toBe(201);
    expect((await change(id, { is_archived: false })).status).toBe(422);
  });

  describe('are what an entry of the suppression list may cover', () => {
    const suppress = (body: object) =>
      call('POST', '/api/suppressions', { channel: 'email', recipient: 'ann@example.com', ...body });
    const narrow = (id: string, body: object) => call('PATCH', `/api/suppressions/${id}`, body);

    it('which covers everything unless it says otherwise', async () => {
      const topic = await add('Events');
      const nothing = { topic_id: null, topic_name: null };
      expect((await suppress({ covers: 'topic', topic_id: topic })).json).toMatchObject({
        covers: 'topic',
        topic_id: topic,
        topic_name: 'Events',
      });
      expect((await suppress({ covers: 'topic', topic_id: topic })).status).toBe(409);
      expect((await suppress({ covers: 'optional' })).json).toMatchObject({ covers: 'optional', ...nothing });
      expect((await suppress({})).json).toMatchObject({ covers: 'everything', ...nothing });
      expect((await suppress({})).status).toBe(409);
      for (const [query, count] of [
        ['', 3],
        ['?covers=optional', 1],
        [`?topic_id=${topic}`, 1],
      ] as const)
        expect((await call('GET', `/api/suppressions${query}`)).json.data).toHaveLength(count);
    });

    it('but no required topic, and one exactly where it is named', async () => {
      const notices = await add('Notices', required);
      for (const [body, path] of [
        [{ covers: 'topic', topic_id: notices }, 'topic_id'],
        [{ covers: 'topic' }, 'topic_id'],
        [{ covers: 'optional', topic_id: notices }, 'topic_id'],
        [{ covers: 'topic', topic_id: crypto.randomUUID() }, 'topic_id'],
      ] as const)
        expect((await suppress(body)).json.error.fields[0].path).toBe(path);
    });

    it('and an admin narrows what a person or a member made, but nothing else', async () => {
      const topic = await add('Events');
      const { json } = await suppress({});
      expect((await narrow(json.id, { covers: 'topic', topic_id: topic })).json).toMatchObject({
        covers: 'topic',
        topic_name: 'Events',
        reason: 'manual',
      });
      expect((await narrow(json.id, { covers: 'optional' })).status).toBe(422);
      for (const reason of ['stopped', 'bounced', 'complained']) {
        const { rows } = await database.query<{ id: string }>(
          `insert into suppressions (workspace_id, channel, recipient, reason) values ($1, 'sms', '+4915112345678', $2) returning id`,
          [workspace, reason],
        );
        expect((await narrow(rows[0]!.id, { covers: 'optional' })).status, reason).toBe(422);
        await database.query('delete from suppressions where id = $1', [rows[0]!.id]);
      }
      const { rows: acts } = await database.query(
        "select details from audit_log where workspace_id = $1 and action = 'suppression.narrowed'",
        [workspace],
      );
      expect(acts).toEqual([
        { details: { channel: 'email', recipient: 'a…@example.com', covers: 'the topic Events' } },
      ]);
    });

    it('an entry is not narrowed to another one of its recipient, which may come at the same moment', async () => {
      const topic = await add('Events');
      const { json } = await suppress({});
      await database.query('begin');
      await database.query(
        `insert into suppressions (workspace_id, channel, recipient, reason, covers, topic_id)
         values ($1, 'email', 'ann@example.com', 'unsubscribed', 'topic', $2)`,
        [workspace, topic],
      );
      const narrowed = narrow(json.id, { covers: 'topic', topic_id: topic });
      const isWaiting = async () =>
        (
          await database.query(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          )
        ).rowCount === 1;
      while (!(await isWaiting()));
      await database.query('commit');
      expect((await narrowed).status).toBe(409);
      expect((await narrow(json.id, { covers: 'topic', topic_id: topic })).status).toBe(409);
    });
  });

  it('come back with a file of the workspace, with their reminders, templates and who left them', async () => {
    const [events, notices] = [await add('Events'), await add('Notices', required)];
    await call('POST', '/api/reminders', about(notices));
    const content = { ...sampleTemplate.content, topic_id: events };
    await call('POST', '/api/templates', { ...sampleTemplate, content });
    const left = { channel: 'email', recipient: 'a@example.com' };
    await call('POST', '/api/suppressions', { ...left, covers: 'topic', topic_id: events });
    await call('POST', '/api/suppressions', { ...left, covers: 'optional' });
    const response = await fetch(`${cuebird.url}/api/workspaces/${workspace}/export`, {
      headers: { cookie: dana.cookie, 'x-workspace-id': workspace },
    });
    const file = await response.json();
    const into = await dana.createWorkspace('Oak Lane');
    const load = async () =>
      (await dana.call('POST', `/api/workspaces/${into}/import?mode=import`, { workspace: into, body: file })).json;
    expect((await load()).counts).toMatchObject({
      topics: { created: 2, existing: 0, refused: 0 },
      templates: { created: 1, refused: 0 },
      suppressions: { created: 2, refused: 0 },
      reminders: { created: 1, refused: 0 },
    });
    const inNew = async (path: string) => (await dana.call('GET', path, { workspace: into })).json.data;
    const ids = new Map((await inNew('/api/topics')).map(({ name, id }: { name: string; id: string }) => [name, id]));
    expect((await inNew('/api/reminders'))[0].content.topic_id).toBe(ids.get('Notices'));
    expect((await inNew('/api/templates'))[0].content.topic_id).toBe(ids.get('Events'));
    expect(
      (await inNew('/api/suppressions')).map(({ covers, topic_id: id }: { covers: string; topic_id: string }) => [
        covers,
        id,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['topic', ids.get('Events')],
        ['optional', null],
      ]),
    );
    expect((await load()).counts.suppressions).toEqual({ created: 0, existing: 2, refused: 0 });
    // Nobody’s “no” is lost to a topic of the same name that cannot be left.
    const other = await dana.createWorkspace('Mill Road');
    await dana.call('POST', '/api/topics', { workspace: other, body: { name: 'EVENTS', ...required } });
    const { json } = await dana.call('POST', `/api/workspaces/${other}/import`, { workspace: other, body: file });
    expect(json.counts).toMatchObject({ topics: { created: 1, refused: 1 }, suppressions: { created: 1, refused: 1 } });
  });
});
