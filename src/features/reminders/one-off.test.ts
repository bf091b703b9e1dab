import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('a message that is written once', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  let anna: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    anna = (await post('/api/contacts', { name: 'Anna', email: 'anna@example.com' })).json.id;
  });
  afterAll(() => cuebird.stop());

  const post = (path: string, body: object) => dana.call('POST', path, { workspace, body });
  const read = async (path: string) => (await dana.call('GET', path, { workspace })).json;
  const written = (changes: object = {}) => ({
    ...sampleReminder,
    name: 'The lift is out of order',
    status: 'active',
    schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: '2099-01-01T09:00:00', timezone: 'UTC' },
    content: { subject: 'The lift', message: 'It is out of order.', recipients: [] },
    metadata: { channels: ['email'], priority: 'medium', audience: { contacts: [anna] }, one_off: true },
    ...changes,
  });
  const namesIn = async (path: string) => (await read(path)).data.map(({ name }: { name: string }) => name);
  const counts = async () => {
    const dashboard = await read('/api/dashboard');
    const analytics = await read('/api/analytics');
    return [dashboard.activeReminders, dashboard.recent.length, analytics.reminders, analytics.active_reminders];
  };

  it('is in the jobs and on the page of its person, and no card among the reminders', async () => {
    const { status, json } = await post('/api/reminders', written());
    expect(status, JSON.stringify(json)).toBe(201);
    for (const path of ['/api/reminders', '/api/reminders?status=active', '/api/reminders?sort=next_run&view=summary'])
      expect(await namesIn(path)).toEqual([]);
    expect(await counts()).toEqual([0, 0, 0, 0]);
    expect(await namesIn('/api/jobs')).toEqual(['The lift is out of order']);
    expect(await namesIn(`/api/contacts/${anna}/upcoming`)).toEqual(['The lift is out of order']);
    expect((await read(`/api/reminders/${json.id}`)).metadata.one_off).toBe(true);
  });

  it('is a reminder among the others once it is repeated, and a copy of it is a draft among them', async () => {
    const { json } = await post('/api/reminders', written());
    const { one_off: _, ...metadata } = written().metadata;
    await post(`/api/reminders/${json.id}/duplicate`, {});
    expect(await namesIn('/api/reminders')).toEqual(['The lift is out of order (copy)']);
    const weekly = { ...written().schedule_config, scheduleType: 'weekly' };
    const body = written({ schedule_config: weekly, metadata });
    await dana.call('PUT', `/api/reminders/${json.id}`, { workspace, body });
    expect(await namesIn('/api/reminders?sort=name')).toEqual([
      'The lift is out of order',
      'The lift is out of order (copy)',
    ]);
    expect(await counts()).toEqual([1, 2, 2, 1]);
  });

  it.each([
    ['a draft', { status: 'draft' }],
    ['repeated', { schedule_config: { type: 'scheduled', scheduleType: 'daily', timezone: 'UTC' } }],
  ])('is none that is %s: it would be in no list and send nothing', async (_, changes) => {
    const { status, json } = await post('/api/reminders', written(changes));
    expect([status, json.error.fields]).toEqual([
      422,
      [{ path: 'metadata.one_off', message: 'Only a one-time reminder that is no draft is a message of its own' }],
    ]);
  });
});
