import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HookFixture, openHookFixture } from '#testing/hook-fixture.ts';
import { hookCurl } from './hook-curl.ts';
import { newHookSecret } from './hook-secret.ts';

const execute = promisify(execFile);

describe('the command that calls a hook', () => {
  let fixture: HookFixture;
  let url: string;
  const data = { from: `Finn's "best" $HOME \\ man`, 'cart.total': '12 €' };
  beforeAll(async () => {
    fixture = await openHookFixture();
    ({ url } = await fixture.renew());
  });
  afterAll(() => fixture.close());

  /** Runs it in bash as it is shown; `answer` is what a person types. */
  async function run(command: string, answer = '') {
    const running = execute('bash', ['-c', command]);
    running.child.stdin?.end(`${answer}\n`);
    return JSON.parse((await running).stdout);
  }

  it('brings its data, whatever characters it has', async () => {
    const { jobs } = await run(hookCurl({ url, data, secret: null }));
    expect(await fixture.dataOf(jobs[0].job_id)).toEqual(data);
  });

  it('brings lists as lists', async () => {
    const command = hookCurl({ url, data: { tags: 'a', 'items.0.name': 'disk' }, lists: ['tags'], secret: null });
    expect(command).toContain('{"tags":["a"],"items":[{"name":"disk"}]}');
    const { jobs } = await run(command);
    expect(await fixture.dataOf(jobs[0].job_id)).toEqual({ tags: 'a', 'tags.0': 'a', 'items.0.name': 'disk' });
  });

  it.each([
    ['that is made here', newHookSecret()],
    ['without padding', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAA'],
    ['in the other alphabet', 'whsec_-_KQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAA=='],
    ['of any text', `it's "my" own $ecret \\ word`],
  ])('signs with the secret %s, which it contains or asks for', async (_, secret) => {
    await fixture.setSecret(secret);
    const first = await run(hookCurl({ url, data, secret: { value: secret } }));
    expect(await fixture.dataOf(first.jobs[0].job_id)).toEqual(data);
    const second = await run(hookCurl({ url, data, secret: 'asked' }), secret);
    expect(second.id).not.toBe(first.id);
    expect(await fixture.dataOf(second.jobs[0].job_id)).toEqual(data);
    const wrong = await run(hookCurl({ url, data, secret: { value: newHookSecret() } }));
    expect(wrong.error.message).toBe('The signature does not match the body');
  });
});
