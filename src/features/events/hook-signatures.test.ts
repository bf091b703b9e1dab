import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createRandom, type Random } from '#simulation/random.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HookFixture, openHookFixture } from '#testing/hook-fixture.ts';
import { sample } from '#testing/sample.ts';

describe('the hook of a reminder with a secret', () => {
  let fixture: HookFixture;
  let database: HookFixture['database'];
  let workspace: string;
  let url: string;
  let hook: HookFixture['hook'];
  let setSecret: HookFixture['setSecret'];
  let report: HookFixture['report'];
  let jobCount: HookFixture['jobCount'];
  beforeAll(async () => {
    fixture = await openHookFixture();
    ({ database, hook, setSecret, report, jobCount } = fixture);
  });
  beforeEach(async () => {
    ({ workspace, url } = await fixture.renew());
  });
  afterAll(() => fixture.close());

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
    ])('%s, with any change of its unsigned parts', async (name, sign) => {
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
      for (const drawn of sample.partSeeds(name, 20_261_122).map((seed) => createRandom(seed)))
        for (let n = 0; n < 6; n += 1) {
          let sent = signed;
          for (const mutation of drawn.shuffled(mutations).slice(0, 3)) sent = mutation(sent, drawn);
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
