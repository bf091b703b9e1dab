import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedFailure } from '#contract/simulated-failures.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

describe('a simulated failure', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const set = (body: object, of = workspace) =>
    dana.call('PUT', '/api/inbox/simulated-failures', { workspace: of, body });
  const list = async (of = workspace): Promise<SimulatedFailure[]> =>
    (await dana.call('GET', '/api/inbox/simulated-failures', { workspace: of })).json.data;

  async function caller(of = workspace): Promise<() => Promise<number>> {
    const { json } = await dana.call('GET', '/api/inbox/addresses', { workspace: of });
    return async () => (await fetch(json.webhook_url, { method: 'POST', body: '{}' })).status;
  }

  const down = { kind: 'unavailable', status: 503 } as const;

  it('is set for one channel, listed, changed and removed', async () => {
    expect(await list()).toEqual([]);
    const { status, json } = await set({ channel: 'sms', failure: down });
    expect([status, json]).toEqual([200, { channel: 'sms', failure: down, times: null }]);
    await set({ channel: 'email', failure: { kind: 'hang' }, times: 2 });
    await set({ channel: 'sms', failure: { kind: 'slow', seconds: 3 }, times: 1 });
    expect(await list()).toEqual([
      { channel: 'email', failure: { kind: 'hang' }, times: 2 },
      { channel: 'sms', failure: { kind: 'slow', seconds: 3 }, times: 1 },
    ]);
    await set({ channel: 'sms', failure: null });
    await set({ channel: 'email', failure: null });
    expect(await list()).toEqual([]);
  });

  it('affects only messages of its channel and workspace', async () => {
    const other = await dana.createWorkspace('Oak Street');
    const [here, there] = [await caller(), await caller(other)];
    await set({ channel: 'webhook', failure: down });
    await set({ channel: 'webhook', failure: { kind: 'rate_limited', retry_after: null } }, other);
    expect([await here(), await there()]).toEqual([503, 429]);
    await set({ channel: 'webhook', failure: null }, other);
    expect([await here(), await there()]).toEqual([503, 200]);
    await set({ channel: 'webhook', failure: null });
    await set({ channel: 'sms', failure: down });
    expect(await here()).toBe(200);
  });

  it('with a count ends after that many messages, even concurrent ones', async () => {
    const call = await caller();
    await set({ channel: 'webhook', failure: down, times: 3 });
    expect(await call()).toBe(503);
    expect(await list()).toEqual([{ channel: 'webhook', failure: down, times: 2 }]);
    const statuses = await Promise.all(Array.from({ length: 20 }, call));
    expect(statuses.filter((status) => status === 503)).toHaveLength(2);
    expect(await list()).toEqual([]);
  });

  it.each([
    ['an unknown channel', { channel: 'fax', failure: down }],
    ['an unknown failure', { channel: 'sms', failure: { kind: 'flood' } }],
    ['a status that is none of a fault', { channel: 'sms', failure: { kind: 'unavailable', status: 418 } }],
    ['an hour for one answer', { channel: 'sms', failure: { kind: 'slow', seconds: 3_600 } }],
    ['no times', { channel: 'sms', failure: down, times: 0 }],
  ])('with %s is refused', async (_, body) => {
    expect((await set(body)).status).toBe(400);
    expect(await list()).toEqual([]);
  });
});
