import { describe, expect, it } from 'vitest';
import { createBodyBudget } from '#http/body-budget.ts';
import { readBytes } from '#platform/request-body.ts';
import { createVirtualClock } from '#testing/virtual-clock.ts';

const limits = {
  free: 10,
  ofSender: 1_000,
  ofAll: 2_000,
  reserved: 500,
  slowest: { bytesPerSecond: 20, windowSeconds: 5 },
};

describe('the budget of large bodies', () => {
  function start() {
    const clock = createVirtualClock('2026-11-22T09:00:00Z');
    return { clock, budget: createBodyBudget(clock, limits) };
  }

  it('keeps a part for senders who hold nothing else, up to the whole of it', () => {
    const { budget } = start();
    budget.shareOf('Ann').add(600);
    budget.shareOf('Ben').add(600);
    const more = budget.shareOf('Ann');
    expect(() => more.add(400)).toThrow('Too many large requests are in progress');
    const fresh = budget.shareOf('Cleo');
    for (let count = 0; count < 8; count += 1) fresh.add(100);
    expect(() => budget.shareOf('Dan').add(100)).toThrow('Too many large requests are in progress');
  });

  it('takes nothing of that part for a sender whose first body grows beside a second one', () => {
    const { budget } = start();
    const first = budget.shareOf('Ann');
    first.add(20);
    budget.shareOf('Ann').add(600);
    budget.shareOf('Ben').add(800);
    expect(() => first.add(200)).toThrow('Too many large requests are in progress');
  });

  it('gives back what is held by a body that no longer arrives, and answers 408', async () => {
    const { clock, budget } = start();
    const share = budget.shareOf('Ann');
    let push = (_: number) => {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        push = (bytes) => controller.enqueue(new Uint8Array(bytes));
      },
    });
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
    const reading = readBytes(new Request('http://localhost', init), {
      maxKiB: 1,
      onBytes: (bytes) => share.add(bytes),
      signal: share.tooSlow,
    });
    const refused = expect(reading).rejects.toMatchObject({
      code: 'too_slow',
      headers: { connection: 'close' },
    });
    push(1_000);
    await clock.untilAsleep(1);
    clock.advance({ seconds: 5 });
    await refused;
    budget.shareOf('Ann').add(1_000);
  });

  it('waits for a body that arrives slowly, but fast enough, however long it takes', async () => {
    const { clock, budget } = start();
    const share = budget.shareOf('Ann');
    share.add(20);
    for (let window = 0; window < 8; window += 1) {
      await clock.untilAsleep(1);
      share.add(100);
      clock.advance({ seconds: 5 });
      await Promise.resolve();
    }
    expect(share.tooSlow.aborted).toBe(false);
    share.release();
  });

  it('does not time the work on a body that has arrived', async () => {
    const { clock, budget } = start();
    const share = budget.shareOf('Ann');
    share.add(500);
    await clock.untilAsleep(1);
    share.arrived();
    clock.advance({ seconds: 60 });
    await Promise.resolve();
    expect(share.tooSlow.aborted).toBe(false);
    share.release();
  });
});
