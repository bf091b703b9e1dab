import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('several reminders at once', () => {
  let cuebird: TestCuebird;
  let owner: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    owner = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  afterAll(() => cuebird.stop());
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });

  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  const write = async (changes: object = {}): Promise<string> => {
    const schedule_config = { ...sampleReminder.schedule_config, startDate: '2099-01-01T09:00:00' };
    const body = { ...sampleReminder, status: 'active', schedule_config, ...changes };
    return (await call('POST', '/api/reminders', body)).json.id;
  };
  const act = async (action: string, ids: readonly string[]) =>
    (await call('POST', '/api/reminders/bulk', { action, ids })).json.results;
  const statuses = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await call('GET', '/api/reminders')).json.data.map(({ id, status }: Record<string, string>) => [id, status]),
    );
  const jobs = async (): Promise<string[]> =>
    (await call('GET', '/api/jobs')).json.data.map(({ status }: { status: string }) => status);

  it('are paused, resumed, deleted and restored', async () => {
    const ids = [await write(), await write(), await write()];
    const done = ids.map((id) => ({ id, result: 'done' }));
    expect(await act('pause', ids)).toEqual(done);
    expect(Object.values(await statuses())).toEqual(['paused', 'paused', 'paused']);
    expect(await jobs()).toEqual(['paused', 'paused', 'paused']);
    expect(await act('resume', ids)).toEqual(done);
    expect(await jobs()).toEqual(['pending', 'pending', 'pending']);
    expect(await act('delete', ids)).toEqual(done);
    expect([await statuses(), await jobs()]).toEqual([{}, []]);
    expect((await call('POST', '/api/reminders/restore', { ids })).json.results).toEqual(done);
    expect(Object.values(await statuses())).toEqual(['active', 'active', 'active']);
    expect(await jobs()).toEqual(['pending', 'pending', 'pending']);
    const { rows } = await owner.query(
      "select action, count(*)::int from audit_log where workspace_id = $1 and action like 'reminder.%' group by 1 order by 1",
      [workspace],
    );
    expect(rows).toEqual([
      { action: 'reminder.created', count: 3 },
      { action: 'reminder.deleted', count: 3 },
      { action: 'reminder.paused', count: 3 },
      { action: 'reminder.restored', count: 3 },
      { action: 'reminder.resumed', count: 3 },
    ]);
  });

  it('are changed one by one: a refusal has its reason and does not affect the others', async () => {
    const past = { ...sampleReminder.schedule_config, scheduleType: 'once', startDate: '2020-01-01T09:00:00' };
    const over = await write({ status: 'paused', schedule_config: past });
    const good = await write({ status: 'paused' });
    const gone = '00000000-0000-4000-8000-000000000000';
    expect(await act('resume', [over, gone, good])).toEqual([
      { id: over, result: 'refused', message: 'Start date is more than 24 hours ago; choose a later one' },
      { id: gone, result: 'refused', message: 'There is no such reminder' },
      { id: good, result: 'done' },
    ]);
    expect(await statuses()).toEqual({ [over]: 'paused', [good]: 'active' });
  });

  it('appear once each in the answer, and are at most two hundred', async () => {
    const id = await write();
    expect(await act('pause', [id, id])).toEqual([{ id, result: 'done' }]);
    const many = Array.from({ length: 201 }, () => crypto.randomUUID());
    for (const ids of [many, []])
      expect((await call('POST', '/api/reminders/bulk', { action: 'pause', ids })).status).toBe(400);
  });

  it('can be changed by a member, and not from another workspace', async () => {
    const id = await write();
    const mia = await cuebird.signUp('Mia');
    const theirs = await mia.createWorkspace('Harbour');
    for (const path of ['/api/reminders/bulk', '/api/reminders/restore']) {
      const body = path.endsWith('bulk') ? { action: 'delete', ids: [id] } : { ids: [id] };
      const answer = await mia.call('POST', path, { workspace: theirs, body });
      expect(answer.json.results).toMatchObject([{ id, result: 'refused' }]);
      expect((await mia.call('POST', path, { workspace, body })).status).toBe(404);
    }
    for (const path of [`/api/reminders/${id}/duplicate`, `/api/reminders/${id}/occurrences`]) {
      const method = path.endsWith('duplicate') ? 'POST' : 'GET';
      expect((await mia.call(method, path, { workspace: theirs })).status).toBe(404);
    }
    expect(await statuses()).toEqual({ [id]: 'active' });
    await addMember(owner, { workspace, userId: mia.userId, role: 'member' });
    const body = { action: 'delete', ids: [id] };
    expect((await mia.call('POST', '/api/reminders/bulk', { workspace, body })).json.results).toEqual([
      { id, result: 'done' },
    ]);
  });

  it('are in no list, accept no hook and count for no template once deleted', async () => {
    const template = await call('POST', '/api/templates', {
      name: 'Rent',
      content: { subject: 'Rent', body: 'Due', type: 'email' },
    });
    const id = await write({
      metadata: { channels: ['email'], template_id: template.json.id },
      schedule_config: { type: 'event-based', eventTrigger: 'custom_webhook', timezone: 'UTC' },
    });
    const hook = (await call('GET', `/api/reminders/${id}/hook`)).json;
    await act('delete', [id]);
    const dashboard = (await call('GET', '/api/dashboard')).json;
    expect(dashboard.recent).toEqual([]);
    expect((await call('GET', `/api/templates/${template.json.id}/uses`)).json.data).toEqual([]);
    expect((await call('GET', `/api/reminders/${id}/hook`)).status).toBe(404);
    const received = await fetch(hook.url, { method: 'POST', body: '{}' });
    expect(received.status).toBe(404);
  });
});

describe('a copy of a reminder', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const copyOf = async (changes: object) => {
    const body = { ...sampleReminder, ...changes };
    const { id } = (await dana.call('POST', '/api/reminders', { workspace, body })).json;
    return dana.call('POST', `/api/reminders/${id}/duplicate`, { workspace });
  };

  it('is a draft with the same content that sends nothing', async () => {
    const schedule_config = { ...sampleReminder.schedule_config, startDate: '2099-01-01T09:00:00' };
    const { status, json } = await copyOf({ status: 'active', schedule_config });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      ...sampleReminder,
      name: 'Rent (copy)',
      status: 'draft',
      schedule_config,
      created_by: dana.userId,
      next_run_at: null,
    });
    const scheduled = (await dana.call('GET', `/api/jobs?reminder_id=${json.id}`, { workspace })).json;
    expect(scheduled.data).toEqual([]);
  });

  it('has a name within the limit, cut between grapheme clusters', async () => {
    expect((await copyOf({ name: 'x'.repeat(100) })).json.name).toBe(`${'x'.repeat(93)} (copy)`);
    expect((await copyOf({ name: `${'x'.repeat(92)}👨‍👩‍👧` })).json.name).toBe(`${'x'.repeat(92)} (copy)`);
  });
});
