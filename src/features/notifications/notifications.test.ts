import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleTemplate } from '#testing/samples.ts';

describe('messages that are sent by the API', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  let template: string;
  let send: Caller;

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    template = await writeTemplate();
    send = await callerWith(['send']);
  });
  afterAll(() => cuebird.stop());

  type Content = { type?: string; subject?: string; body?: string };

  const writeTemplate = async (content: Content = {}, variables: object[] = []): Promise<string> => {
    const body = {
      ...sampleTemplate,
      content: { ...sampleTemplate.content, ...content },
      ...(variables.length > 0 && { variables: { variables } }),
    };
    return (await dana.call('POST', '/api/templates', { workspace, body })).json.id;
  };

  const addChannel = async (channel: object): Promise<string> =>
    (await dana.call('POST', '/api/channels', { workspace, body: channel })).json.id;

  type Answer = { status: number; json: any; headers: Headers };
  type Caller = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Answer>;

  async function callerWith(scopes: string[]): Promise<Caller> {
    const { json } = await dana.call('POST', '/api/api-keys', { workspace, body: { name: 'CRM', scopes } });
    return callerOf(json.key);
  }

  const callerOf =
    (key: string): Caller =>
    async (method, path, body, headers = {}) => {
      const response = await fetch(`${cuebird.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, headers: response.headers, json: await response.json() };
    };

  const rent = { recipient: 'Tess <tess@example.com>', variables: { amount: 950 } };
  const notify = (body: object = {}, headers: Record<string, string> = {}) =>
    send('POST', '/api/notifications/send', { template_id: template, ...rent, ...body }, headers);
  const scheduleJob = (body: object = {}) => send('POST', '/api/jobs', { ...job, template_id: template, ...body });
  const job = {
    name: 'Rent of June',
    schedule: { type: 'scheduled', scheduleType: 'once', startDate: '2098-06-01T09:00:00', timezone: 'Europe/Berlin' },
    recipients: ['tess@example.com'],
    variables: { amount: '950' },
  };

  const inbox = async () => (await dana.call('GET', '/api/inbox', { workspace })).json.data;

  describe('at once', () => {
    it('arrive as the template says it, and the key that sent one is told when', async () => {
      const sent = await notify();
      expect([sent.status, sent.json]).toEqual([202, { job_id: expect.any(String) }]);
      const { status, json } = await send('GET', `/api/jobs/${sent.json.job_id}?wait=30`);
      expect([status, json]).toMatchObject([
        200,
        {
          name: 'Rent reminder',
          type: 'api_notification',
          status: 'completed',
          recipients: { total: 1, sent: 1, waiting: 0, problems: 0, skipped: 0 },
          outcomes: [
            { channel: 'email', recipient: 'tess@example.com', status: 'accepted', reason: null, attempts: 1 },
          ],
        },
      ]);
      const [mail] = await inbox();
      const { json: shown } = await dana.call('GET', `/api/inbox/${mail.id}`, { workspace });
      expect([mail.subject, shown.text.trim()]).toEqual([
        'Rent of 950',
        expect.stringContaining('Dear Tess, 950 is due.'),
      ]);
      const { json: used } = await dana.call('GET', `/api/templates/${template}`, { workspace });
      expect(used.usage_count).toBe(1);
    });

    it('are sent in a session, too', async () => {
      const body = { template_id: template, ...rent };
      const sent = await dana.call('POST', '/api/notifications/send', { workspace, body });
      const { json } = await dana.call('GET', `/api/jobs/${sent.json.job_id}?wait=30`, { workspace });
      expect([sent.status, json.status]).toEqual([202, 'completed']);
    });

    it('take the defaults of the template, blanks for what is optional, and what a contact has', async () => {
      template = await writeTemplate({ subject: '{{unit}}', body: '{{amount}}/{{note}}/{{plan}}' }, [
        { name: 'amount' },
        { name: 'note', required: false },
        { name: 'plan', defaultValue: 'basic' },
      ]);
      const contact = { email: 'tess@example.com', variables: { unit: '4b' } };
      await dana.call('POST', '/api/contacts', { workspace, body: contact });
      const sent = await notify();
      const { json } = await send('GET', `/api/jobs/${sent.json.job_id}?wait=30`);
      expect(json.status).toBe('completed');
      const [mail] = await inbox();
      const { json: shown } = await dana.call('GET', `/api/inbox/${mail.id}`, { workspace });
      expect([mail.subject, shown.text]).toEqual(['4b', expect.stringContaining('950//basic')]);
    });

    it('pass by who is on the suppression list, and the outcome says so', async () => {
      const suppressed = { channel: 'email', recipient: 'tess@example.com' };
      await dana.call('POST', '/api/suppressions', { workspace, body: suppressed });
      const sent = await notify();
      const { json } = await send('GET', `/api/jobs/${sent.json.job_id}?wait=30`);
      expect(json.outcomes).toMatchObject([{ status: 'skipped', reason: expect.stringContaining('suppression list') }]);
      expect(await inbox()).toEqual([]);
    });

    it('use the channel that is named, of the type of the template', async () => {
      const hook = { type: 'webhook', configuration: { url: 'http://127.0.0.1:2/' } };
      const [good, off] = [await addChannel({ ...hook, name: 'Hook' }), await addChannel({ ...hook, name: 'Off' })];
      await dana.call('PATCH', `/api/channels/${off}`, { workspace, body: { is_active: false } });
      const webhook = await writeTemplate({ type: 'webhook' });
      const tried = async (body: object) => {
        const { status, json } = await notify({ recipient: 'tess', ...body });
        return [status, json.error?.fields ?? json];
      };
      expect(await tried({ template_id: webhook, channel_id: good })).toEqual([202, { job_id: expect.any(String) }]);
      const refused = (message: string) => [422, [{ path: 'channel_id', message }]];
      expect(await tried({ channel_id: good })).toEqual(
        refused('This channel is for webhook, and the template for email'),
      );
      expect(await tried({ template_id: webhook, channel_id: off })).toEqual(refused('This channel is disabled'));
      const unknown = refused('There is no such channel in this workspace');
      expect(await tried({ channel_id: randomUUID() })).toEqual(unknown);
      const elsewhere = await dana.createWorkspace('Oak Street');
      const theirs = await dana.call('POST', '/api/channels', {
        workspace: elsewhere,
        body: { ...hook, name: 'Hook' },
      });
      expect(await tried({ template_id: webhook, channel_id: theirs.json.id })).toEqual(unknown);
      await dana.call('PATCH', `/api/channels/${good}`, { workspace, body: { is_active: false } });
      expect(await tried({ template_id: webhook })).toEqual(
        refused('The webhook channel of this workspace is disabled'),
      );
    });

    it.each([
      [{ variables: {} }, 422, 'variables.amount', 'Enter a value for amount: without it no message can be sent'],
      [
        { variables: { amount: ' ' } },
        422,
        'variables.amount',
        'Enter a value for amount: without it no message can be sent',
      ],
      [{ recipient: undefined }, 422, 'recipient', 'At least one recipient is required'],
      [{ recipient: ' ' }, 400, 'recipient', 'must not be blank'],
      [{ recipient: '+49 30 1234567' }, 422, 'recipient', 'A phone number fits none of the chosen channels (email)'],
      [{ template_id: randomUUID() }, 400, 'template_id', 'There is no such template in this workspace'],
      [{ template_id: undefined }, 400, 'template_id', 'must be a UUID'],
      [{ template_id: 'rent' }, 400, 'template_id', 'must be a UUID'],
      [
        { variables: { amount: { of: 'rent' } } },
        400,
        'variables.amount',
        'must be a text of at most 2000 characters, a number, true or false',
      ],
      [{ channel: 'email' }, 400, 'channel', 'is not a known field'],
    ])('%j is refused with %i at %s', async (body, status, path, message) => {
      const refused = await notify(body);
      expect([refused.status, refused.json.error.fields]).toEqual([status, [{ path, message }]]);
    });

    it('are refused for a template without text, and a push that names somebody', async () => {
      const empty = await writeTemplate({ body: '' });
      expect((await notify({ template_id: empty })).json.error.fields).toEqual([
        { path: 'template_id', message: 'This template has no text' },
      ]);
      const push = await writeTemplate({ type: 'push', body: 'Hello' });
      expect((await notify({ template_id: push })).json.error.fields).toEqual([
        { path: 'recipient', message: 'A push message goes to the browsers of all members: leave recipient out' },
      ]);
      expect((await notify({ template_id: push, recipient: undefined })).status).toBe(202);
    });

    it('sent fifty times at once with one Idempotency-Key are one message', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => notify({}, { 'idempotency-key': 'once' })));
      const done = answers.filter(({ status }) => status === 202);
      expect(done.length).toBeGreaterThan(0);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(50 - done.length);
      expect(new Set(done.map(({ json }) => json.job_id)).size).toBe(1);
      expect((await send('GET', `/api/jobs/${done[0]?.json.job_id}?wait=30`)).json.status).toBe('completed');
      expect(await inbox()).toHaveLength(1);
    });
  });

  describe('at a time', () => {
    it('are a job that says when, with what the template said when it was made', async () => {
      const made = await scheduleJob();
      expect([made.status, made.json]).toEqual([201, { job_id: expect.any(String) }]);
      await dana.call('PATCH', `/api/templates/${template}`, { workspace, body: { content: { body: 'Other' } } });
      const { json } = await dana.call('GET', `/api/jobs/${made.json.job_id}`, { workspace });
      expect(json).toMatchObject({
        name: 'Rent of June',
        type: 'api_notification',
        reminder_id: null,
        status: 'pending',
        scheduled_for: '2098-06-01T07:00:00.000Z',
        payload: { content: { message: sampleTemplate.content.body }, timezone: 'Europe/Berlin' },
      });
      expect(json.outcomes).toBeUndefined();
    });

    it.each([
      { scheduleType: 'weekly', startDate: '2098-06-01T09:00:00' },
      { scheduleType: 'custom', customCron: '0 9 1 6 *', startDate: '2098-01-01T00:00:00' },
    ])('again and again are a reminder and its first job: %j', async (config) => {
      const made = await scheduleJob({ schedule: { type: 'scheduled', timezone: 'Europe/Berlin', ...config } });
      expect([made.status, made.json]).toEqual([201, { job_id: expect.any(String), reminder_id: expect.any(String) }]);
      const { json: reminder } = await dana.call('GET', `/api/reminders/${made.json.reminder_id}`, { workspace });
      expect(reminder).toMatchObject({
        name: 'Rent of June',
        status: 'active',
        schedule_config: { type: 'scheduled', timezone: 'Europe/Berlin', ...config },
        content: { recipients: ['tess@example.com'], values: { amount: '950' } },
        metadata: { channels: ['email'], source: 'api', template_id: template },
      });
      const { json: first } = await dana.call('GET', `/api/jobs/${made.json.job_id}`, { workspace });
      expect([first.reminder_id, first.type, first.scheduled_for]).toEqual([
        made.json.reminder_id,
        'reminder',
        '2098-06-01T07:00:00.000Z',
      ]);
    });

    it('take each schedule of the documentation', async () => {
      const page = (await readFile('docs/api.md', 'utf8')).replaceAll('2027-', '2098-');
      const shown = [...page.matchAll(/`(\{"type": "scheduled".*?\})`/g)].map(([, json = '']) => JSON.parse(json));
      expect(shown.map(({ scheduleType }) => scheduleType)).toEqual(['once', 'monthly', 'custom']);
      for (const documented of shown) expect((await scheduleJob({ schedule: documented })).status).toBe(201);
    });

    it.each([
      [{ schedule: undefined }, 'schedule', 'is required'],
      [
        { schedule: { type: 'event-based', scheduleType: 'once', startDate: '2098-06-01T09:00:00' } },
        'schedule.type',
        'must be scheduled',
      ],
      [
        { schedule: { type: 'scheduled' } },
        'schedule.scheduleType',
        'must be one of once, daily, weekly, monthly, custom',
      ],
      [
        { schedule: { type: 'scheduled', scheduleType: 'once' } },
        'schedule.startDate',
        'The schedule has no start date',
      ],
      [
        { schedule: { type: 'scheduled', scheduleType: 'once', at: '2098-06-01T09:00:00' } },
        'schedule.at',
        'is not a known field',
      ],
      [
        { schedule: { type: 'scheduled', scheduleType: 'once', startDate: '2020-01-01T09:00:00Z' } },
        'schedule.startDate',
        'Start date is more than 24 hours ago; choose a later one',
      ],
      [
        {
          schedule: {
            type: 'scheduled',
            scheduleType: 'daily',
            startDate: '2098-02-01T00:00:00',
            endDate: '2098-01-01T00:00:00',
          },
        },
        'schedule.endDate',
        'End date is before the start date',
      ],
      [
        { schedule: { type: 'scheduled', scheduleType: 'custom', customCron: '0 9 *' } },
        'schedule.customCron',
        expect.any(String),
      ],
      [{ name: ' ' }, 'name', 'Name required'],
      [{ recipients: [] }, 'recipients', 'At least one recipient is required'],
      [{ variables: {} }, 'variables.amount', expect.stringContaining('Enter a value for amount')],
    ])('%j is refused at %s', async (body, path, message) => {
      const refused = await scheduleJob(body);
      expect([refused.status < 500, refused.json.error.fields]).toEqual([true, [{ path, message }]]);
    });

    it('go to those whom they can reach; the ledger says why the others got nothing', async () => {
      const now = { type: 'scheduled', scheduleType: 'once', startDate: new Date().toISOString() };
      const made = await scheduleJob({ schedule: now, recipients: ['tess@example.com', '+49301234567'] });
      const { json } = await send('GET', `/api/jobs/${made.json.job_id}?wait=30`);
      expect(json.outcomes.map(({ status, recipient }: any) => `${recipient} ${status}`)).toEqual([
        '+49301234567 skipped',
        'tess@example.com accepted',
      ]);
    });
  });

  describe('with a key that may only send', () => {
    it('no contact, no reminder and no job of others can be read', async () => {
      const contact = { email: 'tess@example.com', variables: { unit: '4b' } };
      const { json: tess } = await dana.call('POST', '/api/contacts', { workspace, body: contact });
      const { json: other } = await dana.call('POST', '/api/jobs', {
        workspace,
        body: { ...job, template_id: template },
      });
      for (const path of ['/api/contacts', `/api/contacts/${tess.id}`, '/api/reminders', '/api/jobs', '/api/templates'])
        expect((await send('GET', path)).json.error.message, path).toBe(
          'This API key may not do this: it needs the scope read',
        );
      expect((await send('GET', `/api/jobs/${other.job_id}`)).status).toBe(404);
      expect((await send('GET', `/api/jobs/${(await scheduleJob()).json.job_id}`)).status).toBe(200);
      const repeated = await scheduleJob({ schedule: { ...job.schedule, scheduleType: 'daily' } });
      expect((await send('GET', `/api/jobs/${repeated.json.job_id}`)).status, 'the first job of a reminder').toBe(200);
      expect((await send('GET', `/api/reminders/${repeated.json.reminder_id}`)).status).toBe(403);
    });

    it('nothing can be changed, and one that may only read cannot send', async () => {
      expect((await send('POST', '/api/contacts', { name: 'Bert' })).status).toBe(403);
      const read = await callerWith(['read']);
      const refused = await read('POST', '/api/notifications/send', { template_id: template, ...rent });
      expect([refused.status, refused.json.error.message]).toEqual([
        403,
        'This API key may not do this: it needs the scope send',
      ]);
      expect((await read('GET', '/api/contacts')).status).toBe(200);
    });
  });
});
