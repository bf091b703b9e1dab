import { afterEach, describe, expect, it } from 'vitest';
import type { RenderingTask } from '#domain/rendering.ts';
import type { EndAfter, Outcome as OutcomeOf } from '#platform/task-thread.ts';
import { createRenderingPool, deliveryLimits, type PoolLimits, type RenderingPool, webLimits } from './pool.ts';
import { createRenderer } from './renderer.ts';
import type { Rendered, RenderingThread } from './threads.ts';

type Outcome = OutcomeOf<Rendered>;

const pools: RenderingPool[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

function open(limits: Partial<PoolLimits> = {}) {
  const pool = createRenderingPool({ ...webLimits, ...limits });
  pools.push(pool);
  return createRenderer(pool);
}

const loop = (name: string, body: string) => `{% for ${name} in (1..1000) %}${body}{% endfor %}`;
const endless = loop('a', loop('b', loop('c', '')));
const tooSlow = { kind: 'broken', reason: 'it takes longer than 100 ms to fill in' };
const of = (workspaceId: string) => ({ workspaceId, values: { amount: '950' } });

describe('a message', () => {
  it('of plain placeholders is rendered synchronously', () => {
    expect(open().message(['{{amount}}', 'due: {{amount}}'], of('a'))).toEqual([
      { kind: 'rendered', text: '950' },
      { kind: 'rendered', text: 'due: 950' },
    ]);
  });

  it('of Liquid is rendered in another thread, with the same results', async () => {
    const parts = ['{{ amount | append: " €" }}', '{{ rent | upcase }}', '{% shout %}'];
    expect(await open().message(parts, of('a'))).toEqual([
      { kind: 'rendered', text: '950 €' },
      { kind: 'missing', variable: 'rent' },
      { kind: 'broken', reason: expect.stringContaining('tag "shout" not found') },
    ]);
  });

  it('that uses up its time says so, and the thread goes on with others', async () => {
    const renderer = open({ threads: 1 });
    expect(await renderer.message([endless], of('a'))).toEqual([tooSlow]);
    expect(await renderer.message(['{{ amount | append: "!" }}'], of('b'))).toEqual([
      { kind: 'rendered', text: '950!' },
    ]);
  });

  it('that has to be ended costs its thread, and another one serves the next', async () => {
    // The first thread is ended before it can notice that its time is over. The next one has time enough on a busy
    // machine.
    const limits = { ...webLimits, threads: 1, endAfterMs: 20 };
    const pool = createRenderingPool(limits);
    pools.push(pool);
    const renderer = createRenderer(pool);
    expect(await renderer.message([endless], of('a'))).toEqual([tooSlow]);
    limits.endAfterMs = 60_000;
    expect(await renderer.preview({ subject: '', body: '{{ amount | append: "!" }}' }, of('b'))).toMatchObject({
      body: '950!',
    });
  });

  it('that was ended is refused for a minute without a thread, in its own workspace', async () => {
    const asked: string[] = [];
    let now = 0;
    const pool: RenderingPool = {
      async run(workspaceId) {
        asked.push(workspaceId);
        return { kind: 'ended', by: 'time' };
      },
      close: async () => {},
    };
    const renderer = createRenderer(pool, () => now);
    for (let time = 0; time < 3; time += 1) expect(await renderer.message([endless], of('a'))).toEqual([tooSlow]);
    expect(asked).toEqual(['a']);
    await renderer.message([endless], of('b'));
    now = 60_001;
    await renderer.message([endless], of('a'));
    expect(asked).toEqual(['a', 'b', 'a']);
  });

  it('that used up its time three times is refused as well', async () => {
    let asked = 0;
    const pool: RenderingPool = {
      async run() {
        asked += 1;
        return { kind: 'answered', answer: { answer: { kind: 'message', parts: [tooSlowPart] }, usedMs: 101 } };
      },
      close: async () => {},
    };
    const renderer = createRenderer(pool, () => 0);
    for (let time = 0; time < 1_000; time += 1) expect(await renderer.message([endless], of('a'))).toEqual([tooSlow]);
    expect(asked).toBe(3);
  });

  it('that would use too much memory says so', async () => {
    const many = Array.from({ length: 12 }, (_, at) => `{% assign a${at} = (1..90000) %}`).join('');
    const [answer] = await open().message([many], of('a'));
    expect(answer).toMatchObject({ kind: 'broken', reason: expect.stringContaining('memory') });
  });
});

describe('the pool', () => {
  const task = (name: string): RenderingTask => ({
    kind: 'message',
    parts: [`{{ ${name} | upcase }}`],
    values: {},
    marksValues: false,
  });

  /** Threads that answer when the test releases them. */
  function openBlocked(limits: Partial<PoolLimits> = {}, now: () => number = () => 0) {
    const begun: { name: string; end: EndAfter; answer: (outcome?: Outcome) => void }[] = [];
    const thread = async (): Promise<RenderingThread> => {
      const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
      return {
        gone,
        stop: async () => {},
        run(given, end) {
          const { promise, resolve } = Promise.withResolvers<Outcome>();
          const name = given.kind === 'message' ? (given.parts[0] ?? '') : '';
          const answer = (outcome = answered(1)) => {
            if (outcome.kind === 'ended') leave();
            resolve(outcome);
          };
          begun.push({ name: /\w/.exec(name)?.[0] ?? '', end, answer });
          return promise;
        },
      };
    };
    const pool = createRenderingPool({ ...webLimits, ...limits }, { start: thread, now });
    return { pool, begun, names: () => begun.map(({ name }) => name).join('') };
  }

  it('renders one message of a workspace at a time, while those of others go ahead', async () => {
    const { pool, begun, names } = openBlocked({ threads: 2 });
    const first = pool.run('one', task('a'));
    const second = pool.run('one', task('b'));
    const other = pool.run('other', task('c'));
    await until(() => begun.length === 2);
    expect(names()).toBe('ac');
    begun[1]?.answer();
    await other;
    expect(names()).toBe('ac');
    begun[0]?.answer();
    await first;
    await until(() => begun.length === 3);
    expect(names()).toBe('acb');
    begun[2]?.answer();
    await second;
  });

  it('serves the workspaces round robin, however much one of them asks for', async () => {
    const { pool, begun, names } = openBlocked({ threads: 1 });
    const all = ['a', 'a', 'a', 'a'].map((name) => pool.run('one', task(name)));
    all.push(pool.run('two', task('b')), pool.run('three', task('c')));
    for (let at = 0; at < all.length; at += 1) {
      await until(() => begun.length === at + 1);
      begun[at]?.answer();
    }
    await Promise.all(all);
    expect(names()).toBe('abcaaa');
  });

  it('refuses more than may wait, with a time to try again; deliveries wait', async () => {
    const { pool } = openBlocked({ threads: 1, waitingPerWorkspace: 2 });
    for (let at = 0; at < 3; at += 1) void pool.run('one', task('a'));
    await expect(pool.run('one', task('a'))).rejects.toMatchObject({
      code: 'rate_limited',
      headers: { 'retry-after': '2' },
    });
    void pool.run('other', task('b'));
    const deliveries = openBlocked(deliveryLimits);
    for (let at = 0; at < 5_000; at += 1) void deliveries.pool.run('one', task('a'));
    expect(deliveryLimits.waiting).toBe(Number.POSITIVE_INFINITY);
  });

  it('always has room for a workspace without waiting work, and serves it next, however many others wait', async () => {
    const { pool, begun, names } = openBlocked({ threads: 2 });
    const refused: unknown[] = [];
    for (let at = 0; at < 10; at += 1) {
      for (let each = 0; each < 11; each += 1)
        pool.run(`hostile ${at}`, task('h')).catch((error: unknown) => refused.push(error));
    }
    await until(() => begun.length === 2);
    // Two are under way, and 100 wait.
    expect(refused).toHaveLength(8);
    const short = pool.run('neighbour', task('n'));
    begun[0]?.answer();
    await until(() => begun.length === 3);
    expect(names()).toBe('hhn');
    begun[2]?.answer();
    await short;
  });

  it('serves workspaces first that used little thread time in the last minute', async () => {
    let now = 0;
    const { pool, begun, names } = openBlocked({ threads: 1 }, () => now);
    const run = async (workspaceId: string, { name, usedMs }: { name: string; usedMs: number }) => {
      const done = pool.run(workspaceId, task(name));
      await until(() => begun.length > 0);
      begun.pop()?.answer(answered(usedMs));
      await done;
    };
    await run('busy', { name: 'a', usedMs: 900 });
    await run('calm', { name: 'b', usedMs: 10 });
    const order = async () => {
      begun.length = 0;
      const all = [pool.run('third', task('c')), pool.run('busy', task('a')), pool.run('calm', task('b'))];
      for (let at = 0; at < all.length; at += 1) {
        await until(() => begun.length === at + 1);
        begun[at]?.answer(answered(0));
      }
      await Promise.all(all);
      return names();
    };
    expect(await order()).toBe('cba');
    // Old usage does not count against new usage.
    now = 5 * 60_000;
    await run('calm', { name: 'b', usedMs: 10 });
    expect(await order()).toBe('cab');
  });

  it('refuses a workspace for a minute after three of its texts had to be ended within a minute; others go on', async () => {
    let now = 0;
    const { pool, begun } = openBlocked({ threads: 1 }, () => now);
    const end = async (workspaceId: string, outcome: Outcome) => {
      const before = begun.length;
      const done = pool.run(workspaceId, task('a'));
      await until(() => begun.length > before);
      begun.at(-1)?.answer(outcome);
      await done;
    };
    for (let time = 0; time < 3; time += 1) await end('hostile', ended);
    await expect(pool.run('hostile', task('a'))).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('took too long to fill in'),
      headers: { 'retry-after': '60' },
    });
    await end('other', answered(1));
    now = 60_000;
    await end('hostile', answered(1));
  });

  it('gives a workspace less time in deliveries once three of its texts had to be ended', async () => {
    const { pool, begun } = openBlocked({ ...deliveryLimits, threads: 1 });
    for (let time = 0; time < 4; time += 1) {
      const done = pool.run('hostile', task('a'));
      await until(() => begun.length === time + 1);
      begun[time]?.answer(ended);
      await done;
    }
    const other = pool.run('other', task('b'));
    await until(() => begun.length === 5);
    begun[4]?.answer();
    await other;
    expect(begun.map(({ end }) => end)).toEqual(
      [5_000, 5_000, 5_000, 1_000, 5_000].map((elapsedMs) => ({ elapsedMs })),
    );
  });

  it('rejects waiting tasks when it is closed', async () => {
    const pool = createRenderingPool({ ...webLimits, threads: 1 });
    const waiting = [pool.run('one', task('a')), pool.run('one', task('b'))];
    const ends = Promise.allSettled(waiting);
    await pool.close();
    const [, last] = await ends;
    expect(last).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    await expect(pool.run('one', task('c'))).rejects.toMatchObject({ code: 'unavailable' });
  });
});

const ended: Outcome = { kind: 'ended', by: 'time' };
const answered = (usedMs: number): Outcome => ({
  kind: 'answered',
  answer: { answer: { kind: 'message', parts: [] }, usedMs },
});
const tooSlowPart = { kind: 'broken' as const, reason: tooSlow.reason };

/** Lets promises settle until the condition is true. */
async function until(isSo: () => boolean): Promise<void> {
  for (let round = 0; round < 1_000 && !isSo(); round += 1) await new Promise(setImmediate);
  expect(isSo()).toBe(true);
}
