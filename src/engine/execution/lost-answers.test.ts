import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineStore } from '#engine/store.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { setReminderStatus } from '#features/reminders/reminders.service.ts';
import {
  engineSleepers,
  type EngineFixture,
  openEngineFixture,
  type TestWorkspace,
  writeReminder,
} from '#testing/engine.ts';
import { suppress } from '#testing/engine-rows.ts';
import { answerOf, type DelayingReceiver, delayAnswers } from '#testing/receiver.ts';

describe('when the database is away for a moment', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let delayed: DelayingReceiver;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
    fixture.receiver = delayed = delayAnswers();
  });
  afterEach(() => fixture.close());

  const hooks = ['a', 'b', 'c'].map((name) => `https://hooks.example.com/${name}`);

  /** Three recipients, of whom the first two are sent to and wait for their answer. */
  async function sendToTwo({ wrapStore }: { wrapStore?: (store: EngineStore) => EngineStore } = {}): Promise<string> {
    const content = { subject: 'Rent', message: 'Hi', recipients: hooks };
    const { id } = await writeReminder(fixture, { workspace, content });
    await fixture.start({ limits: { slots: 2, slotsPerWorkspace: 2 }, wrapStore });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(2);
    return id;
  }

  const pause = (id: string) =>
    fixture.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id, status: 'paused' }));
  const lines = async () =>
    (await fixture.deliveries(workspace)).map(({ recipient, status }) => `${recipient.slice(-1)} ${status}`);

  /** Lets the time of a lease pass on the workers' clock. */
  async function untilEnded(): Promise<void> {
    const isEnded = async () => {
      const [job] = await fixture.jobs(workspace);
      const rows = await fixture.deliveries(workspace);
      const isOpen = rows.some(({ status }) => ['queued', 'sending', 'waiting'].includes(status));
      return !isOpen && job !== undefined && !['pending', 'running'].includes(job.status);
    };
    for (let quarter = 0; quarter < 24 && !(await isEnded()); quarter += 1) {
      fixture.clock.advance({ seconds: 15 });
      await fixture.clock.untilAsleep(engineSleepers);
    }
  }

  /** Fails the first time: before it took effect, or, when `meanwhile` is given, with its answer lost. */
  function failingOnce<Args extends unknown[], T>(
    call: (...args: Args) => Promise<T>,
    meanwhile?: (...args: Args) => Promise<unknown>,
  ) {
    let hasFailed = false;
    return async (...args: Args): Promise<T> => {
      if (hasFailed) return call(...args);
      hasFailed = true;
      if (meanwhile !== undefined) {
        await call(...args);
        await meanwhile(...args);
      }
      throw new Error('the connection was lost');
    };
  }

  it('a recipient whose begin was never confirmed is unknown once its job is cancelled, and not under way for ever', async () => {
    await sendToTwo({
      wrapStore: (store) => ({
        ...store,
        beginAttempts: failingOnce(store.beginAttempts, ({ id }) =>
          fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id, action: 'cancel' })),
        ),
      }),
    });
    delayed.release();
    await untilEnded();
    expect(await lines()).toEqual(['a accepted', 'b accepted', 'c unknown']);
  });

  it('a recipient who was suppressed before its begin was confirmed is not sent to', async () => {
    const recipient = 'https://hooks.example.com/c';
    await sendToTwo({
      wrapStore: (store) => ({
        ...store,
        beginAttempts: failingOnce(store.beginAttempts, () =>
          suppress(fixture, { workspace, channel: 'webhook', recipient }),
        ),
      }),
    });
    delayed.release();
    await untilEnded();
    expect(fixture.requests.map(({ url }) => url)).not.toContain(recipient);
    expect(await lines()).toEqual(['a accepted', 'b accepted', 'c unknown']);
  });

  it('a stopped job ends as requested, although its state could not be read', async () => {
    const id = await sendToTwo({ wrapStore: (store) => ({ ...store, jobState: failingOnce(store.jobState) }) });
    await pause(id);
    delayed.release();
    await untilEnded();
    expect(await lines()).toEqual(['a accepted', 'b accepted', 'c skipped']);
  });

  it('deliveries that wait for a full destination are not forgotten with their claim', async () => {
    const content = { subject: 'Rent', message: 'Hi', recipients: hooks.slice(0, 2) };
    const { id } = await writeReminder(fixture, { workspace, content });
    await fixture.start({
      limits: { perDestination: 1 },
      wrapStore: (store) => ({ ...store, jobState: failingOnce(store.jobState) }),
    });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(1);
    await pause(id);
    fixture.clock.advance({ seconds: 1 });
    delayed.release();
    await fixture.until(lines, (now) => now.includes('a accepted'));
    await untilEnded();
    expect(await lines()).toEqual(['a accepted', 'b unknown']);
    expect((await fixture.jobs(workspace))[0]?.status).toBe('failed');
  });

  it('a confirmed delivery does not wait for one that could not be confirmed', async () => {
    const content = { subject: 'Rent', message: 'Hi', recipients: hooks.slice(0, 2) };
    await writeReminder(fixture, { workspace, content });
    const daily = { type: 'scheduled', scheduleType: 'daily', timezone: 'UTC', startDate: '2026-03-02T09:00:01' };
    await writeReminder(fixture, { workspace, content, schedule_config: daily });
    const asked: string[] = [];
    await fixture.start({
      limits: { perDestination: 1 },
      wrapStore: (store) => ({
        ...store,
        async stillOwned(claimId, waiting) {
          asked.push(claimId);
          if (asked.length === 2) throw new Error('the connection was lost');
          return store.stillOwned(claimId, waiting);
        },
      }),
    });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(1);
    // The actors, and the watch over waiting deliveries.
    await fixture.clock.untilAsleep(engineSleepers + 1);
    fixture.clock.advance({ seconds: 1 });
    await fixture.clock.untilAsleep(engineSleepers + 1);
    delayed.release();
    await delayed.arrived(2);
    expect(new Set(asked).size).toBe(2);
  });

  it('a temporary failure while its job is stopped ends with the job', async () => {
    fixture.receiver = delayed = delayAnswers(() => answerOf(503, 'down'));
    const { promise: skipped, resolve: skip } = Promise.withResolvers<void>();
    const id = await sendToTwo({
      wrapStore: (store) => ({
        ...store,
        skipOpen: (...args) => store.skipOpen(...args).finally(skip),
        // The outcomes arrive after the open rows have been closed.
        record: (batch) => skipped.then(() => store.record(batch)),
      }),
    });
    await pause(id);
    delayed.release();
    const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'cancelled');
    expect(job?.error_message).toBe('The reminder was paused');
    expect(await lines()).toEqual(['a skipped', 'b skipped', 'c skipped']);
  });
});
