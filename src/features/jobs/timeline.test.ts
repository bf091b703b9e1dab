import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeliveryEvent, type DeliveryWithTimeline } from '#contract/deliveries.ts';
import { markDelivered, markFailed, noteDelay } from '#features/channels/callbacks.db.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { listDeliveries } from '#features/jobs/deliveries.service.ts';
import { inTenant } from '#platform/database.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

describe('the timeline of a delivery', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  const jobId = async () => (await fixture.jobs(workspace))[0]?.id ?? '';

  async function line(role: 'admin' | 'member' = 'admin'): Promise<DeliveryWithTimeline> {
    const id = await jobId();
    const { data } = await fixture.inWorkspace(workspace, (ctx) => listDeliveries({ ...ctx, role }, { id, limit: 50 }));
    const [delivery] = data;
    if (delivery === undefined) throw new Error('the job has no delivery');
    for (const event of delivery.timeline) DeliveryEvent.parse(event);
    return delivery;
  }

  /** The events without the channel that they used. */
  const timelineOf = ({ timeline }: DeliveryWithTimeline) =>
    timeline.map((event) => ({ ...event, channel_id: undefined }));

  const ended = (status: string) =>
    fixture.jobsWhere(workspace, (jobs) => jobs.some((job) => job.status === status && job.attempts > 0));

  const waitsAfter = (attempts: number) =>
    fixture.jobsWhere(workspace, (jobs) => jobs.some((job) => job.attempts === attempts && job.status === 'pending'));

  async function open(): Promise<void> {
    await writeReminder(fixture, { workspace });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
  }

  it('with a code that only a newer version knows has its words', async () => {
    fixture.receiver = () => answerOf(503);
    await open();
    await waitsAfter(1);
    const known = {
      attempt: 1,
      status: 'waiting',
      began: '2026-03-02T08:00:00Z',
      reason: 'On strike',
      code: 'on_strike',
    };
    await inTenant(fixture.database.app, { ...workspace }, (db) =>
      sql`update deliveries set attempt_history = ${JSON.stringify([known])}::jsonb`.execute(db),
    );
    expect((await line()).timeline[0]).toMatchObject({ kind: 'attempt', reason: 'On strike', reason_code: null });
  });

  it('of one attempt contains its start, its end, the provider and the answer', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    await open();
    await delayed.arrived(1);
    expect(timelineOf(await line())).toMatchObject([{ kind: 'attempt', status: 'sending', answered_at: null }]);
    fixture.clock.advance({ seconds: 2 });
    delayed.release();
    await ended('completed');
    expect(timelineOf(await line())).toEqual([
      {
        kind: 'attempt',
        number: 1,
        status: 'accepted',
        began_at: '2026-03-02T09:00:00.000Z',
        answered_at: '2026-03-02T09:00:02.000Z',
        reason: null,
        reason_code: null,
        reason_params: null,
        provider: 'http',
        provider_answer: expect.stringMatching(/^HTTP 200/),
        next_attempt_at: null,
      },
    ]);
  });

  it('of several attempts contains the answer of each and the time of the next', async () => {
    fixture.receiver = () =>
      fixture.requests.length < 3 ? answerOf(503, `busy ${fixture.requests.length}`) : answerOf(200, 'thanks');
    await open();
    await waitsAfter(1);
    fixture.clock.advance({ seconds: 5 });
    await waitsAfter(2);
    fixture.clock.advance({ minutes: 5 });
    await ended('completed');
    const { timeline } = await line();
    expect(timeline).toMatchObject([
      {
        kind: 'attempt',
        number: 1,
        status: 'waiting',
        reason_code: 'receiver_error',
        provider_answer: 'HTTP 503: busy 1',
      },
      { kind: 'attempt', number: 2, status: 'waiting', reason: 'HTTP 503', provider_answer: 'HTTP 503: busy 2' },
      { kind: 'attempt', number: 3, status: 'accepted', reason: null, provider_answer: 'HTTP 200: thanks' },
    ]);
    const [first, second] = timeline;
    expect(first).toMatchObject({ next_attempt_at: second?.kind === 'attempt' ? second.began_at : '' });
  });

  it('shows members only the status of a webhook’s answer, at every attempt', async () => {
    fixture.receiver = () =>
      fixture.requests.length < 2 ? answerOf(503, 'of the house') : answerOf(200, 'of the house');
    await open();
    await waitsAfter(1);
    fixture.clock.advance({ seconds: 5 });
    await ended('completed');
    expect(JSON.stringify((await line('admin')).timeline)).toContain('of the house');
    expect(JSON.stringify((await line('member')).timeline)).not.toContain('of the house');
    expect((await line('member')).timeline).toMatchObject([
      { provider_answer: 'HTTP 503' },
      { provider_answer: 'HTTP 200' },
    ]);
  });

  it('has the answer to the attempt before a retry there alone: what waits, or was cancelled then, has none', async () => {
    fixture.receiver = () => answerOf(410, 'gone');
    await open();
    await ended('failed');
    fixture.clock.advance({ minutes: 5 });
    const id = await jobId();
    const [waits, cancelled] = await fixture.inWorkspace(workspace, async (ctx) => {
      const now = { ...ctx, role: 'admin' as const };
      await actOnJob(ctx, { id, action: 'retry' });
      const afterRetry = (await listDeliveries(now, { id, limit: 50 })).data[0];
      await actOnJob(ctx, { id, action: 'cancel' });
      return [afterRetry, (await listDeliveries(now, { id, limit: 50 })).data[0]];
    });
    const before = [
      { kind: 'attempt', number: 1, status: 'failed', provider_answer: 'HTTP 410: gone' },
      { kind: 'retried', at: '2026-03-02T09:05:00.000Z' },
    ];
    expect(waits).toMatchObject({ status: 'queued', attempts: 0, provider_answer: null, timeline: before });
    expect(cancelled).toMatchObject({
      reason_code: 'cancelled',
      provider_answer: null,
      timeline: [...before, { kind: 'ended', at: '2026-03-02T09:05:00.000Z', reason_code: 'cancelled' }],
    });
  });

  it('continues after a manual retry, with attempts counted from one', async () => {
    fixture.receiver = () => (fixture.requests.length < 2 ? answerOf(410, 'gone') : answerOf(200, 'thanks'));
    await open();
    await ended('failed');
    fixture.clock.advance({ minutes: 5 });
    await fixture.inWorkspace(workspace, async (ctx) => actOnJob(ctx, { id: await jobId(), action: 'retry' }));
    await ended('completed');
    expect(timelineOf(await line())).toMatchObject([
      {
        kind: 'attempt',
        number: 1,
        status: 'failed',
        provider_answer: 'HTTP 410: gone',
        answered_at: '2026-03-02T09:00:00.000Z',
      },
      { kind: 'retried', at: '2026-03-02T09:05:00.000Z' },
      { kind: 'attempt', number: 1, status: 'accepted', began_at: '2026-03-02T09:05:00.000Z' },
    ]);
  });

  it('ends with the reason why there was no further attempt', async () => {
    fixture.receiver = () => answerOf(503, 'busy');
    await open();
    await waitsAfter(1);
    await fixture.inWorkspace(workspace, async (ctx) => actOnJob(ctx, { id: await jobId(), action: 'cancel' }));
    expect(timelineOf(await line())).toMatchObject([
      { kind: 'attempt', number: 1, status: 'waiting', provider_answer: 'HTTP 503: busy' },
      { kind: 'ended', status: 'skipped', words: 'Cancelled by a member of the workspace' },
    ]);
  });

  it('shows the attempt of a lost worker as unknown', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    await writeReminder(fixture, { workspace });
    const lost = await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(1);
    lost.kill();
    fixture.receiver = () => answerOf(200, 'second');
    await fixture.start({ isAlone: true });
    await waitsAfter(1);
    fixture.clock.advance({ seconds: 5 });
    await ended('completed');
    const { timeline } = await line();
    expect(timeline.map((event) => (event.kind === 'attempt' ? [event.number, event.status] : event.kind))).toEqual([
      [1, 'waiting'],
      [2, 'accepted'],
    ]);
    expect(timeline[0]).toMatchObject({
      provider: null,
      reason: expect.stringContaining('may have been sent'),
      reason_code: 'worker_lost',
    });
  });

  describe('of a message with delivery reports', () => {
    const at = '2026-03-02T09:30:00.000Z';
    const named = (row: DeliveryWithTimeline, now = at) => ({
      workspaceId: workspace.workspaceId,
      channel: row.channel,
      id: 'r-1',
      deliveryId: row.id,
      jobId: row.job_id,
      now,
    });
    const inDatabase = <T>(work: Parameters<typeof inTenant<T>>[2]) =>
      inTenant(fixture.database.app, { workspaceId: workspace.workspaceId, userId: workspace.userId }, work);

    beforeEach(async () => {
      fixture.receiver = () => answerOf(200, 'queued');
      await open();
      await ended('completed');
    });

    it('shows the acceptance and then the delivery, each with its time', async () => {
      const row = await line();
      await inDatabase((db) => markDelivered(db, named(row)));
      expect(timelineOf(await line())).toMatchObject([
        {
          kind: 'attempt',
          status: 'accepted',
          provider_answer: 'HTTP 200: queued',
          answered_at: '2026-03-02T09:00:00.000Z',
        },
        { kind: 'report', status: 'delivered', at, words: null },
      ]);
    });

    it('shows a delay in the provider’s words, and the bounce after it', async () => {
      const row = await line();
      await inDatabase((db) => noteDelay(db, { ...named(row), words: 'the mailbox is full' }));
      await inDatabase((db) =>
        markFailed(db, {
          ...named(row, '2026-03-03T09:00:00.000Z'),
          code: 'no_such_address',
          reason: 'No such mailbox',
        }),
      );
      expect(timelineOf(await line())).toMatchObject([
        { kind: 'attempt', status: 'accepted', provider_answer: 'HTTP 200: queued' },
        { kind: 'report', status: 'accepted', at, words: 'the mailbox is full' },
        {
          kind: 'report',
          status: 'failed',
          at: '2026-03-03T09:00:00.000Z',
          words: 'No such mailbox',
          reason_code: 'no_such_address',
        },
      ]);
    });
  });

  it('stores no history for a message that was sent at its first attempt', async () => {
    await open();
    await ended('completed');
    await fixture.inWorkspace(workspace, async ({ db }) => {
      const { rows } = await sql`select attempt_history, answered_at from deliveries`.execute(db);
      expect(rows).toEqual([{ attempt_history: null, answered_at: null }]);
    });
  });

  it('keeps the oldest 60 states', async () => {
    fixture.receiver = () => answerOf(410, 'gone');
    await open();
    await ended('failed');
    await fixture.inWorkspace(workspace, async ({ db }) => {
      const many = JSON.stringify(
        Array.from({ length: 60 }, () => ({ attempt: 1, status: 'failed', began: '2026-03-01T09:00:00Z' })),
      );
      await sql`update deliveries set attempt_history = ${many}::jsonb`.execute(db);
      await sql`update deliveries d set attempt_history = attempt_history_of(d)`.execute(db);
      const { rows } = await sql<{
        length: number;
      }>`select jsonb_array_length(attempt_history) as length from deliveries`.execute(db);
      expect(rows).toEqual([{ length: 60 }]);
    });
  });
});
