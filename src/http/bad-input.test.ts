import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorAnswer } from '#contract/errors.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { insertThings, type Things } from '#testing/sample-rows.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('a request that is not what it should be', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  let things: Things;

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
    const { owner } = cuebird;
    things = await insertThings(owner, { workspace, userId: dana.userId });
  });
  afterAll(() => cuebird.stop());

  /** A raw body, byte by byte, for a new reminder. */
  async function post(body: RequestInit['body'], headers: Record<string, string> = {}) {
    const response = await fetch(`${cuebird.url}/api/reminders`, {
      method: 'POST',
      headers: { cookie: dana.cookie, 'x-workspace-id': workspace, 'content-type': 'application/json', ...headers },
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    });
    return { status: response.status, ...ErrorAnswer.parse(await response.json()) };
  }

  const get = (path: string) => dana.call('GET', path, { workspace });

  const postReminder = (changes: object) => post(JSON.stringify({ ...sampleReminder, ...changes }));

  describe('in its body as a whole', () => {
    it.each([
      ['cut off', '{"name": "Re'],
      ['empty', ''],
      ['a single quote', "'"],
      ['two values', '{} {}'],
      ['JavaScript', '{name: "Rent"}'],
    ])('%s: is told that this is not JSON, with where it goes wrong', async (_, body) => {
      const { status, error } = await post(body);
      expect({ status, code: error.code }).toEqual({ status: 400, code: 'invalid_request' });
      expect(error.message).toMatch(/^The body is not valid JSON: \S+/);
    });

    it.each(['null', '[]', '"Rent"', '12', 'true'])('%s: is told that an object is wanted', async (body) => {
      const { status, error } = await post(body);
      expect(status).toBe(400);
      expect(error.fields).toEqual([{ path: '', message: 'must be an object' }]);
    });

    it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp', ''])(
      'sent as "%s": is told which type to send',
      async (type) => {
        const { status, error } = await post(JSON.stringify(sampleReminder), { 'content-type': type });
        expect(status).toBe(400);
        expect(error.message).toBe('Send the body as application/json');
      },
    );

    it('in bytes that are not UTF-8', async () => {
      const { status, error } = await post(Buffer.from('{"name": "\xff\xfe"}', 'latin1'));
      expect(status).toBe(400);
      expect(error.message).toBe('The body is not valid UTF-8');
    });

    it('larger than 1 MiB, whether that was announced', async () => {
      const { status, error } = await post(JSON.stringify({ ...sampleReminder, name: 'x'.repeat(1_048_576) }));
      expect({ status, error }).toMatchObject({ status: 413, error: { code: 'too_large' } });
      expect(error.message).toBe('The body is larger than 1 MiB');
    });

    it('or found out on the way', async () => {
      const chunk = new TextEncoder().encode(' '.repeat(65_536));
      let sent = 0;
      const endless = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += 1;
          if (sent > 400) controller.close();
          else controller.enqueue(chunk);
        },
      });
      const { status } = await post(endless);
      expect(status).toBe(413);
      expect(sent).toBeLessThan(400);
    });

    it('larger than 64 KiB for sign-in, announced or not', async () => {
      const text = JSON.stringify({ email: 'dana@example.com', password: 'x'.repeat(70_000) });
      for (const body of [text, new Blob([text]).stream()]) {
        const response = await fetch(`${cuebird.url}/api/auth/sign-in/email`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: cuebird.url },
          body,
          ...(typeof body === 'string' ? {} : { duplex: 'half' }),
        });
        expect(response.status).toBe(413);
        expect(ErrorAnswer.parse(await response.json()).error.message).toBe('The body is larger than 64 KiB');
      }
    });

    it('announced as large, and never sent: is answered at once', async () => {
      expect(await announceOnly(5_000_000)).toBe(413);
    });

    it.each([
      ['lists', '['],
      ['objects', '{"a":'],
    ])('of 100,000 %s within each other', async (_, opening) => {
      const { status } = await post(`{"name": ${opening.repeat(100_000)}`);
      expect(status).toBe(400);
      const closing = opening === '[' ? ']' : '}';
      const whole = `{"name": "Hook", "type": "webhook", "configuration": {"deep": ${opening.repeat(100_000)}1${closing.repeat(100_000)}}}`;
      const deep = await dana.call('POST', '/api/channels', { workspace, body: whole });
      expect(deep.status).toBe(400);
      expect(deep.json.error.message).toBe('The body is nested more than 30 levels deep');
    });

    it('with a name of 500,000 characters', async () => {
      const { status, json } = await dana.call('POST', '/api/channels', {
        workspace,
        body: `{"${'a'.repeat(500_000)}": 1}`,
      });
      expect([status, json.error.message]).toEqual([400, 'The body has a name of more than 10000 characters']);
    });
  });

  describe('in one of its values', () => {
    const content = sampleReminder.content;
    const schedule = sampleReminder.schedule_config;
    it.each<[path: string, message: RegExp | string, changes: object]>([
      ['name', 'must be text', { name: 12 }],
      ['name', 'must be text', { name: null }],
      ['name', 'must be text', { name: ['Rent'] }],
      ['name', 'must not contain the NUL character', { name: 'Re\0nt' }],
      ['name', /lone surrogate/, { name: 'Re\ud800nt' }],
      ['content.subject', /lone surrogate/, { content: { ...content, subject: '\udc00' } }],
      ['content.recipients', 'must be a list', { content: { ...content, recipients: 'dana@example.com' } }],
      ['content.recipients.1', 'must be text', { content: { ...content, recipients: ['a@example.com', 5] } }],
      ['content.recipients.0', /NUL/, { content: { ...content, recipients: ['a\0@example.com'] } }],
      ['content.values', 'must be an object', { content: { ...content, values: [] } }],
      ['content.values', /NUL/, { content: { ...content, values: { 'a\0b': 'x' } } }],
      ['content.values.amount', 'must be text', { content: { ...content, values: { amount: 5 } } }],
      ['content.colour', 'is not a known field', { content: { ...content, colour: 'red' } }],
      ['colour', 'is not a known field', { colour: 'red' }],
      ['workspace_id', 'is not a known field', { workspace_id: 'another' }],
      ['constructor', 'is not a known field', { constructor: { prototype: { isAdmin: true } } }],
      ['content', 'must be an object', { content: [] }],
      ['schedule_config.delayAmount', 'must be a number', { schedule_config: { ...schedule, delayAmount: '5' } }],
      [
        'schedule_config.delayAmount',
        'must be at most 100000',
        { schedule_config: { ...schedule, delayAmount: 1e300 } },
      ],
      [
        'schedule_config.type',
        'must be one of scheduled, event-based',
        { schedule_config: { ...schedule, type: 'x' } },
      ],
      ['schedule_config.timezone', /timezone, for example/, { schedule_config: { ...schedule, timezone: 'Mars/One' } }],
      ['schedule_config.timezone', /timezone, for example/, { schedule_config: { ...schedule, timezone: '+01:00' } }],
      ['metadata.channels.0', /^must be one of email, sms/, { metadata: { channels: ['fax'] } }],
      [
        'metadata.priority',
        'must be one of low, medium, high',
        { metadata: { channels: ['email'], priority: 'ASAP' } },
      ],
      ['status', 'must be one of active, paused, draft', { status: 'deleted' }],
    ])('%s: %s', async (path, message, changes) => {
      const { status, error } = await postReminder(changes);
      expect(status).toBe(400);
      expect(error.fields).toEqual([{ path, message: expect.stringMatching(message) }]);
      expect(error.message).toContain(error.fields?.[0]?.message);
    });

    it('a number too large for JavaScript is no number', async () => {
      const body = JSON.stringify(sampleReminder).replace('"monthly"', '"monthly","delayAmount":1e999');
      const { status, error } = await post(body);
      expect(status).toBe(400);
      expect(error.fields?.[0]?.path).toBe('schedule_config.delayAmount');
    });

    it('a key of JavaScript itself is unknown like any other', async () => {
      const { status, error } = await post('{"__proto__": {"name": "Rent"}}');
      expect(status).toBe(400);
      expect(error.fields).toContainEqual({ path: '__proto__', message: 'is not a known field' });
    });

    it.each([
      '2026-02-30T09:00:00',
      '2026-13-01T09:00:00',
      '2026-01-01T24:00:00',
      '2026-01-01T23:60:00',
      '2026-01-01T09:00:00+99:00',
      '0000-01-01T00:00:00',
      '9999-12-31T23:59:59',
      '2026-01-01',
      '2026-01-01 09:00',
      'tomorrow',
      '+275760-09-13T00:00:00',
    ])('the start date %s', async (startDate) => {
      const { status, error } = await postReminder({
        status: 'active',
        schedule_config: { type: 'scheduled', scheduleType: 'daily', startDate, timezone: 'America/New_York' },
      });
      expect(status).toBe(400);
      expect(error.fields?.[0]?.path).toBe('schedule_config.startDate');
    });

    it('everything that is wrong is named at once', async () => {
      const { error } = await postReminder({ name: '', description: 'x'.repeat(501), metadata: { channels: [] } });
      expect(error.fields?.map(({ path }) => path)).toEqual(['name', 'description', 'metadata.channels']);
    });
  });

  describe('in the reminder form answers in the words of the form', () => {
    const { content, metadata, schedule_config: schedule } = sampleReminder;
    const without = (whole: object, key: string) =>
      Object.fromEntries(Object.entries(whole).filter(([name]) => name !== key));
    it.each<[message: string, path: string, changes: object]>([
      ['Title is required', 'name', { name: '' }],
      ['Title is required', 'name', { name: ' \t ' }],
      ['Title is required', 'name', { name: undefined }],
      ['Title must be less than 100 characters', 'name', { name: 'x'.repeat(101) }],
      ['Description must be less than 500 characters', 'description', { description: 'x'.repeat(501) }],
      ['At least one channel is required', 'metadata.channels', { metadata: { ...metadata, channels: [] } }],
      ['At least one channel is required', 'metadata.channels', { metadata: without(metadata, 'channels') }],
      ['At least one recipient is required', 'content.recipients', { content: { ...content, recipients: [] } }],
      ['At least one recipient is required', 'content.recipients', { content: without(content, 'recipients') }],
      ['Subject is required', 'content.subject', { content: { ...content, subject: ' ' } }],
      ['Subject is required', 'content.subject', { content: without(content, 'subject') }],
      ['Message is required', 'content.message', { content: { ...content, message: '' } }],
      [
        'Delay must be at least 0',
        'schedule_config.delayAmount',
        { schedule_config: { ...schedule, delayAmount: -1 } },
      ],
    ])('%s (%s)', async (message, path, changes) => {
      const { status, error } = await postReminder(changes);
      expect({ status, message: error.message }).toEqual({ status: 400, message });
      expect(error.fields).toEqual([{ path, message }]);
    });

    it('lets a title of exactly 100 and a description of exactly 500 characters through', async () => {
      const body = { ...sampleReminder, name: 'x'.repeat(100), description: 'y'.repeat(500) };
      expect((await dana.call('POST', '/api/reminders', { workspace, body })).status).toBe(201);
    });

    it.each([
      ['Please add at least one test recipient', { recipients: [], subject: 'Hi', message: 'Hello' }],
      ['Please provide both subject and message', { recipients: ['a@example.com'], subject: ' ', message: 'Hello' }],
      ['Please provide both subject and message', { recipients: ['a@example.com'], subject: 'Hi', message: '\n' }],
    ])('test dialog: %s', async (message, body) => {
      const refused = await dana.call('POST', `/api/reminders/${things.reminder}/test`, { workspace, body });
      expect(refused.status).toBe(400);
      expect(refused.json.error.message).toBe(message);
    });
  });

  describe('in its address', () => {
    it.each(['not-a-uuid', '%00', '..%2f..%2fetc', `${'a'.repeat(3000)}`, '%ff', '1', "'; drop table jobs; --"])(
      'the id "%s" is no id',
      async (id) => {
        for (const path of [`/api/reminders/${id}`, `/api/jobs/${id}/deliveries`, `/api/inbox/${id}`]) {
          const { status, json } = await get(path);
          expect(status).toBe(400);
          expect(ErrorAnswer.parse(json).error.fields).toEqual([{ path: 'id', message: 'must be a UUID' }]);
        }
      },
    );

    it.each([
      ['limit', 'limit=0'],
      ['limit', 'limit=201'],
      ['limit', 'limit=-1'],
      ['limit', 'limit=1.5'],
      ['limit', 'limit=many'],
      ['limit', 'limit='],
      ['limit', 'limit=1&limit=2'],
      ['search', 'search=%00'],
      ['search', `search=${'x'.repeat(201)}`],
      ['status', 'status=gone'],
      ['colour', 'colour=red'],
      ['__proto__', '__proto__=1'],
      ['from', 'from=yesterday'],
      ['from', 'from=0000-01-01T00:00:00Z'],
      ['from', 'from=0001-01-01T00:00:00%2B23:59'],
      ['to', 'to=9999-12-31T23:59:59-23:59'],
      ['reminder_id', 'reminder_id=1'],
      ['cursor', 'cursor='],
      ['cursor', 'cursor=%00'],
      ['cursor', 'cursor=abc'],
      ['cursor', `cursor=${'a'.repeat(401)}`],
      ['cursor', `cursor=${cursorOf(null)}`],
      ['cursor', `cursor=${cursorOf(['now', 'x'])}`],
      ['cursor', `cursor=${cursorOf(['0000-01-01T00:00:00Z', '00000000-0000-4000-8000-000000000000'])}`],
      ['cursor', `cursor=${cursorOf(['2026-01-01T00:00:00+23:59', '00000000-0000-4000-8000-000000000000'])}`],
      [
        'cursor',
        `cursor=${cursorOf([`2026-01-01T00:00:00.${'1'.repeat(150)}Z`, '00000000-0000-4000-8000-000000000000'])}`,
      ],
      ['cursor', `cursor=${cursorOf(['2026-01-01T00:00:00Z', "'; drop table jobs"])}`],
    ])('%s is wrong in ?%s', async (path, query) => {
      const { status, json } = await get(`/api/jobs?${query}`);
      expect(status).toBe(400);
      const [field] = ErrorAnswer.parse(json).error.fields ?? [];
      expect(field?.path).toBe(path);
      expect(field?.message).toMatch(/^(must|is) /);
    });

    it('an offset of any size in a window of time is understood', async () => {
      const { status } = await get('/api/jobs/counts?from=2026-01-01T00:00:00%2B23:59&to=2026-02-01T00:00:00-23:59');
      expect(status).toBe(200);
    });

    it('letters that mean something to SQL are searched for as they are', async () => {
      for (const search of ['%', '_', "'", '\\', '"', '100%']) {
        const { status, json } = await get(`/api/reminders?search=${encodeURIComponent(search)}`);
        expect({ status, found: json.data.length }).toEqual({ status: 200, found: 0 });
      }
    });

    it('there is no such route', async () => {
      for (const path of [
        '/api',
        '/api/',
        '/api/unknown',
        '/api/reminders/',
        '/api/auth/unknown',
        '/api/%00',
        '/api/%ff',
      ]) {
        const { status, json } = await get(path);
        expect([path, status]).toEqual([path, 404]);
        const resource = path === '/api/auth/unknown' ? 'address' : 'route in this API';
        expect(ErrorAnswer.parse(json).error).toMatchObject({ code: 'not_found', resource });
      }
      expect((await dana.call('DELETE', '/api/health')).status).toBe(404);
    });
  });

  /** Announces a body of this length and sends none of it. */
  function announceOnly(length: number): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const headers = {
        cookie: dana.cookie,
        'x-workspace-id': workspace,
        'content-type': 'application/json',
        'content-length': length,
      };
      const request = httpRequest(`${cuebird.url}/api/reminders`, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode);
        request.destroy();
      });
      request.on('error', reject);
      request.flushHeaders();
    });
  }
});

const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
