import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

describe('the messages per second of a channel', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const hook = { name: 'Hook', type: 'webhook', configuration: { url: 'http://127.0.0.1:2/' } };
  const create = (more: object = {}) => dana.call('POST', '/api/channels', { workspace, body: { ...hook, ...more } });

  it('are unlimited by default, kept by other changes, and can be removed', async () => {
    const { json: channel } = await create();
    expect(channel.rate_limit_per_second).toBeNull();
    const change = (body: object) => dana.call('PATCH', `/api/channels/${channel.id}`, { workspace, body });
    expect((await change({ rate_limit_per_second: 0.5 })).json.rate_limit_per_second).toBe(0.5);
    expect((await change({ name: 'Other' })).json).toMatchObject({ name: 'Other', rate_limit_per_second: 0.5 });
    expect((await change({ rate_limit_per_second: null })).json.rate_limit_per_second).toBeNull();
  });

  it.each([
    [0, 'must be at least 0.01'],
    [-1, 'must be at least 0.01'],
    [1001, 'must be at most 1000'],
    ['10', 'must be a number'],
  ])('are refused as %j', async (rate, message) => {
    const refused = await create({ rate_limit_per_second: rate });
    expect(refused.status).toBe(400);
    expect(refused.json.error.fields).toEqual([{ path: 'rate_limit_per_second', message }]);
  });
});
