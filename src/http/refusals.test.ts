import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { createRefusalLog, type Refusal } from './refusals.ts';

const refusal: Refusal = {
  requestId: 'r',
  code: 'forbidden',
  method: 'GET',
  route: '/api/admin/people',
  caller: 'dana',
  clientAddress: '192.0.2.1',
};

describe('the log of refused requests', () => {
  function startLog() {
    const lines: Record<string, unknown>[] = [];
    let now = 0;
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const note = createRefusalLog(log, { epochMs: () => now });
    return { lines, note, passMinute: () => (now += 60_000) };
  }

  it('has one line a minute for the same caller, route and answer, and says how many it left out', () => {
    const { lines, note, passMinute } = startLog();
    for (let n = 0; n < 10; n += 1) note(refusal);
    note({ ...refusal, caller: 'ben' });
    expect(lines.map(({ caller }) => caller)).toEqual(['dana', 'ben']);
    passMinute();
    note(refusal);
    expect(lines.slice(2)).toMatchObject([
      { refusals: 9, msg: 'more requests were refused than the lines before say' },
      { caller: 'dana', msg: 'a request was refused' },
    ]);
  });

  it('is bounded, however many ask for however much', () => {
    const { lines, note } = startLog();
    for (let n = 0; n < 5_000; n += 1) note({ ...refusal, caller: null, clientAddress: `192.0.${n >> 8}.${n & 255}` });
    expect(lines).toHaveLength(60);
  });

  it('has ten lines a minute of one caller or network, who so hides nothing of others', () => {
    const { lines, note } = startLog();
    for (let n = 0; n < 5_000; n += 1) {
      note({ ...refusal, route: `/api/${n}` });
      note({ ...refusal, caller: null, clientAddress: `2001:db8::${n.toString(16)}`, route: `/api/${n}` });
    }
    expect(lines).toHaveLength(20);
    note({ ...refusal, caller: 'ben' });
    expect(lines.at(-1)).toMatchObject({ caller: 'ben' });
  });

  it('leaves out what only leads on, or is no question of rights', () => {
    const { lines, note } = startLog();
    for (const code of ['reauthentication_required', 'second_factor_required', 'invalid_request', 'internal'] as const)
      note({ ...refusal, code });
    expect(lines).toEqual([]);
  });
});

describe('a refused request', () => {
  let cuebird: TestCuebird;
  let ann: TestPerson;
  let dana: TestPerson;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ env: { LOG_LEVEL: 'warn' } });
    [ann, dana] = [await cuebird.signUp('Ann'), await cuebird.signUp('Dana')];
    await cuebird.owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
  });
  afterAll(() => cuebird.stop());

  it('is in the log of the console, with who asked for what, and without what they sent', async () => {
    const foreign = await ann.createWorkspace('Elm Street');
    const made = await ann.call('POST', '/api/api-keys', {
      workspace: foreign,
      body: { name: 'CRM', scopes: ['read'] },
    });
    const secret = 'a-key-that-nobody-has';
    expect((await fetch(`${cuebird.url}/api/workspaces`)).status, 'of a browser that is not signed in').toBe(401);
    const refused = [
      await dana.call('GET', '/api/admin/people?search=secret'),
      await dana.call('GET', '/api/reminders?search=secret', { workspace: foreign }),
      await dana.call('GET', '/api/reminders', { headers: { authorization: `Bearer ${secret}` } }),
      await dana.call('GET', '/api/workspaces', {
        headers: { authorization: `Bearer ${made.json.key}`, cookie: '' },
      }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 404, 401, 403]);
    const found = async () =>
      (await ann.call('GET', '/api/admin/log?search=a%20request%20was%20refused')).json.data.toReversed();
    await expect.poll(async () => (await found()).length).toBe(4);
    const line = (code: string, route: string, caller: string | null) => ({
      level: 'warn',
      details: {
        requestId: expect.any(String),
        code,
        method: 'GET',
        route,
        caller,
        clientAddress: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      },
    });
    const lines = await found();
    expect(lines).toMatchObject([
      line('forbidden', '/api/admin/people', dana.userId),
      line('not_found', '/api/reminders', dana.userId),
      line('unauthenticated', '/api/reminders', null),
      line('forbidden', '/api/workspaces', made.json.id ?? expect.any(String)),
    ]);
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${secret}|${made.json.key}|${foreign}|search=`));
    const ids = refused.map(({ json }) => json.error.request_id);
    expect(lines.map(({ details }: { details: { requestId: string } }) => details.requestId)).toEqual(ids);
  });
});
