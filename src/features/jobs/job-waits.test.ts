import { describe, expect, it } from 'vitest';
import { createJobWaits, type JobWaits } from '#features/jobs/job-waits.ts';
import { neverAborts } from '#platform/clock.ts';
import type { PubSub } from '#platform/pubsub.ts';
import { createVirtualClock } from '#testing/virtual-clock.ts';

const [elm, oak] = ['0198c0de-0000-7000-8000-000000000001', '0198c0de-0000-7000-8000-000000000002'];
const job = '0198c0de-0000-7000-8000-00000000000a';
const [key, other] = ['0198c0de-0000-7000-8000-0000000000f1', '0198c0de-0000-7000-8000-0000000000f2'];

describe('waits for jobs', () => {
  function open() {
    const listeners = new Map<string, (payload: string | null) => void>();
    const subscribe: PubSub['subscribe'] = (channel, listener) => {
      listeners.set(channel, listener);
      return () => {};
    };
    const clock = createVirtualClock('2026-03-10T12:00:00Z');
    const onError = (error: unknown) => {
      throw error;
    };
    const waits = createJobWaits({ pubsub: { subscribe }, clock, findEnded: async () => [], onError });
    const announce = (change: object) => listeners.get('cuebird_access')?.(JSON.stringify(change));
    return { waits, announce, clock };
  }
  const wait = (waits: JobWaits, { caller = key, workspaceId = elm } = {}) =>
    waits.untilEnded({ workspaceId, jobId: job, caller, seconds: 60, signal: neverAborts });

  it('end when their key is revoked, and others go on', async () => {
    const { waits, announce, clock } = open();
    let isOver = false;
    const ofOther = wait(waits, { caller: other }).then(() => (isOver = true));
    const ofKey = wait(waits);
    announce({ api_key: key });
    await ofKey;
    expect(isOver).toBe(false);
    clock.advance({ seconds: 60 });
    await ofOther;
  });

  it('end when their person leaves the workspace, in that workspace', async () => {
    const { waits, announce, clock } = open();
    let isOver = false;
    const elsewhere = wait(waits, { workspaceId: oak }).then(() => (isOver = true));
    const here = wait(waits);
    announce({ workspace: elm, user: key });
    await here;
    expect(isOver).toBe(false);
    clock.advance({ seconds: 60 });
    await elsewhere;
  });

  it('are twenty of a caller and two hundred of a workspace, which leaves room for others', async () => {
    const { waits, clock } = open();
    const begun: Promise<void>[] = [];
    for (let n = 0; n < 200; n += 1) begun.push(wait(waits, { caller: `key ${Math.floor(n / 20)}` }));
    const refusal = { code: 'rate_limited', message: expect.stringContaining('Too many requests wait for jobs.') };
    await expect(wait(waits, { caller: 'key 0', workspaceId: oak })).rejects.toMatchObject(refusal);
    await expect(wait(waits, { caller: 'key 10' })).rejects.toMatchObject(refusal);
    begun.push(wait(waits, { caller: 'key 10', workspaceId: oak }));
    clock.advance({ seconds: 60 });
    await Promise.all(begun);
  });
});
