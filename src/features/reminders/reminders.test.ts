import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('reminders', () => {
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
  const write = async (changes: object = {}) => {
    const created = await call('POST', '/api/reminders', { ...sampleReminder, ...changes });
    expect(created.json).toMatchObject({ id: expect.any(String) });
    expect(created.status).toBe(201);
    return created.json;
  };
  const names = (answer: { json: { data: { name: string }[] } }) => answer.json.data.map(({ name }) => name);

  it('are stored unchanged, with their author and workspace', async () => {
    const created = await write({ name: '  Rent  ' });
    expect(created).toMatchObject({
      ...sampleReminder,
      name: 'Rent',
      workspace_id: workspace,
      created_by: dana.userId,
      next_run_at: null,
      warnings: [],
    });
    expect((await call('GET', `/api/reminders/${created.id}`)).json).toEqual(created);
  });

  it('take the defaults: active, medium priority, UTC, no description', async () => {
    const { description: _, ...rest } = sampleReminder;
    const created = await call('POST', '/api/reminders', {
      ...rest,
      status: undefined,
      schedule_config: { type: 'scheduled', scheduleType: 'daily', startDate: '2099-01-01T09:00:00' },
      metadata: { channels: ['email'] },
    });
    expect(created.json).toMatchObject({
      status: 'active',
      description: null,
      schedule_config: { timezone: 'UTC' },
      metadata: { priority: 'medium' },
    });
  });

  it('are listed newest first, a page at a time, each exactly once', async () => {
    for (const name of ['A', 'B', 'C', 'D', 'E']) await write({ name });
    const first = await call('GET', '/api/reminders?limit=2');
    expect(names(first)).toEqual(['E', 'D']);
    const second = await call('GET', `/api/reminders?limit=2&cursor=${first.json.next_cursor}`);
    expect(names(second)).toEqual(['C', 'B']);
    const third = await call('GET', `/api/reminders?limit=2&cursor=${second.json.next_cursor}`);
    expect(names(third)).toEqual(['A']);
    expect(third.json.next_cursor).toBeNull();
    const all = await call('GET', '/api/reminders?limit=5');
    expect(names(all)).toHaveLength(5);
    expect(all.json.next_cursor).toBeNull();
  });

  it('are found by name or description, whatever the case', async () => {
    await write({ name: 'Rent MÜLLER', description: null });
    await write({ name: 'Other', description: 'about the Müller contract' });
    await write({ name: 'Unrelated', description: null });
    const found = await call('GET', `/api/reminders?search=${encodeURIComponent('müller')}`);
    expect(names(found)).toEqual(['Other', 'Rent MÜLLER']);
    expect(names(await call('GET', '/api/reminders?search='))).toHaveLength(3);
  });

  it('are searched for literally, including %, _ and \\', async () => {
    for (const name of ['50% off', '50 off', 'a_b', 'axb', 'back\\slash']) await write({ name, description: null });
    const search = async (text: string) =>
      names(await call('GET', `/api/reminders?search=${encodeURIComponent(text)}`));
    expect(await search('%')).toEqual(['50% off']);
    expect(await search('0% o')).toEqual(['50% off']);
    expect(await search('a_b')).toEqual(['a_b']);
    expect(await search('k\\s')).toEqual(['back\\slash']);
    expect(await search("'; drop table reminders; --")).toEqual([]);
  });

  it('are filtered by status, together with a search', async () => {
    await write({ name: 'Rent paused' });
    await write({ name: 'Rent draft', status: 'draft' });
    const schedule_config = { ...sampleReminder.schedule_config, startDate: '2099-01-01T09:00:00' };
    await write({ name: 'Rent active', status: 'active', schedule_config });
    await write({ name: 'Other draft', status: 'draft' });
    expect(names(await call('GET', '/api/reminders?status=active'))).toEqual(['Rent active']);
    expect(names(await call('GET', '/api/reminders?status=draft&search=rent'))).toEqual(['Rent draft']);
    expect(names(await call('GET', '/api/reminders?status=all'))).toHaveLength(4);
    expect((await call('GET', '/api/reminders?status=gone')).status).toBe(400);
  });

  it('are replaced completely by an edit', async () => {
    const { id, created_at } = await write();
    const edited = {
      ...sampleReminder,
      name: 'Deposit',
      description: null,
      content: { subject: 'S', message: 'M', recipients: ['a@b.c'], values: { amount: '9' }, variables: ['amount'] },
      metadata: { channels: ['email', 'sms'], priority: 'high' },
    };
    const answer = await call('PUT', `/api/reminders/${id}`, edited);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ ...edited, id, created_at });
    expect(Date.parse(answer.json.updated_at)).toBeGreaterThan(Date.parse(created_at));
  });

  it('are not replaced where they have changed since the change was begun, unless it goes over any other', async () => {
    const opened = await write();
    const path = `/api/reminders/${opened.id}`;
    const since = `?unchanged_since=${encodeURIComponent(opened.updated_at)}`;
    expect((await call('PUT', `${path}${since}`, { ...sampleReminder, name: 'Theirs' })).status).toBe(200);
    const { status, json } = await call('PUT', `${path}${since}`, { ...sampleReminder, name: 'Mine' });
    expect([status, json.error.code, json.error.message]).toEqual([
      409,
      'conflict',
      'This reminder has changed since you opened it',
    ]);
    expect((await call('GET', path)).json.name).toBe('Theirs');
    expect((await call('PUT', path, { ...sampleReminder, name: 'Mine' })).json.name).toBe('Mine');
    await call('PATCH', path, { status: 'paused' });
    const { json: paused } = await call('GET', path);
    expect(
      (await call('PUT', `${path}?unchanged_since=${encodeURIComponent(paused.updated_at)}`, sampleReminder)).status,
    ).toBe(200);
  });

  it('are deleted together with their scheduled jobs', async () => {
    const schedule_config = { ...sampleReminder.schedule_config, startDate: '2099-01-01T09:00:00' };
    const { id } = await write({ status: 'active', schedule_config });
    expect((await call('GET', '/api/jobs')).json.data).toHaveLength(1);
    expect((await call('DELETE', `/api/reminders/${id}`)).status).toBe(200);
    expect((await call('GET', '/api/jobs')).json.data).toEqual([]);
    for (const [method, body] of [
      ['GET'],
      ['PUT', sampleReminder],
      ['PATCH', { status: 'paused' }],
      ['DELETE'],
    ] as const)
      expect((await call(method, `/api/reminders/${id}`, body)).status).toBe(404);
    const test = { recipients: ['a@b.c'], subject: 'S', message: 'M' };
    expect((await call('POST', `/api/reminders/${id}/test`, test)).status).toBe(404);
  });

  it('do not exist for users outside their workspace', async () => {
    const { id } = await write();
    const erin = await cuebird.signUp('Erin');
    const theirs = await erin.createWorkspace('Harbour');
    expect((await erin.call('GET', '/api/reminders', { workspace: theirs })).json.data).toEqual([]);
    for (const [method, body] of [
      ['GET'],
      ['PUT', sampleReminder],
      ['PATCH', { status: 'paused' }],
      ['DELETE'],
    ] as const)
      for (const given of [theirs, workspace])
        expect((await erin.call(method, `/api/reminders/${id}`, { workspace: given, body })).status).toBe(404);
    expect((await call('GET', `/api/reminders/${id}`)).status).toBe(200);
  });

  it('are saved with warnings about messages that cannot be sent', async () => {
    const created = await write({
      status: 'draft',
      content: { subject: 'Rent of {{amount}}', message: 'Hi', recipients: ['+49301234567', 'http://10.0.0.1/'] },
      metadata: { channels: ['email', 'webhook'] },
    });
    expect(created.warnings).toEqual([
      'The variable amount has no value: the message will not be sent',
      '+49301234567: A phone number fits none of the chosen channels (email, webhook)',
      'http://10.0.0.1/ leads to a private address and may be refused when it is sent',
    ]);
  });

  it('are test-sent at once to the given recipients only, whatever their status', async () => {
    const { id } = await write({ status: 'draft' });
    const sent = await call('POST', `/api/reminders/${id}/test`, {
      recipients: ['tess@example.com'],
      subject: 'Try {{amount}}',
      message: 'Hello {{recipient_name}}',
    });
    expect(sent.status).toBe(201);
    const job = (await call('GET', `/api/jobs/${sent.json.job_id}`)).json;
    expect(job).toMatchObject({
      type: 'test_reminder',
      name: 'Test: Rent',
      reminder_id: id,
      payload: {
        testMode: true,
        recipients: ['tess@example.com'],
        channels: ['email'],
        content: { subject: 'Try {{amount}}', message: 'Hello {{recipient_name}}' },
        originalReminder: { id, name: 'Rent' },
      },
    });
    expect(Math.abs(Date.parse(job.scheduled_for) - Date.now())).toBeLessThan(60_000);
    expect((await call('GET', `/api/reminders/${id}`)).json).toMatchObject({ status: 'draft', next_run_at: null });
  });
});
