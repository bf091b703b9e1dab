import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { untilFound } from '#testing/changes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

describe('an event reminder for whom the event names', () => {
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

  type Changes = { recipients?: string[]; status?: string; schedule?: object; metadata?: object };
  const bodyOf = ({ recipients = [], status = 'active', schedule = {}, metadata = {} }: Changes = {}) => ({
    name: 'Trial ends',
    status,
    schedule_config: { type: 'event-based', eventTrigger: 'trial_ending', timezone: 'UTC', ...schedule },
    content: { subject: 'Your {{plan}}', message: 'Hello {{recipient_name}}', recipients },
    metadata: { channels: ['email'], event_recipients: true, ...metadata },
  });
  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  const write = async (changes?: Changes): Promise<string> => {
    const { status, json } = await call('POST', '/api/reminders', bodyOf(changes));
    expect(status).toBe(201);
    return json.id;
  };
  const send = (body: object) => call('POST', '/api/events', { event: 'trial_ending', data: { plan: 'Pro' }, ...body });
  const mails = (count: number) =>
    untilFound(cuebird.databaseUrl, async () => {
      const { data } = (await call('GET', '/api/inbox')).json;
      return data.length === count ? data.map(({ recipient }: { recipient: string }) => recipient).toSorted() : null;
    });
  const ended = () =>
    untilFound(cuebird.databaseUrl, async () => {
      const [job] = (await call('GET', '/api/jobs')).json.data;
      return ['completed', 'failed', 'cancelled'].includes(job?.status) ? job : null;
    });

  it('needs no recipients of its own, while a scheduled one does', async () => {
    expect((await call('POST', '/api/reminders', bodyOf())).status).toBe(201);
    const required = [{ path: 'content.recipients', message: 'At least one recipient is required' }];
    for (const changes of [
      { metadata: { event_recipients: false } },
      { schedule: { type: 'scheduled', scheduleType: 'daily' } },
    ]) {
      const { status, json } = await call('POST', '/api/reminders', bodyOf(changes));
      expect([status, json.error.fields]).toEqual([400, required]);
    }
  });

  it('is sent to the address in the data, by name', async () => {
    await write();
    expect((await send({ data: { plan: 'Pro', customer: { email: 'erin@example.com', name: 'Erin' } } })).status).toBe(
      201,
    );
    expect(await mails(1)).toEqual(['erin@example.com']);
    const [mail] = (await call('GET', '/api/inbox')).json.data;
    const { json } = await call('GET', `/api/inbox/${mail.id}`);
    expect(json.text).toContain('Hello Erin');
  });

  it('is sent to the recipients of the event beside its own, each once', async () => {
    await write({ recipients: ['ops@example.com', 'erin@example.com'] });
    await send({ recipients: ['erin@example.com', 'finn@example.com'] });
    expect(await mails(3)).toEqual(['erin@example.com', 'finn@example.com', 'ops@example.com']);
  });

  describe('that names an email address and a number of somebody', () => {
    const data = { plan: 'Pro', email: 'erin@example.com', phone: '+4915112345678', name: 'Erin' };
    const channels = ['sms', 'email'];
    const sendAndRead = async (metadata: object) => {
      await write({ metadata: { channels, ...metadata } });
      const sent = await send({ data });
      expect(sent.status).toBe(201);
      const job = await ended();
      const { json: run } = await call('GET', `/api/jobs/${job.id}`);
      const { data: found } = (await call('GET', '/api/inbox')).json;
      return { people: run.people, to: found.map(({ recipient }: { recipient: string }) => recipient).toSorted() };
    };

    it('is sent over one of the channels, where they are tried in order', async () => {
      expect(await sendAndRead({ channel_mode: 'in_order' })).toMatchObject({
        people: { total: 1, reached: 1 },
        to: ['+4915112345678'],
      });
    });

    it('is sent to one person, where all channels send', async () => {
      expect(await sendAndRead({})).toMatchObject({
        people: { total: 1, reached: 1 },
        to: ['+4915112345678', 'erin@example.com'],
      });
    });

    it('counts one person before it is sent', async () => {
      await write({
        metadata: { channels, channel_mode: 'in_order' },
        schedule: { delayAmount: 2, delayUnit: 'days' },
      });
      const { json: sent } = await send({ data });
      const { json } = await call('GET', `/api/jobs/${sent.jobs[0].job_id}/reach`);
      expect(json).toMatchObject({ total: 1, messages: 1 });
    });
  });

  it('loops over the lists of the data, in the message and in what it reaches', async () => {
    const message =
      '{% for x in items %}{{x.name}}/{% endfor %} {% for t in tags %}<{{t}}>{% endfor %} {{tags}} {{items.0.name}}';
    const body = bodyOf({ schedule: { delayAmount: 2, delayUnit: 'days' } });
    const of = { ...body, content: { ...body.content, message } };
    const { json: reminder } = await call('POST', '/api/reminders', of);
    const data = {
      plan: 'Pro',
      email: 'erin@example.com',
      items: [{ name: 'disk' }, { name: 'cpu' }],
      tags: ['a', 'b'],
    };
    const { json: sent } = await send({ data });
    const { json: reach } = await call('GET', `/api/jobs/${sent.jobs[0].job_id}/reach`);
    expect(reach).toMatchObject({ total: 1, messages: 1 });
    await call('POST', `/api/reminders/${reminder.id}/test-event`, { data, recipients: ['me@example.com'] });
    expect(await mails(1)).toEqual(['me@example.com']);
    const [mail] = (await call('GET', '/api/inbox')).json.data;
    const { json: shown } = await call('GET', `/api/inbox/${mail.id}`);
    expect(shown.text).toContain('disk/cpu/ <a><b> a, b disk');
  });

  it('is cancelled with the reason when the event names nobody, and the sender is told', async () => {
    await write();
    const sent = await send({});
    expect([sent.status, sent.json.hint]).toEqual([
      201,
      '1 of 1 reminders are not sent: the event names nobody, and they list no recipients',
    ]);
    const job = await ended();
    expect([job.status, job.error_message]).toEqual([
      'cancelled',
      'The event names nobody to whom this reminder could be sent',
    ]);
  });

  it('is not said to reach nobody before the event', async () => {
    const id = await write({ status: 'draft' });
    const { json } = await call('GET', `/api/reminders/${id}/reach`);
    expect(json).toMatchObject({ total: 0, refusal: null, is_event_awaited: true });
    expect((await call('PATCH', `/api/reminders/${id}`, { status: 'active' })).status).toBe(200);
  });

  it('tells of a pending job whom its event named', async () => {
    await write({ schedule: { delayAmount: 2, delayUnit: 'days' } });
    const { json: sent } = await send({ data: { plan: 'Pro', email: 'erin@example.com' } });
    const { json } = await call('GET', `/api/jobs/${sent.jobs[0].job_id}/reach`);
    expect(json).toMatchObject({ total: 1, is_event_awaited: false });
  });

  describe('is tested with an event', () => {
    const test = (id: string, body: object) => call('POST', `/api/reminders/${id}/test-event`, body);

    it('that goes to the recipients of the test only, with the data, and names what a real one would do', async () => {
      const id = await write({ recipients: ['ops@example.com'], schedule: { delayAmount: 2, delayUnit: 'hours' } });
      const other = await write({});
      await write({ status: 'draft' });
      const data = { plan: 'Pro', recipient: { email: 'erin@example.com', name: 'Erin' } };
      const { status, json } = await test(id, { data, recipients: ['me@example.com'] });
      expect([status, json]).toMatchObject([
        201,
        {
          match_count: 2,
          matches: [{ reminder_id: other }, { reminder_id: id, name: 'Trial ends' }],
          named: ['Erin <erin@example.com>'],
        },
      ]);
      expect(await mails(1)).toEqual(['me@example.com']);
      const [mail] = (await call('GET', '/api/inbox')).json.data;
      expect(mail.subject).toContain('Your Pro');
      const jobs = (await call('GET', '/api/jobs')).json.data;
      expect(jobs.map((job: { id: string; type: string }) => [job.id, job.type])).toEqual([
        [json.job_id, 'test_reminder'],
      ]);
    });

    it('also as a draft, which no event triggers', async () => {
      const id = await write({ status: 'draft' });
      const { status, json } = await test(id, { recipients: ['me@example.com'] });
      expect([status, json.match_count, json.matches, json.named]).toEqual([201, 0, [], []]);
    });

    it('that names at least one recipient of the test', async () => {
      const { status, json } = await test(await write(), {});
      expect([status, json.error.fields]).toEqual([
        400,
        [{ path: 'recipients', message: 'Please add at least one test recipient' }],
      ]);
    });

    it('whose data is within the limits of an event', async () => {
      const body = { data: { plan: 'x'.repeat(10_001) }, recipients: ['me@example.com'] };
      const { status, json } = await test(await write(), body);
      expect([status, json.error.fields]).toEqual([
        400,
        [{ path: 'data.plan', message: 'must be at most 10000 characters' }],
      ]);
    });

    it('not when it is scheduled, and not by another workspace', async () => {
      const scheduled = await write({
        recipients: ['a@example.com'],
        status: 'draft',
        schedule: { type: 'scheduled', scheduleType: 'daily' },
      });
      const to = { recipients: ['me@example.com'] };
      expect((await test(scheduled, to)).status).toBe(422);
      const id = await write();
      const elsewhere = await dana.createWorkspace('Oak Street');
      const { status } = await dana.call('POST', `/api/reminders/${id}/test-event`, { workspace: elsewhere, body: to });
      expect(status).toBe(404);
    });
  });
});
