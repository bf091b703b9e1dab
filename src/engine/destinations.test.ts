import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Delivery, Job } from '#contract/jobs.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf, holdAnswers } from '#testing/receiver.ts';

describe('a destination', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
  });
  afterEach(() => house.close());

  const hooks = (count: number, host = 'hooks') =>
    Array.from({ length: count }, (_, n) => `https://${host}.example.com/${n}`);
  const write = (recipients: readonly string[], more: object = {}) =>
    writeReminder(house, { workspace, content: { subject: 'Rent', message: 'Hi', recipients }, ...more });
  const callsTo = (host: string) => house.requests.filter((request) => request.url.includes(host)).length;

  /** Resolves with the first job once it waits for a time to come. */
  const postponed = async (): Promise<Job> => {
    const [job] = await house.jobsWhere(
      workspace,
      ([one]) =>
        one?.status === 'pending' &&
        one.attempts > 0 &&
        Temporal.Instant.compare(Temporal.Instant.from(one.run_at), house.clock.now()) > 0,
    );
    if (job === undefined) throw new Error('there is a job');
    return job;
  };
  const goOnTo = ({ run_at }: Job) => house.clock.advance(house.clock.now().until(run_at));

  async function passTimeUntilEnded(): Promise<Job> {
    for (;;) {
      const { attempts } = await postponed();
      house.clock.advance(house.clock.now().until((await postponed()).run_at));
      const [job] = await house.jobsWhere(
        workspace,
        ([one]) => (one?.attempts ?? 0) > attempts && one?.status !== 'running',
      );
      if (job !== undefined && job.status !== 'pending') return job;
    }
  }

  const tally = (rows: Delivery[]) =>
    Object.fromEntries(
      Object.entries(Object.groupBy(rows, (row) => `${row.status} after ${row.attempts}: ${row.reason}`)).map(
        ([key, members]) => [key, members?.length],
      ),
    );

  it('has no more attempts in flight than it may, and holds up no other of the same job', async () => {
    const held = holdAnswers();
    house.receiver = (request) => (request.url.includes('slow') ? held(request) : answerOf(200));
    await write([...hooks(9, 'slow'), ...hooks(9, 'quick')]);
    await house.start({ limits: { perDestination: 4 } });
    house.clock.advance({ hours: 1 });
    await held.arrived(4);
    await house.until(
      () => house.deliveries(workspace),
      (rows) => rows.filter((row) => row.status === 'accepted').length === 9,
    );
    expect([callsTo('slow'), callsTo('quick')]).toEqual([4, 9]);
    held.release();
    await house.jobsWhere(workspace, ([job]) => job?.status === 'completed');
    expect(callsTo('slow')).toBe(9);
  });

  it('that hangs has nobody standing before it for longer than a moment', async () => {
    const held = holdAnswers();
    house.receiver = held;
    await write(hooks(6));
    await house.start({ limits: { perDestination: 2, stalledMs: 2_000 } });
    house.clock.advance({ hours: 1 });
    await held.arrived(2);
    // The watch over the line sleeps as well.
    await house.clock.untilAsleep(5);
    house.clock.advance({ milliseconds: 2_001 });
    const rows = await house.until(
      () => house.deliveries(workspace),
      (all) => all.length === 4,
    );
    expect(tally(rows)).toEqual({ 'waiting after 0: The destination is busy with earlier messages': 4 });
    expect(rows[0]).toMatchObject({ first_attempt_at: null, last_attempt_at: null });
    held.release();
    await postponed();
    expect((await passTimeUntilEnded()).status).toBe('completed');
    expect((await house.deliveries(workspace)).map((row) => [row.status, row.attempts])).toEqual(
      hooks(6).map(() => ['accepted', 1]),
    );
    expect(house.requests).toHaveLength(6);
  });

  it('that fails again and again is left alone, felt out by one, and served when it answers', async () => {
    let isDown = true;
    house.receiver = () => answerOf(isDown ? 503 : 200);
    await write(hooks(30));
    await house.start({ limits: { perDestination: 5, failuresToOpen: 5 } });
    house.clock.advance({ hours: 1 });
    const opened = await postponed();
    const notTried = 'Not tried: the last 5 attempts to reach the destination failed (HTTP 503)';
    // Five failed in a row; four more had begun by then.
    expect(tally(await house.deliveries(workspace))).toEqual({
      'waiting after 1: HTTP 503': 9,
      [`waiting after 0: ${notTried}`]: 21,
    });

    // The time of their retry comes, and uses up none of their attempts.
    goOnTo(opened);
    const resting = await house.until(
      () => house.deliveries(workspace),
      (rows) => rows.every((row) => row.reason?.startsWith('Not tried') === true),
    );
    expect(tally(resting)).toEqual({
      'waiting after 1: Not tried: the last 9 attempts to reach the destination failed (HTTP 503)': 9,
      [`waiting after 0: ${notTried}`]: 21,
    });
    expect(house.requests).toHaveLength(9);

    goOnTo(await postponed());
    await house.until(
      () => house.deliveries(workspace),
      (rows) => rows.some((row) => row.attempts === 2),
    );
    await postponed();
    expect(house.requests).toHaveLength(10);

    isDown = false;
    expect((await passTimeUntilEnded()).status).toBe('completed');
    expect(tally(await house.deliveries(workspace))).toEqual({
      'accepted after 1: null': 21,
      'accepted after 2: null': 8,
      'accepted after 3: null': 1,
    });
    expect(house.requests).toHaveLength(9 + 1 + 30);
  });

  it('is not thought to answer because a message could not be written', async () => {
    house.receiver = () => answerOf(503);
    await write(hooks(4));
    await write(['https://hooks.example.com/unwritten'], {
      name: 'Unwritten',
      content: { subject: 'Rent', message: 'You owe {{amount}}', recipients: ['https://hooks.example.com/x'] },
      schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: '2026-03-02T09:00:31', timezone: 'UTC' },
    });
    await house.start({ limits: { perDestination: 4, failuresToOpen: 4 } });
    house.clock.advance({ hours: 1 });
    goOnTo(await postponed());
    await postponed();
    house.clock.advance(house.clock.now().until('2026-03-02T09:00:31Z'));
    await house.jobsWhere(workspace, (jobs) => jobs.some((job) => job.name === 'Unwritten' && job.status === 'failed'));
    // Its rest is over; had the unwritten one closed the breaker, all four would be tried now.
    house.clock.advance({ seconds: 4 });
    await house.jobsWhere(workspace, ([job]) => job?.attempts === 3 && job.status === 'pending');
    expect(house.requests).toHaveLength(5);
  });

  it('that stays away until the occurrence is over is on record as not reached', async () => {
    house.receiver = () => answerOf(503);
    await write(hooks(8), {
      schedule_config: {
        type: 'scheduled',
        scheduleType: 'custom',
        customCron: '* * * * *',
        startDate: '2026-03-02T09:00:00',
        timezone: 'UTC',
      },
    });
    await house.start({ limits: { perDestination: 2, failuresToOpen: 2 } });
    house.clock.advance({ hours: 1, seconds: 40 });
    const job = await passTimeUntilEnded();
    expect(job.status).toBe('failed');
    expect(job.error_message).toMatch(/^8 of 8 failed: /);
    const reasons = new Set((await house.deliveries(workspace)).map((row) => `${row.attempts} ${row.reason}`));
    expect(reasons).toEqual(
      new Set([
        '0 Not tried: the last 2 attempts to reach the destination failed (HTTP 503) (expired before it could be tried)',
        '1 Not tried: the last 3 attempts to reach the destination failed (HTTP 503) (expired before it could be tried)',
      ]),
    );
  });

  it('of one workspace says nothing about the same one of another', async () => {
    const other = await house.createWorkspace('Other');
    await write(hooks(4));
    await writeReminder(house, {
      workspace: other,
      content: { subject: 'Rent', message: 'Hi', recipients: hooks(1) },
      schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: '2026-03-02T09:00:01', timezone: 'UTC' },
    });
    house.receiver = () => answerOf(503);
    await house.start({ limits: { perDestination: 4, failuresToOpen: 4 } });
    house.clock.advance({ hours: 1 });
    await postponed();
    house.receiver = () => answerOf(200);
    house.clock.advance({ seconds: 1 });
    await house.jobsWhere(other, ([job]) => job?.status === 'completed');
    expect(house.requests).toHaveLength(5);
  });
});
