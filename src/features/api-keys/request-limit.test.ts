import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sample } from '#testing/sample.ts';

describe('the requests of an hour by API keys', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    await setTrial("now() - interval '1 second'");
  });
  afterAll(() => cuebird.stop());

  const setTrial = (end: string) =>
    database.query(`update workspaces set trial_ends_at = ${end} where id = $1`, [workspace]);

  const keyOf = async (): Promise<string> =>
    (await dana.call('POST', '/api/api-keys', { workspace, body: { name: 'CRM', scopes: ['send', 'read', 'manage'] } }))
      .json.key;

  /** A request with an API key and no cookie. */
  async function call(key: string, path = '/api/reminders', { url = cuebird.url }: { url?: string } = {}) {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    const json: any = await response.json();
    return { status: response.status, headers: response.headers, json };
  }

  const count = (changes: string) =>
    database.query(`update request_counts set ${changes} where workspace_id = $1`, [workspace]);

  /** Eight at a time. */
  async function askMany<T>(count: number, ask: (at: number) => Promise<T>): Promise<T[]> {
    const answers: T[] = [];
    const left = Array(count).keys();
    const work = async () => {
      for (const at of left) answers[at] = await ask(at);
    };
    await Promise.all(Array.from({ length: 8 }, work));
    return answers;
  }

  const quotaIn = (headers: Headers) =>
    ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => Number(headers.get(name)));

  it('are counted in every answer, including refusals', async () => {
    const key = await keyOf();
    expect(quotaIn((await call(key)).headers)).toEqual([100, 99, 3600]);
    const refused = await call(key, '/api/reminders/00000000-0000-4000-8000-000000000000');
    expect(refused.status).toBe(404);
    expect(quotaIn(refused.headers).slice(0, 2)).toEqual([100, 98]);
  });

  it('are refused over the limit with the time of the next one, for all keys of the workspace', async () => {
    const [one, other] = [await keyOf(), await keyOf()];
    await call(one);
    await count('used = 99');
    expect((await call(other)).status).toBe(200);
    const refused = await call(one);
    expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited']);
    const [limit, remaining, reset] = quotaIn(refused.headers);
    expect([limit, remaining]).toEqual([100, 0]);
    expect(reset).toBeGreaterThan(3_500);
    expect(Number(refused.headers.get('retry-after'))).toBe(reset);
    expect(refused.json.error.message).toBe('More than 100 requests in an hour. Try again in 60 minutes.');
  });

  it('do not limit a person of the workspace or a key of another one', async () => {
    const key = await keyOf();
    await call(key);
    await count('used = 100');
    expect((await call(key)).status).toBe(429);
    expect((await dana.call('GET', '/api/reminders', { workspace })).status).toBe(200);
    const elsewhere = await dana.createWorkspace('Oak Street');
    const made = await dana.call('POST', '/api/api-keys', {
      workspace: elsewhere,
      body: { name: 'CRM', scopes: ['send', 'read', 'manage'] },
    });
    expect((await call(made.json.key)).status).toBe(200);
  });

  it('restart after the hour', async () => {
    const key = await keyOf();
    await call(key);
    await count("used = 101, expires_at = now() + interval '1 minute'");
    expect((await call(key)).status).toBe(429);
    await count("expires_at = now() - interval '1 second'");
    expect(quotaIn((await call(key)).headers)).toEqual([100, 99, 3600]);
  });

  it.each([
    ['free', 100],
    ['basic', 100],
    ['premium', 1_000],
    ['enterprise', 10_000],
  ])('are limited by the plan: %s, %i', async (tier, limit) => {
    await database.query('update workspaces set subscription_tier = $2 where id = $1', [workspace, tier]);
    const key = await keyOf();
    await call(key);
    await count(`used = ${limit - 1}`);
    expect(quotaIn((await call(key)).headers).slice(0, 2)).toEqual([limit, 0]);
    expect((await call(key)).status).toBe(429);
  });

  it('are those of Premium during the trial, and of Enterprise where it is paid already', async () => {
    await setTrial("now() + interval '1 day'");
    const key = await keyOf();
    expect(quotaIn((await call(key)).headers)[0]).toBe(1_000);
    await database.query("update workspaces set subscription_tier = 'enterprise' where id = $1", [workspace]);
    expect(quotaIn((await call(key)).headers)[0]).toBe(10_000);
  });

  it('are not limited without billing', async () => {
    const key = await keyOf();
    const free = await startTestCuebird({ env: { DATABASE_URL: cuebird.databaseUrl, BILLING: 'off' } });
    const { status, headers } = await call(key, undefined, { url: free.url });
    await free.stop();
    expect([status, headers.get('ratelimit-limit')]).toEqual([200, null]);
  });

  it('let a thousand pass on Premium, over two processes, and not one more; without billing all pass', async () => {
    await database.query("update workspaces set subscription_tier = 'premium' where id = $1", [workspace]);
    const key = await keyOf();
    const second = await startTestCuebird({ env: { DATABASE_URL: cuebird.databaseUrl } });
    const free = await startTestCuebird({ env: { DATABASE_URL: cuebird.databaseUrl, BILLING: 'off' } });
    const urls = [cuebird.url, second.url];
    const asked = sample.takesAll ? 1_000 : 100;
    await call(key);
    await count(`used = ${1_000 - asked}`);
    const statuses = await askMany(asked, async (at) => (await call(key, undefined, { url: urls[at % 2] })).status);
    expect(statuses).toEqual(Array(asked).fill(200));
    const refused = await call(key, undefined, { url: second.url });
    expect([refused.status, ...quotaIn(refused.headers).slice(0, 2)]).toEqual([429, 1_000, 0]);
    expect(refused.headers.get('retry-after')).toBe(refused.headers.get('ratelimit-reset'));
    const unlimited = await askMany(100, async () => (await call(key, undefined, { url: free.url })).status);
    expect(unlimited).toEqual(Array(100).fill(200));
    await Promise.all([second.stop(), free.stop()]);
  });

  it('are counted exactly across concurrent requests and processes', async () => {
    const key = await keyOf();
    await call(key);
    await count('used = 90');
    const second = await startTestCuebird({ env: { DATABASE_URL: cuebird.databaseUrl } });
    const urls = [cuebird.url, second.url];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => call(key, undefined, { url: urls[at % 2] })),
    );
    await second.stop();
    const having = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([having(200), having(429)]).toEqual([10, 20]);
  });
});
