import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Delivery } from '#contract/deliveries.ts';
import type { Job } from '#contract/jobs.ts';
import {
  engineSleepers,
  type EngineFixture,
  openEngineFixture,
  type TestWorkspace,
  writeReminder,
} from '#testing/engine.ts';
import { forgetValues } from '#testing/engine-rows.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

describe('a destination', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  const hooks = (count: number, host = 'hooks') =>
    Array.from({ length: count }, (_, n) => `https://${host}.example.com/${n}`);
  const write = (recipients: readonly string[], more: object = {}) =>
    writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients }, ...more });
  const callsTo = (host: string) => fixture.requests.filter((request) => request.url.includes(host)).length;

  /** Resolves with the first job once it is postponed. */
  const postponed = async (): Promise<Job> => {
    const [job] = await fixture.jobsWhere(
      workspace,
      ([one]) =>
        one?.status === 'pending' &&
        one.attempts > 0 &&
        Temporal.Instant.compare(Temporal.Instant.from(one.run_at), fixture.clock.now()) > 0,
    );
    if (job === undefined) throw new Error('there is a job');
    return job;
  };
  const fallBackTo = ({ run_at }: Job) => fixture.clock.advance(fixture.clock.now().until(run_at));

  async function passTimeUntilEnded(): Promise<Job> {
    for (;;) {
      const { attempts } = await postponed();
      fixture.clock.advance(fixture.clock.now().until((await postponed()).run_at));
      const [job] = await fixture.jobsWhere(
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

  it('has a limited number of attempts in flight, and does not delay other destinations of the same job', async () => {
    const delayed = delayAnswers();
    fixture.receiver = (request) => (request.url.includes('slow') ? delayed(request) : answerOf(200));
    await write([...hooks(9, 'slow'), ...hooks(9, 'quick')]);
    await fixture.start({ limits: { perDestination: 4 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(4);
    await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.filter((row) => row.status === 'accepted').length === 9,
    );
    expect([callsTo('slow'), callsTo('quick')]).toEqual([4, 9]);
    delayed.release();
    await fixture.jobsWhere(workspace, ([job]) => job?.status === 'completed');
    expect(callsTo('slow')).toBe(9);
  });

  it('that hangs at one URL answers at its others', async () => {
    const delayed = delayAnswers();
    fixture.receiver = (request) => (request.url.includes('hangs') ? delayed(request) : answerOf(200));
    for (let n = 0; n < 12; n += 1) await write(['https://hooks.example.com/hangs']);
    await write(['https://hooks.example.com/answers']);
    await fixture.start({ limits: { perDestination: 10 } });
    fixture.clock.advance({ hours: 1 });
    await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.some((row) => row.status === 'accepted'),
    );
    expect(callsTo('/hangs')).toBe(8);
    delayed.release();
    await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.filter((row) => row.status === 'accepted').length === 13,
    );
  });

  it('that hangs keeps nothing waiting for long', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    await write(hooks(6));
    await fixture.start({ limits: { perDestination: 2, stalledMs: 2_000 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(2);
    // The watch over waiting deliveries sleeps as well.
    await fixture.clock.untilAsleep(engineSleepers + 1);
    fixture.clock.advance({ milliseconds: 2_001 });
    const rows = await fixture.until(
      () => fixture.deliveries(workspace),
      (all) => all.length === 4,
    );
    expect(tally(rows)).toEqual({ 'waiting after 0: The destination is busy with earlier messages': 4 });
    expect(rows[0]).toMatchObject({ reason_code: 'destination_busy', first_attempt_at: null, last_attempt_at: null });
    delayed.release();
    await postponed();
    expect((await passTimeUntilEnded()).status).toBe('completed');
    expect((await fixture.deliveries(workspace)).map((row) => [row.status, row.attempts])).toEqual(
      hooks(6).map(() => ['accepted', 1]),
    );
    expect(fixture.requests).toHaveLength(6);
  });

  it('that keeps failing is left alone, probed by one attempt, and served when it answers', async () => {
    let isDown = true;
    fixture.receiver = () => answerOf(isDown ? 503 : 200);
    await write(hooks(30));
    await fixture.start({ limits: { perDestination: 5, failuresToOpen: 5 } });
    fixture.clock.advance({ hours: 1 });
    const opened = await postponed();
    const notTried = 'Not tried: the last 5 attempts to reach the destination failed (HTTP 503)';
    // Five failed in a row; four more had begun by then.
    expect(tally(await fixture.deliveries(workspace))).toEqual({
      'waiting after 1: HTTP 503': 9,
      [`waiting after 0: ${notTried}`]: 21,
    });

    // Their retry comes due, and uses up none of their attempts.
    fallBackTo(opened);
    const resting = await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.every((row) => row.reason_code === 'circuit_open'),
    );
    expect(tally(resting)).toEqual({
      'waiting after 1: Not tried: the last 9 attempts to reach the destination failed (HTTP 503)': 9,
      [`waiting after 0: ${notTried}`]: 21,
    });
    expect(fixture.requests).toHaveLength(9);

    fallBackTo(await postponed());
    await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.some((row) => row.attempts === 2),
    );
    await postponed();
    expect(fixture.requests).toHaveLength(10);

    isDown = false;
    expect((await passTimeUntilEnded()).status).toBe('completed');
    expect(tally(await fixture.deliveries(workspace))).toEqual({
      'accepted after 1: null': 21,
      'accepted after 2: null': 8,
      'accepted after 3: null': 1,
    });
    expect(fixture.requests).toHaveLength(9 + 1 + 30);
  });

  it('is not counted as answering because a message could not be rendered', async () => {
    fixture.receiver = () => answerOf(503);
    await write(hooks(4));
    await write(['https://hooks.example.com/unwritten'], {
      name: 'Unwritten',
      content: {
        subject: 'Rent',
        message: 'You owe {{amount}}',
        values: { amount: '1' },
        recipients: ['https://hooks.example.com/x'],
      },
      schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: '2026-03-02T09:00:31', timezone: 'UTC' },
    });
    await forgetValues(fixture, workspace);
    await fixture.start({ limits: { perDestination: 4, failuresToOpen: 4 } });
    fixture.clock.advance({ hours: 1 });
    fallBackTo(await postponed());
    await postponed();
    fixture.clock.advance(fixture.clock.now().until('2026-03-02T09:00:31Z'));
    await fixture.jobsWhere(workspace, (jobs) =>
      jobs.some((job) => job.name === 'Unwritten' && job.status === 'failed'),
    );
    // The rest is over. If the message that could not be rendered had closed the breaker, all four would be tried now.
    fixture.clock.advance({ seconds: 4 });
    await fixture.jobsWhere(workspace, ([job]) => job?.attempts === 3 && job.status === 'pending');
    expect(fixture.requests).toHaveLength(5);
  });

  it('that stays away until the occurrence expires is recorded as not reached', async () => {
    fixture.receiver = () => answerOf(503);
    await write(hooks(8), {
      schedule_config: {
        type: 'scheduled',
        scheduleType: 'custom',
        customCron: '* * * * *',
        startDate: '2026-03-02T09:00:00',
        timezone: 'UTC',
      },
    });
    await fixture.start({ limits: { perDestination: 2, failuresToOpen: 2 } });
    fixture.clock.advance({ hours: 1, seconds: 40 });
    const job = await passTimeUntilEnded();
    expect(job.status).toBe('failed');
    expect(job.error_message).toMatch(/^8 of 8 failed: /);
    const rows = await fixture.deliveries(workspace);
    expect(new Set(rows.map((row) => row.reason_code))).toEqual(new Set(['expired']));
    const reasons = new Set(rows.map((row) => `${row.attempts} ${row.reason}`));
    expect(reasons).toEqual(
      new Set([
        '0 Not tried: the last 2 attempts to reach the destination failed (HTTP 503) (expired before it could be tried)',
        '1 Not tried: the last 3 attempts to reach the destination failed (HTTP 503) (expired before it could be tried)',
      ]),
    );
  });

  it('adds no run while it is left alone, though another recipient has failed before', async () => {
    fixture.receiver = ({ url }) => answerOf(url.includes('gone') ? 410 : 503);
    await write([...hooks(1, 'gone'), ...hooks(1, 'away')]);
    await fixture.start({ limits: { failuresToOpen: 1 } });
    fixture.clock.advance({ hours: 1 });
    const seen: { requests: number; runs: number }[] = [];
    for (let run = 1; run <= 4; run += 1) {
      const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.attempts === run && one.status === 'pending');
      seen.push({ requests: fixture.requests.length, runs: (await fixture.executions(workspace)).length });
      if (job !== undefined) fallBackTo(job);
    }
    // Every run that is kept has made an attempt, the first one two.
    expect(seen.map(({ requests }) => requests - 1)).toEqual(seen.map(({ runs }) => runs));
    expect(new Set(seen.map(({ runs }) => runs)).size).toBeLessThan(4);
  });

  it('of one workspace says nothing about the same one of another', async () => {
    const other = await fixture.createWorkspace('Other');
    await write(hooks(4));
    await writeReminder(fixture, {
      workspace: other,
      content: { subject: 'Rent', message: 'Hi', recipients: hooks(1) },
      schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: '2026-03-02T09:00:01', timezone: 'UTC' },
    });
    fixture.receiver = () => answerOf(503);
    await fixture.start({ limits: { perDestination: 4, failuresToOpen: 4 } });
    fixture.clock.advance({ hours: 1 });
    await postponed();
    fixture.receiver = () => answerOf(200);
    fixture.clock.advance({ seconds: 1 });
    await fixture.jobsWhere(other, ([job]) => job?.status === 'completed');
    expect(fixture.requests).toHaveLength(5);
  });
});
