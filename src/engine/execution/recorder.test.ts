import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineStore } from '#engine/store.ts';
import {
  engineSleepers,
  type EngineFixture,
  openEngineFixture,
  type TestWorkspace,
  writeReminder,
} from '#testing/engine.ts';
import { passUntil } from '#testing/pass-until.ts';
import { answerOf } from '#testing/receiver.ts';

describe('the recorder', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  const hook = (name: string | number) => `https://hooks.example.com/${name}`;

  it('leaves an outcome that the database refuses to the rescuer, and records the others at once', async () => {
    const refused = Object.assign(new Error('value too long'), { code: '22001' });
    const wrapStore = (store: EngineStore): EngineStore => ({
      ...store,
      record: (batch) =>
        batch.outcomes.some(({ settled }) => settled.answer === 'HTTP 200: poison')
          ? Promise.reject(refused)
          : store.record(batch),
    });
    fixture.receiver = (request) =>
      answerOf(200, request.url === hook(3) && fixture.requests.length <= 9 ? 'poison' : '');
    for (let n = 0; n < 9; n += 1)
      await writeReminder(fixture, {
        workspace,
        name: `Reminder ${n}`,
        content: { subject: 'Rent', message: 'Hi', recipients: [hook(n)] },
      });
    await fixture.start({ wrapStore });
    fixture.clock.advance({ hours: 1 });
    const sentOnce = (jobs: { status: string }[]) => jobs.filter(({ status }) => status === 'completed').length === 8;
    const jobs = await fixture.jobsWhere(workspace, sentOnce);
    expect(jobs.find((job) => job.status === 'running')?.name).toBe('Reminder 3');
    await passUntil(fixture, async () => (await fixture.deliveries(workspace)).length === 9);
    const found = await fixture.deliveries(workspace);
    expect(found.filter((row) => row.status !== 'accepted')).toMatchObject([
      {
        recipient: hook(3),
        status: 'waiting',
        attempts: 1,
        reason: 'The server stopped, and the message may have been sent',
        reason_code: 'worker_lost',
      },
    ]);
    fixture.clock.advance({ seconds: 5 });
    await fixture.jobsWhere(workspace, (all) => all.filter(({ status }) => status === 'completed').length === 9);
  });

  it('waits for a database that is away, and forgets nothing meanwhile', async () => {
    let isAway = true;
    const { promise: tried, resolve: hasTried } = Promise.withResolvers<void>();
    await writeReminder(fixture, { workspace });
    await fixture.start({
      wrapStore: (store) => ({
        ...store,
        async record(batch) {
          if (!isAway) return store.record(batch);
          hasTried();
          throw new Error('the connection was refused');
        },
      }),
    });
    fixture.clock.advance({ hours: 1 });
    await tried;
    expect(await fixture.deliveries(workspace)).toEqual([]);
    isAway = false;
    await fixture.clock.untilAsleep(engineSleepers + 1);
    fixture.clock.advance({ seconds: 1 });
    await fixture.jobsWhere(workspace, ([job]) => job?.status === 'completed');
    expect(await fixture.deliveries(workspace)).toMatchObject([{ status: 'accepted', attempts: 1 }]);
    expect(fixture.requests).toHaveLength(1);
  });

  it('writes a single result at once, and under load those of some milliseconds together', async () => {
    const [first, second, third] = [1, 2, 3].map(() => Promise.withResolvers<void>());
    const answers = new Map([first, second, third].map((breaker, index) => [hook(index), breaker?.promise]));
    fixture.receiver = async ({ url }) => {
      await answers.get(url);
      return answerOf(200);
    };
    const written: string[][] = [];
    const wrapStore = (store: EngineStore): EngineStore => ({
      ...store,
      async record(batch) {
        written.push(batch.outcomes.map(({ delivery }) => delivery.recipient));
        second?.resolve();
        await store.record(batch);
        third?.resolve();
      },
    });
    const content = { subject: 'Rent', message: 'Hi', recipients: [...answers.keys()] };
    await writeReminder(fixture, { workspace, content });
    await fixture.start({ wrapStore, gatherMs: 1_000 });
    fixture.clock.advance({ hours: 1 });
    first?.resolve();
    await fixture.jobsWhere(workspace, ([job]) => job?.status === 'completed');
    expect(written.map((recipients) => recipients.toSorted())).toEqual([[hook(0)], [hook(1), hook(2)]]);
  });

  it('reads the clock for each answer that comes while a batch is being written', async () => {
    const [later, last] = [hook(1), hook(2)].map((url) => ({ url, ...Promise.withResolvers<void>() }));
    const [writing, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    fixture.receiver = async ({ url }) => {
      await [later, last].find((one) => one?.url === url)?.promise;
      return answerOf(url === hook(0) ? 200 : 503);
    };
    await writeReminder(fixture, {
      workspace,
      content: { subject: 'Rent', message: 'Hi', recipients: [0, 1, 2].map(hook) },
    });
    await fixture.start({
      wrapStore: (store) => ({
        ...store,
        async record(batch) {
          writing.resolve();
          await written.promise;
          await store.record(batch);
        },
      }),
      gatherMs: 0,
    });
    fixture.clock.advance({ hours: 1 });
    await writing.promise;
    later?.resolve();
    await expect.poll(() => fixture.requests.length).toBe(3);
    await new Promise((resolve) => setImmediate(resolve));
    // Less than the five seconds until the next attempt.
    fixture.clock.advance({ seconds: 3 });
    last?.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    written.resolve();
    const rows = await fixture.until(
      () => fixture.deliveries(workspace),
      (all) => all.length === 3 && all.every(({ status }) => status !== 'sending'),
    );
    const nextAttempts = new Map(rows.map((row) => [row.recipient, row.next_attempt_at]));
    expect(nextAttempts.get(hook(1))).toBe('2026-03-02T09:00:05.000Z');
    expect(nextAttempts.get(hook(2))).toBe('2026-03-02T09:00:08.000Z');
  });
});
