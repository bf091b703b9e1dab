import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { openEventStream } from '#testing/event-stream.ts';
import { addMember } from '#testing/owner.ts';
import { sampleReminder, sampleTemplate } from '#testing/samples.ts';

describe('templates', () => {
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
  const write = async (body: object = {}) => {
    const written = await call('POST', '/api/templates', { ...sampleTemplate, ...body });
    expect([written.status, written.json.error]).toEqual([201, undefined]);
    return written.json;
  };
  const get = async (id: string) => (await call('GET', `/api/templates/${id}`)).json;
  const change = (id: string, body: object) => call('PATCH', `/api/templates/${id}`, body);
  const names = async (query = '') =>
    (await call('GET', `/api/templates${query}`)).json.data.map(({ name }: { name: string }) => name);
  const addCategory = async (body: object) => (await call('POST', '/api/template-categories', body)).json;

  describe('that are created', () => {
    it('are stored with all fields and their author', async () => {
      const category = await addCategory({ name: 'Rent', color: '#ef4444' });
      const written = await write({ name: '  Rent reminder ', category_id: category.id });
      expect(written).toEqual({
        ...sampleTemplate,
        id: expect.any(String),
        workspace_id: workspace,
        category_id: category.id,
        category: { name: 'Rent', color: '#ef4444' },
        is_public: false,
        usage_count: 0,
        version: 1,
        created_by: dana.userId,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
      expect(await get(written.id)).toEqual(written);
    });

    it('need only a name and a content; the other fields have defaults', async () => {
      const { json } = await call('POST', '/api/templates', { name: 'Hello', content: { body: 'Hi' } });
      expect(json).toMatchObject({
        description: '',
        category_id: null,
        category: null,
        is_public: false,
        content: { subject: '', body: 'Hi', type: 'email' },
        variables: { variables: [] },
      });
      const variables = { variables: [{ name: 'amount' }] };
      expect((await write({ variables })).variables.variables).toEqual([
        { name: 'amount', type: 'text', description: '', required: true, defaultValue: '' },
      ]);
    });

    it.each([
      [{ name: ' ' }, 'name', 'Please provide a template name'],
      [{ name: undefined }, 'name', 'Please provide a template name'],
      [{ name: 'x'.repeat(101) }, 'name', 'must be at most 100 characters'],
      [{ description: 'x'.repeat(501) }, 'description', 'must be at most 500 characters'],
      [{ content: undefined }, 'content', 'is required'],
      [{ content: { body: 'x'.repeat(100_001) } }, 'content.body', 'must be at most 100000 characters'],
      [{ content: { subject: 'x'.repeat(999) } }, 'content.subject', 'must be at most 998 characters'],
      [{ content: { type: 'slack' } }, 'content.type', 'must be one of email, sms, push, webhook'],
      [{ usage_count: 7 }, 'usage_count', 'is not a known field'],
    ])('are refused with invalid fields: %o', async (body, path, message) => {
      const { status, json } = await call('POST', '/api/templates', { ...sampleTemplate, ...body });
      expect([status, json.error.fields]).toEqual([400, [{ path, message }]]);
    });

    it.each([
      [[{ name: ' ' }], 'variables.variables.0.name', 'Please provide a variable name'],
      [
        [{ name: 'amount' }, { name: 'amount ' }],
        'variables.variables.1.name',
        'A variable with this name already exists',
      ],
      [[{ name: 'due date' }], 'variables.variables.0.name', expect.stringMatching(/^must begin with a letter/)],
      [[{ name: '1st' }], 'variables.variables.0.name', expect.stringMatching(/^must begin with a letter/)],
      [[{ name: 'empty' }], 'variables.variables.0.name', expect.stringMatching(/^is a word of the template language/)],
      [[{ name: 'a', type: 'money' }], 'variables.variables.0.type', 'must be one of text, number, date, email'],
      [
        Array.from({ length: 101 }, (_, at) => ({ name: `a${at}` })),
        'variables.variables',
        'must be at most 100 entries',
      ],
    ])('are refused with variables like %o', async (variables, path, message) => {
      const { status, json } = await call('POST', '/api/templates', { ...sampleTemplate, variables: { variables } });
      expect([status, json.error.fields]).toEqual([400, [{ path, message }]]);
    });

    it('belong only to a category of their own workspace', async () => {
      const elsewhere = await dana.createWorkspace('Oak Street');
      const theirs = await dana.call('POST', '/api/template-categories', {
        workspace: elsewhere,
        body: { name: 'Theirs' },
      });
      const { id } = await write();
      for (const answer of [
        await call('POST', '/api/templates', { ...sampleTemplate, category_id: theirs.json.id }),
        await change(id, { category_id: theirs.json.id }),
      ]) {
        expect([answer.status, answer.json.error.fields]).toEqual([
          400,
          [{ path: 'category_id', message: 'There is no such category in this workspace' }],
        ]);
      }
    });

    it('are created once by repeated requests', async () => {
      const send = () =>
        dana.call('POST', '/api/templates', {
          workspace,
          body: sampleTemplate,
          headers: { 'idempotency-key': 'once' },
        });
      expect((await send()).json.id).toBe((await send()).json.id);
      expect(await names()).toEqual(['Rent reminder']);
    });

    it('by any member send a change notice', async () => {
      const erin = await cuebird.signUp('Erin');
      await addMember(database, { workspace, userId: erin.userId, role: 'member' });
      const stream = await openEventStream(cuebird.url, { as: dana, workspace });
      await stream.next();
      const made = await erin.call('POST', '/api/templates', { workspace, body: sampleTemplate });
      expect(await stream.next()).toBe('data: {"table":"templates"}');
      await erin.call('DELETE', `/api/templates/${made.json.id}`, { workspace });
      expect(await stream.next()).toBe('data: {"table":"templates"}');
      await stream.close();
    });
  });

  describe('in the list', () => {
    it('are sorted by the latest change, in pages', async () => {
      const written = [];
      for (const name of ['One', 'Two', 'Three']) written.push(await write({ name }));
      await change(written[0].id, { description: 'Changed' });
      expect(await names()).toEqual(['One', 'Three', 'Two']);
      const first = (await call('GET', '/api/templates?limit=2')).json;
      const second = (await call('GET', `/api/templates?limit=2&cursor=${first.next_cursor}`)).json;
      expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(['One', 'Three', 'Two']);
      expect(second.next_cursor).toBeNull();
    });

    it('are found by name or description, whatever the case, and by category', async () => {
      const category = await addCategory({ name: 'Rent' });
      await write({ name: 'Rent 100%', category_id: category.id });
      await write({ name: 'Welcome', description: 'For the RENT list' });
      await write({ name: 'Farewell', description: '' });
      expect(await names('?search=rent')).toEqual(['Welcome', 'Rent 100%']);
      expect(await names('?search=0%25')).toEqual(['Rent 100%']);
      expect(await names(`?category=${category.id}`)).toEqual(['Rent 100%']);
      expect(await names(`?search=welcome&category=${category.id}`)).toEqual([]);
    });

    it('are only those of the workspace', async () => {
      const { id } = await write({ is_public: true });
      const elsewhere = await dana.createWorkspace('Oak Street');
      expect((await dana.call('GET', '/api/templates', { workspace: elsewhere })).json.data).toEqual([]);
      expect((await dana.call('GET', `/api/templates/${id}`, { workspace: elsewhere })).status).toBe(404);
    });

    it('are counted on the dashboard, with the change since a week ago', async () => {
      const { id } = await write();
      await write();
      await database.query("update templates set created_at = now() - interval '8 days' where id = $1", [id]);
      const { templates, changes } = (await call('GET', '/api/dashboard')).json;
      expect([templates, changes.templates]).toEqual([2, 1]);
    });
  });

  describe('that are changed', () => {
    it('keep omitted fields', async () => {
      const before = await write();
      const { status, json } = await change(before.id, { name: ' Renamed ' });
      expect(status).toBe(200);
      expect(json).toEqual({ ...before, name: 'Renamed', version: 2, updated_at: json.updated_at });
      expect(json.updated_at > before.updated_at).toBe(true);
    });

    it('keep omitted fields of their content', async () => {
      const { id } = await write({ content: { subject: 'Rent', body: 'Due', type: 'push' } });
      const { json } = await change(id, { content: { body: 'Overdue' } });
      expect(json.content).toEqual({ subject: 'Rent', body: 'Overdue', type: 'push' });
    });

    it('are validated like a new one', async () => {
      const { id } = await write();
      const { status, json } = await change(id, { name: '' });
      expect([status, json.error.message]).toEqual([400, 'Please provide a template name']);
    });

    it('can be copied within the workspace, with a name that marks the copy', async () => {
      const category = await addCategory({ name: 'Rent' });
      const first = await write({ category_id: category.id, is_public: true });
      const { status, json } = await call('POST', `/api/templates/${first.id}/duplicate`);
      expect([status, json.name]).toEqual([201, 'Rent reminder (Copy)']);
      const { description, content, variables } = sampleTemplate;
      expect(json).toMatchObject({ description, content, variables, category_id: category.id });
      expect(json).toMatchObject({ is_public: false, usage_count: 0, version: 1 });
      const long = await write({ name: '🐦'.repeat(50) });
      const copied = await call('POST', `/api/templates/${long.id}/duplicate`);
      expect(copied.json.name).toMatch(/^🐦+ \(Copy\)$/u);
    });

    it('can be deleted together with their versions', async () => {
      const { id } = await write();
      expect((await call('DELETE', `/api/templates/${id}`)).json).toEqual({});
      expect((await call('DELETE', `/api/templates/${id}`)).status).toBe(404);
      const { rows } = await database.query('select from template_versions where template_id = $1', [id]);
      expect(rows).toEqual([]);
    });
  });

  describe('that reminders are created from', () => {
    const remind = (metadata: object, name = 'Rent') =>
      call('POST', '/api/reminders', {
        ...sampleReminder,
        name,
        metadata: { ...sampleReminder.metadata, ...metadata },
      });

    it('count each of them once, and list them', async () => {
      const { id } = await write();
      const reminders = [];
      for (const name of ['June', 'July']) reminders.push((await remind({ template_id: id }, name)).json);
      const { metadata } = reminders[0];
      expect(metadata.template_id).toBe(id);
      await call('PUT', `/api/reminders/${reminders[0].id}`, { ...sampleReminder, name: 'Juno', metadata });
      expect((await get(id)).usage_count).toBe(2);
      const uses = (await call('GET', `/api/templates/${id}/uses`)).json;
      expect(uses.data.map(({ name }: { name: string }) => name)).toEqual(['July', 'Juno']);
      const first = (await call('GET', `/api/templates/${id}/uses?limit=1`)).json;
      const second = (await call('GET', `/api/templates/${id}/uses?limit=1&cursor=${first.next_cursor}`)).json;
      expect([first.data[0].name, second.data[0].name, second.next_cursor]).toEqual(['July', 'Juno', null]);
    });

    it('are those of the workspace', async () => {
      const elsewhere = await dana.createWorkspace('Oak Street');
      const theirs = await dana.call('POST', '/api/templates', { workspace: elsewhere, body: sampleTemplate });
      const { status, json } = await remind({ template_id: theirs.json.id });
      expect([status, json.error.fields]).toEqual([
        400,
        [{ path: 'metadata.template_id', message: 'There is no such template in this workspace' }],
      ]);
    });

    it('may be edited without a change to the reminders', async () => {
      const { id } = await write();
      const reminder = (await remind({ template_id: id })).json;
      await change(id, { content: { subject: 'Another', body: 'Another', type: 'sms' } });
      expect((await call('GET', `/api/reminders/${reminder.id}`)).json).toEqual(reminder);
    });

    it('may be deleted: the reminders stay active and can be saved', async () => {
      const { id } = await write();
      const reminder = (await remind({ template_id: id })).json;
      await call('DELETE', `/api/templates/${id}`);
      const saved = await call('PUT', `/api/reminders/${reminder.id}`, {
        ...sampleReminder,
        metadata: reminder.metadata,
      });
      expect([saved.status, saved.json.metadata.template_id]).toEqual([200, id]);
    });
  });
});
