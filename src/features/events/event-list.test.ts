import { addMember } from '#testing/owner.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

describe('the list of events', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let member: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    [dana, member] = await Promise.all([cuebird.signUp('Dana'), cuebird.signUp('Member')]);
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    await addMember(cuebird.owner, { workspace, userId: member.userId, role: 'member' });
  });
  afterAll(() => cuebird.stop());

  const remind = async (name: string, eventTrigger = 'payment_failed', status = 'active'): Promise<string> => {
    const { json } = await dana.call('POST', '/api/reminders', {
      workspace,
      body: {
        ...sampleReminder,
        name,
        status,
        schedule_config: { type: 'event-based', eventTrigger, delayAmount: 1, delayUnit: 'days', timezone: 'UTC' },
      },
    });
    return json.id;
  };
  const report = async (body: object, options: object = {}) =>
    (await dana.call('POST', '/api/events', { workspace, body, ...options })).json;
  const list = async (query = '', person = dana) =>
    (await person.call('GET', `/api/events?${query}`, { workspace })).json;
  const repeat = (id: string, { person = dana, key }: { person?: TestPerson; key?: string } = {}) =>
    person.call('POST', `/api/events/${id}/repeat`, {
      workspace,
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    });

  it('has the latest first, each with the jobs that it set off, or why there are none', async () => {
    await remind('Ask for the card');
    await report({ event: 'payment_failed', key: 'invoice-1' });
    await report({ event: 'user_signup', key: 'user-1' });
    const { data, next_cursor: cursor } = await list();
    expect(cursor).toBeNull();
    expect(data).toEqual([
      {
        id: expect.any(String),
        event: 'user_signup',
        key: 'user-1',
        created_at: expect.any(String),
        cancelled_at: null,
        source: { kind: 'api', id: null, name: null },
        is_repeat: false,
        can_be_repeated: false,
        jobs: [],
        job_count: 0,
        hint: 'No active reminder of this workspace waits for user_signup',
      },
      expect.objectContaining({
        event: 'payment_failed',
        can_be_repeated: true,
        jobs: [{ job_id: expect.any(String), name: 'Ask for the card', status: 'pending' }],
        job_count: 1,
        hint: null,
      }),
    ]);
  });

  it('names five jobs of an event, and counts all', async () => {
    for (let at = 1; at <= 6; at += 1) await remind(`Reminder ${at}`);
    await report({ event: 'payment_failed' });
    const [event] = (await list()).data;
    expect(event.jobs).toHaveLength(5);
    expect(event.job_count).toBe(6);
  });

  it('names the API key, or the reminder whose hook was called', async () => {
    const { json: key } = await dana.call('POST', '/api/api-keys', {
      workspace,
      body: { name: 'Shop', scopes: ['send'] },
    });
    const sent = await dana.call('POST', '/api/events', {
      headers: { authorization: `Bearer ${key.key}` },
      body: { event: 'user_signup' },
    });
    expect(sent.status).toBe(201);
    const hooked = await remind('Contact form', 'custom_webhook');
    const { json: hook } = await dana.call('GET', `/api/reminders/${hooked}/hook`, { workspace });
    await fetch(hook.url, { method: 'POST' });
    const sources = (await list()).data.map(({ source }: { source: object }) => source);
    expect(sources).toEqual([
      { kind: 'hook', id: hooked, name: 'Contact form' },
      { kind: 'api_key', id: key.id, name: 'Shop' },
    ]);
  });

  it('is read page by page, and by the beginning of the name', async () => {
    for (const event of ['user_signup', 'user_left', 'payment_failed', 'userX']) await report({ event });
    const first = await list('event=user_&limit=1');
    const second = await list(`event=user_&limit=1&cursor=${first.next_cursor}`);
    expect([...first.data, ...second.data].map(({ event }) => event)).toEqual(['user_left', 'user_signup']);
    expect(second.next_cursor).toBeNull();
    expect((await list('event=%25')).data).toEqual([]);
  });

  it('is the same for members, and shows nothing of another workspace', async () => {
    await report({ event: 'user_signup' });
    expect((await list('', member)).data).toHaveLength(1);
    workspace = await dana.createWorkspace('Oak Lane');
    expect((await list()).data).toEqual([]);
  });

  describe('sends an event again', () => {
    it('as a new event with the same data and recipients, marked as a repeat, with its delay from now', async () => {
      await remind('Ask for the card');
      const { id, jobs } = await report({
        event: 'payment_failed',
        key: 'invoice-1',
        data: { amount: '49 €' },
        recipients: ['Erin <erin@example.com>'],
        occurred_at: '2027-01-01T09:00:00Z',
      });
      const again = await repeat(id, { person: member });
      expect(again.status).toBe(201);
      expect(again.json.id).not.toBe(id);
      const [job] = again.json.jobs;
      expect(job.job_id).not.toBe(jobs[0].job_id);
      expect(Math.abs(Date.parse(job.scheduled_for) - Date.now() - 86_400_000)).toBeLessThan(60_000);
      const payloadOf = async (jobId: string) =>
        (await dana.call('GET', `/api/jobs/${jobId}`, { workspace })).json.payload;
      expect(await payloadOf(job.job_id)).toEqual(await payloadOf(jobs[0].job_id));
      expect((await list()).data.map((event: { is_repeat: boolean }) => event.is_repeat)).toEqual([true, false]);
    });

    it('once for each idempotency key, however often it is asked', async () => {
      await remind('Ask for the card');
      const { id } = await report({ event: 'payment_failed' });
      const answers = await Promise.all(Array.from({ length: 10 }, () => repeat(id, { key: 'one click' })));
      expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 409)).toEqual([]);
      const last = await repeat(id, { key: 'one click' });
      expect(last.status).toBe(201);
      const [repeated] = (await list()).data;
      expect(last.json.id).toBe(repeated.id);
      expect((await list()).data).toHaveLength(2);
    });

    it('of a hook, to the reminder of that hook alone', async () => {
      const hooked = await remind('Contact form', 'custom_webhook');
      await remind('Another form', 'custom_webhook');
      const { json: hook } = await dana.call('GET', `/api/reminders/${hooked}/hook`, { workspace });
      const sent = await fetch(hook.url, { method: 'POST' });
      const { id } = await sent.json();
      const { json } = await repeat(id);
      expect(json.jobs.map(({ reminder_id: reminder }: { reminder_id: string }) => reminder)).toEqual([hooked]);
    });

    it('whose reminder is paused since, and says that nothing is sent', async () => {
      const reminder = await remind('Ask for the card');
      const { id } = await report({ event: 'payment_failed' });
      await dana.call('PATCH', `/api/reminders/${reminder}`, { workspace, body: { status: 'paused' } });
      const { json } = await repeat(id);
      expect(json).toMatchObject({ jobs: [], hint: 'No active reminder of this workspace waits for payment_failed' });
    });

    it('not where its data is not kept, and not that of another workspace', async () => {
      const { id } = await report({ event: 'user_signup' });
      const refused = await repeat(id);
      expect([refused.status, refused.json.error.message]).toEqual([
        422,
        'The data of this event is not kept: its sender has to send it again',
      ]);
      workspace = await dana.createWorkspace('Oak Lane');
      expect((await repeat(id)).status).toBe(404);
    });
  });
});
