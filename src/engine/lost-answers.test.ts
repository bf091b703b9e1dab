import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineStore } from '#engine/store.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { setReminderStatus } from '#features/reminders/reminders.service.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { suppress } from '#testing/engine-rows.ts';
import { answerOf, type HeldReceiver, holdAnswers } from '#testing/receiver.ts';

describe('when the database is away for a moment', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  let held: HeldReceiver;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
    house.receiver = held = holdAnswers();
  });
  afterEach(() => house.close());

  const hooks = ['a', 'b', 'c'].map((name) => `https://hooks.example.com/${name}`);

  /** Three recipients, of whom the first two are sent to and wait for their answer. */
  async function sendToTwo({ wrapStore }: { wrapStore?: (store: EngineStore) => EngineStore } = {}): Promise<string> {
    const content = { subject: 'Rent', message: 'Hi', recipients: hooks };
    const { id } = await writeReminder(house, { workspace, content });
    await house.start({ limits: { slots: 2, slotsPerWorkspace: 2 }, wrapStore });
    house.clock.advance({ hours: 1 });
    await held.arrived(2);
    return id;
  }

  const pause = (id: string) => house.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id, status: 'paused' }));
  const lines = async () =>
    (await house.deliveries(workspace)).map(({ recipient, status }) => `${recipient.slice(-1)} ${status}`);

  /** Lets the time of a lease pass, as workers see it. */
  async function untilEnded(): Promise<void> {
    const isEnded = async () => {
      const [job] = await house.jobs(workspace);
      const rows = await house.deliveries(workspace);
      const isOpen = rows.some(({ status }) => ['queued', 'sending', 'waiting'].includes(status));
      return !isOpen && job !== undefined && !['pending', 'running'].includes(job.status);
    };
    for (let quarter = 0; quarter < 24 && !(await isEnded()); quarter += 1) {
      house.clock.advance({ seconds: 15 });
      await house.clock.untilAsleep(4);
    }
  }

  /** Fails the first time: before it took effect, or, where something happens meanwhile, with its answer lost. */
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

  it('a recipient whose turn was never heard of is unknown once its job is cancelled, and not under way for ever', async () => {
    await sendToTwo({
      wrapStore: (store) => ({
        ...store,
        beginAttempts: failingOnce(store.beginAttempts, ({ id }) =>
          house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id, action: 'cancel' })),
        ),
      }),
    });
    held.release();
    await untilEnded();
    expect(await lines()).toEqual(['a accepted', 'b accepted', 'c unknown']);
  });

  it('a recipient who was suppressed before its turn was heard of is not written to', async () => {
    const recipient = 'https://hooks.example.com/c';
    await sendToTwo({
      wrapStore: (store) => ({
        ...store,
        beginAttempts: failingOnce(store.beginAttempts, () =>
          suppress(house, { workspace, channel: 'webhook', recipient }),
        ),
      }),
    });
    held.release();
    await untilEnded();
    expect(house.requests.map(({ url }) => url)).not.toContain(recipient);
    expect(await lines()).toEqual(['a accepted', 'b accepted', 'c unknown']);
  });

  it('a job that was told to stop ends as told, although nobody could ask why it gives nothing to begin', async () => {
    const id = await sendToTwo({ wrapStore: (store) => ({ ...store, standOf: failingOnce(store.standOf) }) });
    await pause(id);
    held.release();
    await untilEnded();
    expect(await lines()).toEqual(['a accepted', 'b accepted', 'c skipped']);
  });

  it('what stands in line for a full destination is not forgotten with its claim', async () => {
    const content = { subject: 'Rent', message: 'Hi', recipients: hooks.slice(0, 2) };
    const { id } = await writeReminder(house, { workspace, content });
    await house.start({
      limits: { perDestination: 1 },
      wrapStore: (store) => ({ ...store, standOf: failingOnce(store.standOf) }),
    });
    house.clock.advance({ hours: 1 });
    await held.arrived(1);
    await pause(id);
    house.clock.advance({ seconds: 1 });
    held.release();
    await house.until(lines, (now) => now.includes('a accepted'));
    await untilEnded();
    expect(await lines()).toEqual(['a accepted', 'b unknown']);
    expect((await house.jobs(workspace))[0]?.status).toBe('failed');
  });

  it('what was asked about does not wait for what could not be', async () => {
    const content = { subject: 'Rent', message: 'Hi', recipients: hooks.slice(0, 2) };
    await writeReminder(house, { workspace, content });
    const daily = { type: 'scheduled', scheduleType: 'daily', timezone: 'UTC', startDate: '2026-03-02T09:00:01' };
    await writeReminder(house, { workspace, content, schedule_config: daily });
    const asked: string[] = [];
    await house.start({
      limits: { perDestination: 1 },
      wrapStore: (store) => ({
        ...store,
        async stillHeld(claimId, waiting) {
          asked.push(claimId);
          if (asked.length === 2) throw new Error('the connection was lost');
          return store.stillHeld(claimId, waiting);
        },
      }),
    });
    house.clock.advance({ hours: 1 });
    await held.arrived(1);
    // The actors, and who watches the line.
    await house.clock.untilAsleep(5);
    house.clock.advance({ seconds: 1 });
    await house.clock.untilAsleep(5);
    held.release();
    await held.arrived(2);
    expect(new Set(asked).size).toBe(2);
  });

  it('what is refused for now while its job is told to stop ends with it', async () => {
    house.receiver = held = holdAnswers(() => answerOf(503, 'down'));
    const { promise: skipped, resolve: skip } = Promise.withResolvers<void>();
    const id = await sendToTwo({
      wrapStore: (store) => ({
        ...store,
        skipOpen: (...args) => store.skipOpen(...args).finally(skip),
        // The outcomes come after what was open has been closed.
        record: (batch) => skipped.then(() => store.record(batch)),
      }),
    });
    await pause(id);
    held.release();
    const [job] = await house.jobsWhere(workspace, ([one]) => one?.status === 'cancelled');
    expect(job?.error_message).toBe('The reminder was paused');
    expect(await lines()).toEqual(['a skipped', 'b skipped', 'c skipped']);
  });
});
