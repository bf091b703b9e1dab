import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hookToken } from '#features/events/hook-token.ts';
import { untilFound } from '#testing/changes.ts';
import { type ApiAnswer, startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember, connectOwner } from '#testing/owner.ts';
import { createRandom, type Random } from '#simulation/random.ts';

describe('the hook of a reminder', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let member: TestPerson;
  let workspace: string;
  let reminder: string;
  let url: string;

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = await connectOwner(cuebird.databaseUrl);
    dana = await cuebird.signUp('Dana');
    member = await cuebird.signUp('Member');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    await addMember(database, { workspace, userId: member.userId, role: 'member' });
    reminder = await write();
    url = (await hook()).json.url;
  });
  afterAll(async () => {
    await database.end();
    await cuebird.stop();
  });

  const write = async ({ schedule = {}, ...changes }: { schedule?: object; [field: string]: unknown } = {}) => {
    const { status, json } = await dana.call('POST', '/api/reminders', {
      workspace,
      body: {
        name: 'Form was sent',
        schedule_config: {
          type: 'event-based',
          eventTrigger: 'custom_webhook',
          delayAmount: 1,
          delayUnit: 'hours',
          timezone: 'UTC',
          ...schedule,
        },
        content: { subject: 'Form', message: 'From {{from}}', recipients: ['erin@example.com'] },
        metadata: { channels: ['email'] },
        ...changes,
      },
    });
    expect(status).toBe(201);
    return json.id as string;
  };

  const hook = (of = reminder, as = dana) => as.call('GET', `/api/reminders/${of}/hook`, { workspace });
  const setSecret = (secret: string | null) =>
    dana.call('PUT', `/api/reminders/${reminder}/hook`, { workspace, body: { secret } });

  /** A request of another system: no cookie, no key, no workspace. */
  async function report(
    body: RequestInit['body'] = '{}',
    headers: Record<string, string> = {},
    to = url,
  ): Promise<ApiAnswer> {
    const response = await fetch(to, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return { status: response.status, headers: response.headers, json: await response.json() };
  }

  const dataOf = async (jobId: string) =>
    (await dana.call('GET', `/api/jobs/${jobId}`, { workspace })).json.payload.data;

  const jobCount = async () => (await dana.call('GET', '/api/jobs/counts', { workspace })).json.total;

  describe('accepts the report of another system', () => {
    it('and creates a job after the reminder’s delay, only for this reminder', async () => {
      await write({ name: 'Another form' });
      const taken = await report('{"from": "Finn", "cart": {"total": 12}}');
      expect(taken.status).toBe(201);
      expect(taken.json).toEqual({
        id: expect.any(String),
        event: 'custom_webhook',
        key: expect.any(String),
        jobs: [{ job_id: expect.any(String), reminder_id: reminder, scheduled_for: expect.any(String) }],
        cancelled_at: null,
      });
      const [job] = taken.json.jobs;
      expect(Math.abs(Date.parse(job.scheduled_for) - Date.now() - 3_600_000)).toBeLessThan(60_000);
      expect(await dataOf(job.job_id)).toEqual({ from: 'Finn', 'cart.total': '12' });
      expect(await jobCount()).toBe(1);
    });

    it('and sends it', async () => {
      const quick = await write({ schedule: { delayAmount: 0 } });
      await report('{"from": "Finn"}', {}, (await hook(quick)).json.url);
      const mail = await untilFound(cuebird.databaseUrl, async () => {
        const { data } = (await dana.call('GET', '/api/inbox', { workspace })).json;
        return data[0];
      });
      expect(mail).toMatchObject({ recipient: 'erin@example.com', subject: 'Form' });
      expect(mail.text).toContain('From Finn');
    });

    it.each<[string, string, string, object]>([
      [
        'a form',
        'application/x-www-form-urlencoded',
        'from=Finn+Fox&box=a&box=b&note=',
        { from: 'Finn Fox', box: 'a, b', note: '' },
      ],
      ['JSON by another name', 'application/cloudevents+json; charset=utf-8', '{"from": "Finn"}', { from: 'Finn' }],
      ['nothing at all', '', '', {}],
    ])('as %s', async (_, type, body, data) => {
      const taken = await report(body, { 'content-type': type });
      expect(taken.status).toBe(201);
      expect(await dataOf(taken.json.jobs[0].job_id)).toEqual(data);
    });

    it('from a page of another site', async () => {
      expect((await report('{}', { origin: 'https://forms.example' })).status).toBe(201);
    });

    it('and ignores its recipients: the reminder’s own are used', async () => {
      const taken = await report('{"recipients": ["victim@example.com"]}');
      const job = await dana.call('GET', `/api/jobs/${taken.json.jobs[0].job_id}`, { workspace });
      expect(job.json.payload).toEqual({ data: { recipients: 'victim@example.com' } });
    });

    it.each(['webhook-id', 'idempotency-key'])('once per %s', async (header) => {
      const first = await report('{"attempt": 1}', { [header]: 'msg_1' });
      const again = await report('{"attempt": 2}', { [header]: 'msg_1' });
      expect([first.status, again.status]).toEqual([201, 200]);
      expect(again.json).toEqual(first.json);
      expect(first.json.key).toBe('msg_1');
      const other = await write({ name: 'Another form' });
      expect((await report('{}', { [header]: 'msg_1' }, (await hook(other)).json.url)).status).toBe(201);
      expect(await jobCount()).toBe(2);
    });

    it('and can be cancelled by the sender’s key', async () => {
      const { json } = await report('{}', { 'webhook-id': 'msg_1' });
      const cancel = (body: object) => dana.call('POST', '/api/events/cancel', { workspace, body });
      expect((await cancel({ key: 'msg_1' })).status).toBe(404);
      const cancelled = await cancel({ key: 'msg_1', reminder_id: reminder });
      expect(cancelled.json).toMatchObject({ id: json.id, cancelled: json.jobs });
    });

    it('and reports when nothing is sent', async () => {
      await dana.call('PATCH', `/api/reminders/${reminder}`, { workspace, body: { status: 'paused' } });
      const taken = await report();
      expect(taken.status).toBe(201);
      expect(taken.json).toMatchObject({ jobs: [], hint: 'The reminder is not active, so nothing is sent' });
    });
  });

  describe('refuses', () => {
    it.each<[string, string, string, string]>([
      [
        'more than a thousand fields',
        'application/x-www-form-urlencoded',
        'a&'.repeat(1_001),
        'The form has more than 1000 fields',
      ],
      ['another type', 'text/plain', 'hello', 'Send the body as application/json or application/x-www-form-urlencoded'],
      ['broken JSON', 'application/json', '{"a"', 'The body is not valid JSON'],
      ['a list', 'application/json', '[1]', 'must be an object'],
      ['a lone value', 'application/json', '"x"', 'must be an object'],
      ['NUL', 'application/json', '{"a": "\\u0000"}', 'a must not contain the NUL character'],
      [
        'endless depth',
        'application/json',
        `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
        'is nested more than 30 levels deep',
      ],
    ])('%s', async (_, type, body, message) => {
      const refused = await report(body, { 'content-type': type });
      expect(refused.status).toBe(400);
      expect(refused.json.error.message).toContain(message);
      expect(await jobCount()).toBe(0);
    });

    it('bytes that are not UTF-8', async () => {
      const refused = await report(Buffer.from('{"a": "\xff"}', 'latin1'));
      expect([refused.status, refused.json.error.message]).toEqual([400, 'The body is not valid UTF-8']);
    });

    it('a body of more than 64 KiB, announced or not', async () => {
      const text = JSON.stringify({ a: 'x'.repeat(65_536) });
      expect((await report(text)).status).toBe(413);
      const stream = { body: new Blob([text]).stream(), duplex: 'half' };
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        ...stream,
      });
      expect([response.status, (await response.json()).error.message]).toEqual([413, 'The body is larger than 64 KiB']);
    });

    it.each(['webhook-id', 'idempotency-key'])('an endless %s', async (header) => {
      const refused = await report('{}', { [header]: 'x'.repeat(201) });
      expect(refused.json.error.fields).toEqual([{ path: header, message: 'must be 1 to 200 characters' }]);
    });

    it('a URL that is unknown or belongs to another reminder or installation', async () => {
      const token = url.split('/').at(-1) ?? '';
      const target = { workspaceId: workspace, reminderId: reminder, generation: 0 };
      const flipped = token.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'));
      const tokens = [
        flipped,
        token.slice(0, -1),
        `${token}A`,
        'x',
        '%00',
        hookToken(target, Buffer.alloc(32)),
        '/'.repeat(5),
      ];
      for (const wrong of tokens) {
        const refused = await report('{}', {}, `${cuebird.url}/api/hooks/${wrong}`);
        expect([wrong, refused.status]).toEqual([wrong, 404]);
      }
    });

    it('all requests once the reminder has another trigger or is deleted', async () => {
      const { json } = await dana.call('GET', `/api/reminders/${reminder}`, { workspace });
      const { name, content, metadata, schedule_config: schedule } = json;
      const other = { name, content, metadata, schedule_config: { ...schedule, eventTrigger: 'user_signup' } };
      await dana.call('PUT', `/api/reminders/${reminder}`, { workspace, body: other });
      expect((await report()).status).toBe(404);
      await dana.call('DELETE', `/api/reminders/${reminder}`, { workspace });
      expect((await report()).status).toBe(404);
    });

    it('requests over the hourly limit of the plan, counted apart from API keys', async () => {
      await report();
      await database.query('update request_counts set used = 99 where workspace_id = $1', [workspace]);
      expect((await report()).status).toBe(201);
      const refused = await report();
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500);
      expect(await jobCount()).toBe(2);
      const { key } = (await dana.call('POST', '/api/api-keys', { workspace, body: { name: 'CRM' } })).json;
      const byKey = await fetch(`${cuebird.url}/api/reminders`, { headers: { authorization: `Bearer ${key}` } });
      expect(byKey.status).toBe(200);
    });
  });

  describe('with a secret', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const key = Buffer.from(secret.slice(6), 'base64');
    const body = '{"from": "Finn"}';
    const nowSeconds = () => Math.floor(Date.now() / 1000);
    beforeEach(() => setSecret(secret));

    const standard = ({ id = `msg_${randomUUID()}`, at = nowSeconds(), of = body, with: used = key } = {}) => ({
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': `v1,${createHmac('sha256', used).update(`${id}.${at}.${of}`).digest('base64')}`,
    });
    const own = ({ at = nowSeconds(), of = body } = {}) => ({
      'x-cuebird-signature': `t=${at},v1=${createHmac('sha256', key).update(`${at}.${of}`).digest('hex')}`,
    });

    it('accepts both forms of signature', async () => {
      expect((await report(body, standard())).status).toBe(201);
      expect((await report(body, own())).status).toBe(201);
    });

    it('accepts one valid signature among others, as during a change of the secret', async () => {
      const good = standard();
      const many = { ...good, 'webhook-signature': `v1a,x v1,${'A'.repeat(43)}= ${good['webhook-signature']}` };
      expect((await report(body, many)).status).toBe(201);
    });

    it('checks the raw bytes, including a byte order mark', async () => {
      const bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(body)]);
      const at = nowSeconds();
      const mac = createHmac('sha256', key).update(`${at}.`).update(bytes).digest('hex');
      expect((await report(bytes, { 'x-cuebird-signature': `t=${at},v1=${mac}` })).status).toBe(201);
    });

    it('recognizes a repeated signed request without an id', async () => {
      const headers = own();
      expect([(await report(body, headers)).status, (await report(body, headers)).status]).toEqual([201, 200]);
    });

    describe('counts one signed request once', () => {
      /** What is signed and whose headers are mutated: each mutation takes the headers and a source of numbers. */
      type Sent = { headers: [string, string][]; path: string };
      type Mutation = (sent: Sent, random: Random) => Sent;

      const change =
        (name: string, spell: (value: string, random: Random) => string): Mutation =>
        (sent, random) => ({
          ...sent,
          headers: sent.headers.map(([key, value]) => [key, key === name ? spell(value, random) : value]),
        });
      const add =
        (...added: ((random: Random) => [string, string])[]): Mutation =>
        (sent, random) => ({ ...sent, headers: [...sent.headers, ...added.map((one) => one(random))] });
      const upper = (text: string, random: Random) =>
        text.replaceAll(/./g, (letter) => (random.chance(0.5) ? letter.toUpperCase() : letter));
      const hexOf = (value: string, spell: (hex: string) => string) =>
        value.replace(/v1=([0-9a-f]+)/i, (_, hex: string) => `v1=${spell(hex)}`);
      const mutations: Mutation[] = [
        change('x-cuebird-signature', (value) => value.replaceAll(',', ', ')),
        change('x-cuebird-signature', (value) => ` ${value}\t`),
        change('x-cuebird-signature', (value, random) => hexOf(value, (hex) => upper(hex, random))),
        change('x-cuebird-signature', (value) => `${value},v1=${'0'.repeat(64)}`),
        change('x-cuebird-signature', (value) => `v0=none,${value}`),
        change('x-cuebird-signature', (value) => value.split(',').toReversed().join(',')),
        change('webhook-signature', (value) => `${value} v1a,abc`),
        change('webhook-signature', (value) => `v1,AAAA ${value}`),
        change('webhook-signature', (value) => value.replace(/=+$/, '')),
        change('webhook-signature', (value) => value.replaceAll('+', '-').replaceAll('/', '_')),
        add((random) => ['Idempotency-Key', String(random.next())]),
        add((random) => ['x-request-id', String(random.next())]),
        add((random) => ['origin', `https://${String(random.next()).slice(2)}.example`]),
        // Names for a request that is signed in the other form, or another name for this one.
        (sent, random) =>
          sent.headers.some(([name]) => name === 'webhook-id')
            ? sent
            : add(() => ['webhook-id', String(random.next())])(sent, random),
        (sent) => ({
          ...sent,
          headers: [...sent.headers, ...sent.headers.filter(([name]) => name.endsWith('signature'))],
        }),
        (sent) => ({ ...sent, headers: sent.headers.map(([name, value]) => [name.toUpperCase(), value]) }),
        (sent) => ({ ...sent, headers: sent.headers.toReversed() }),
        (sent, random) => ({ ...sent, path: `?again=${random.next()}` }),
        change('content-type', () => 'application/x-www-form-urlencoded'),
      ];

      it.each([
        ['x-cuebird-signature', () => own()],
        ['webhook-signature', () => standard()],
      ])('%s, with any change of its unsigned parts', async (_, sign) => {
        const random = createRandom(20_261_122);
        const signed: Sent = {
          headers: [['content-type', 'application/json'], ...Object.entries(sign())],
          path: '',
        };
        const send = async ({ headers, path }: Sent) =>
          (await sendAsIs(url + path, { headers: headers.flat(), body })).status;
        expect(await send(signed)).toBe(201);
        const statuses = new Set<number>();
        for (const mutation of mutations) statuses.add(await send(mutation(signed, random)));
        for (let n = 0; n < 60; n += 1) {
          let sent = signed;
          for (const mutation of random.shuffled(mutations).slice(0, 3)) sent = mutation(sent, random);
          statuses.add(await send(sent));
        }
        expect(await jobCount()).toBe(1);
        // Taken as known, or not taken: never anew.
        expect([...statuses].filter((status) => status !== 200 && status !== 401 && status !== 400)).toEqual([]);
        expect(statuses).toContain(200);
      });
    });

    it('by its signed id, even when a retry signs it again', async () => {
      const first = await report(body, standard({ id: 'msg_1' }));
      const again = await report(body, standard({ id: 'msg_1', at: nowSeconds() - 60 }));
      expect([first.status, again.status, again.json.id]).toEqual([201, 200, first.json.id]);
      expect(first.json.key).toBe('msg_1');
    });

    it('and equal bodies with different timestamps as two events', async () => {
      const at = nowSeconds();
      const statuses = [];
      for (const moment of [at, at - 1]) statuses.push((await report(body, own({ at: moment }))).status);
      expect(statuses).toEqual([201, 201]);
    });

    it('and refuses one with ambiguous parts', async () => {
      const at = nowSeconds();
      const text = `x.${at}.from=Eve`;
      expect((await report(text, own({ of: text }))).status).toBe(400);
      const mac = createHmac('sha256', key).update(`${at}.${text}`).digest('base64');
      const split = { 'webhook-id': `${at}.x`, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${mac}` };
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const refused = await report('from=Eve', { ...split, ...form });
      expect([refused.status, refused.json.error.message]).toEqual([
        401,
        'A signed webhook-id must not contain a full stop',
      ]);
      const numbered = `${at}.from=Eve`;
      expect((await report(numbered, { ...own({ of: numbered }), ...form })).status).toBe(401);
    });

    it.each<[string, () => Record<string, string>, RegExp]>([
      ['nothing is signed', () => ({}), /accepts signed requests only/],
      ['the key is another', () => standard({ with: Buffer.from('another key of 16') }), /does not match the body/],
      ['the body is another', () => standard({ of: '{"from": "Eve"}' }), /does not match the body/],
      ['the body is another, in our own form', () => own({ of: '{}' }), /does not match the body/],
      ['the id is another', () => ({ ...standard(), 'webhook-id': 'msg_other' }), /does not match the body/],
      ['it is five minutes old', () => standard({ at: nowSeconds() - 302 }), /more than 5 minutes from now/],
      ['it comes from the future', () => own({ at: nowSeconds() + 330 }), /more than 5 minutes from now/],
      ['the timestamp is none', () => ({ ...standard(), 'webhook-timestamp': 'soon' }), /no timestamp in seconds/],
      ['the signature is empty', () => ({ ...standard(), 'webhook-signature': '' }), /does not match the body/],
      ['the version is unknown', () => ({ ...standard(), 'webhook-signature': 'v9,abc' }), /does not match the body/],
      ['the id is missing', () => standard({ id: '' }), /webhook-id must be 1 to 200 characters/],
      ['the id is endless', () => standard({ id: 'x'.repeat(201) }), /webhook-id must be 1 to 200 characters/],
      ['our own form is empty', () => ({ 'x-cuebird-signature': '' }), /no timestamp in seconds/],
    ])('refuses when %s', async (_, headers, message) => {
      const refused = await report(body, headers());
      expect(refused.status).toBe(401);
      expect(refused.json.error.message).toMatch(message);
      expect(await jobCount()).toBe(0);
    });

    it('uses a secret without whsec_ unchanged', async () => {
      await setSecret('sixteen letters!');
      expect((await report(body, standard({ with: Buffer.from('sixteen letters!') }))).status).toBe(201);
      expect((await report(body, standard())).status).toBe(401);
    });

    it('shows only that it has one, and stores it encrypted', async () => {
      expect((await hook()).json).toEqual({ url, is_signed: true });
      const { rows } = await database.query('select sealed_secret from reminder_hooks where workspace_id = $1', [
        workspace,
      ]);
      expect(rows).toEqual([{ sealed_secret: expect.stringMatching(/^v1\./) }]);
    });

    it('accepts unsigned requests again once the secret is removed', async () => {
      expect((await setSecret(null)).json).toEqual({ url, is_signed: false });
      expect((await report()).status).toBe(201);
    });

    it.each(['too short', 'x'.repeat(201), 'whsec_not*base64*at*all*here', 'whsec_c2hvcnQ=', 12, ''])(
      'a secret like %o is refused',
      async (wrong) => {
        const refused = await setSecret(wrong as string);
        expect([refused.status, refused.json.error.fields[0].path]).toEqual([400, 'secret']);
      },
    );
  });

  describe('its URL', () => {
    it('is visible to every member, and replaced only by admins', async () => {
      expect((await hook(reminder, member)).json).toEqual({ url, is_signed: false });
      expect(url).toMatch(new RegExp(`^${cuebird.url}/api/hooks/[\\w-]{70}$`));
      const tried = await member.call('POST', `/api/reminders/${reminder}/hook`, { workspace });
      expect(tried.status).toBe(403);
    });

    it('is different after it is replaced, and the old one is refused', async () => {
      const rotated = await dana.call('POST', `/api/reminders/${reminder}/hook`, { workspace });
      expect(rotated.json.url).not.toBe(url);
      expect((await hook()).json.url).toBe(rotated.json.url);
      expect((await report()).status).toBe(404);
      expect((await report('{}', {}, rotated.json.url)).status).toBe(201);
    });

    it('keeps its secret when it is replaced', async () => {
      await setSecret('sixteen letters!');
      const rotated = await dana.call('POST', `/api/reminders/${reminder}/hook`, { workspace });
      expect(rotated.json.is_signed).toBe(true);
    });

    it('is replaced once by a repeated request, whose answer is stored encrypted', async () => {
      const rotate = () =>
        dana.call('POST', `/api/reminders/${reminder}/hook`, { workspace, headers: { 'idempotency-key': 'once' } });
      const [first, again] = [await rotate(), await rotate()];
      expect(again.json).toEqual(first.json);
      const { rows } = await database.query('select answer from idempotency_keys where workspace_id = $1', [workspace]);
      expect(rows).toEqual([{ answer: expect.stringMatching(/^v1\./) }]);
    });

    it('is audited whenever it or its secret changes', async () => {
      await dana.call('POST', `/api/reminders/${reminder}/hook`, { workspace });
      await setSecret('sixteen letters!');
      await setSecret(null);
      const { rows } = await database.query(
        'select action, target, actor_id from audit_log where workspace_id = $1 order by created_at, id',
        [workspace],
      );
      const by = { target: reminder, actor_id: dana.userId };
      expect(rows).toEqual([
        { action: 'hook.rotated', ...by },
        { action: 'hook.secret_set', ...by },
        { action: 'hook.secret_removed', ...by },
      ]);
    });

    it('exists only for reminders that wait for a custom webhook', async () => {
      const other = await write({ schedule: { eventTrigger: 'user_signup' } });
      const refused = await hook(other);
      expect([refused.status, refused.json.error.message]).toEqual([
        422,
        'Only a reminder that waits for a custom webhook has a hook',
      ]);
    });
  });
});

/** With its headers as they are spelled, also where one of them is there several times. */
function sendAsIs(url: string, { headers, body }: { headers: string[]; body: string }): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', headers: ['host', new URL(url).host, ...headers, 'content-length', String(body.length)] },
      (answer) => {
        text(answer).then(() => resolve({ status: answer.statusCode ?? 0 }), reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
