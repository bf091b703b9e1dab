import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeliveryEvent, type DeliveryWithTimeline } from '#contract/jobs.ts';
import { markDelivered, markFailed, noteDelay } from '#features/channels/callbacks.db.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { listDeliveries } from '#features/jobs/jobs.service.ts';
import { inTenant } from '#platform/database.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf, holdAnswers } from '#testing/receiver.ts';

describe('the timeline of a delivery', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
  });
  afterEach(() => house.close());

  const jobId = async () => (await house.jobs(workspace))[0]?.id ?? '';

  async function line(role: 'admin' | 'member' = 'admin'): Promise<DeliveryWithTimeline> {
    const id = await jobId();
    const { data } = await house.inWorkspace(workspace, (ctx) => listDeliveries({ ...ctx, role }, { id, limit: 50 }));
    const [delivery] = data;
    if (delivery === undefined) throw new Error('the job has no delivery');
    for (const event of delivery.timeline) DeliveryEvent.parse(event);
    return delivery;
  }

  /** What the events say, without the channel that they went over. */
  const told = ({ timeline }: DeliveryWithTimeline) => timeline.map((event) => ({ ...event, channel_id: undefined }));

  const ended = (status: string) =>
    house.jobsWhere(workspace, (jobs) => jobs.some((job) => job.status === status && job.attempts > 0));

  const waitsAfter = (attempts: number) =>
    house.jobsWhere(workspace, (jobs) => jobs.some((job) => job.attempts === attempts && job.status === 'pending'));

  async function open(): Promise<void> {
    await writeReminder(house, { workspace });
    await house.start();
    house.clock.advance({ hours: 1 });
  }

  it('of one attempt says when it began and was answered, by whom and in which words', async () => {
    const held = holdAnswers();
    house.receiver = held;
    await open();
    await held.arrived(1);
    expect(told(await line())).toMatchObject([{ kind: 'attempt', status: 'sending', answered_at: null }]);
    house.clock.advance({ seconds: 2 });
    held.release();
    await ended('completed');
    expect(told(await line())).toEqual([
      {
        kind: 'attempt',
        number: 1,
        status: 'accepted',
        began_at: '2026-03-02T09:00:00.000Z',
        answered_at: '2026-03-02T09:00:02.000Z',
        reason: null,
        provider: 'http',
        provider_answer: expect.stringMatching(/^HTTP 200/),
        next_attempt_at: null,
      },
    ]);
  });

  it('of several attempts keeps the answer of each, and when the next one was to come', async () => {
    house.receiver = () =>
      house.requests.length < 3 ? answerOf(503, `busy ${house.requests.length}`) : answerOf(200, 'thanks');
    await open();
    await waitsAfter(1);
    house.clock.advance({ seconds: 5 });
    await waitsAfter(2);
    house.clock.advance({ minutes: 5 });
    await ended('completed');
    const { timeline } = await line();
    expect(timeline).toMatchObject([
      { kind: 'attempt', number: 1, status: 'waiting', reason: 'HTTP 503', provider_answer: 'HTTP 503: busy 1' },
      { kind: 'attempt', number: 2, status: 'waiting', reason: 'HTTP 503', provider_answer: 'HTTP 503: busy 2' },
      { kind: 'attempt', number: 3, status: 'accepted', reason: null, provider_answer: 'HTTP 200: thanks' },
    ]);
    const [first, second] = timeline;
    expect(first).toMatchObject({ next_attempt_at: second?.kind === 'attempt' ? second.began_at : '' });
  });

  it('shows a member what a webhook answered by its status alone, at every attempt', async () => {
    house.receiver = () => (house.requests.length < 2 ? answerOf(503, 'of the house') : answerOf(200, 'of the house'));
    await open();
    await waitsAfter(1);
    house.clock.advance({ seconds: 5 });
    await ended('completed');
    expect(JSON.stringify((await line('admin')).timeline)).toContain('of the house');
    expect(JSON.stringify((await line('member')).timeline)).not.toContain('of the house');
    expect((await line('member')).timeline).toMatchObject([
      { provider_answer: 'HTTP 503' },
      { provider_answer: 'HTTP 200' },
    ]);
  });

  it('goes on after a person has it tried again, and counts anew', async () => {
    house.receiver = () => (house.requests.length < 2 ? answerOf(410, 'gone') : answerOf(200, 'thanks'));
    await open();
    await ended('failed');
    house.clock.advance({ minutes: 5 });
    await house.inWorkspace(workspace, async (ctx) => actOnJob(ctx, { id: await jobId(), action: 'retry' }));
    await ended('completed');
    expect(told(await line())).toMatchObject([
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

  it('ends with the reason why nothing more was attempted', async () => {
    house.receiver = () => answerOf(503, 'busy');
    await open();
    await waitsAfter(1);
    await house.inWorkspace(workspace, async (ctx) => actOnJob(ctx, { id: await jobId(), action: 'cancel' }));
    expect(told(await line())).toMatchObject([
      { kind: 'attempt', number: 1, status: 'waiting', provider_answer: 'HTTP 503: busy' },
      { kind: 'ended', status: 'skipped', words: 'Cancelled by a member of the workspace' },
    ]);
  });

  it('shows the attempt of a worker that was lost, of which nobody knows what became', async () => {
    const held = holdAnswers();
    house.receiver = held;
    await writeReminder(house, { workspace });
    const lost = await house.start();
    house.clock.advance({ hours: 1 });
    await held.arrived(1);
    lost.kill();
    house.receiver = () => answerOf(200, 'second');
    await house.start({ isAlone: true });
    await waitsAfter(1);
    house.clock.advance({ seconds: 5 });
    await ended('completed');
    const { timeline } = await line();
    expect(timeline.map((event) => (event.kind === 'attempt' ? [event.number, event.status] : event.kind))).toEqual([
      [1, 'waiting'],
      [2, 'accepted'],
    ]);
    expect(timeline[0]).toMatchObject({ provider: null, reason: expect.stringContaining('may have been handed over') });
  });

  describe('of a message that its provider reports on', () => {
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
      inTenant(house.database.app, { workspaceId: workspace.workspaceId, userId: workspace.userId }, work);

    beforeEach(async () => {
      house.receiver = () => answerOf(200, 'queued');
      await open();
      await ended('completed');
    });

    it('tells the acceptance and then the delivery, each with its time', async () => {
      const row = await line();
      await inDatabase((db) => markDelivered(db, named(row)));
      expect(told(await line())).toMatchObject([
        {
          kind: 'attempt',
          status: 'accepted',
          provider_answer: 'HTTP 200: queued',
          answered_at: '2026-03-02T09:00:00.000Z',
        },
        { kind: 'report', status: 'delivered', at, words: null },
      ]);
    });

    it('tells a delay in its words, and the bounce after it', async () => {
      const row = await line();
      await inDatabase((db) => noteDelay(db, { ...named(row), words: 'the mailbox is full' }));
      await inDatabase((db) =>
        markFailed(db, { ...named(row, '2026-03-03T09:00:00.000Z'), reason: 'No such mailbox' }),
      );
      expect(told(await line())).toMatchObject([
        { kind: 'attempt', status: 'accepted', provider_answer: 'HTTP 200: queued' },
        { kind: 'report', status: 'accepted', at, words: 'the mailbox is full' },
        { kind: 'report', status: 'failed', at: '2026-03-03T09:00:00.000Z', words: 'No such mailbox' },
      ]);
    });
  });

  it('costs a message that went out at its first attempt nothing: there is no history beside its row', async () => {
    await open();
    await ended('completed');
    await house.inWorkspace(workspace, async ({ db }) => {
      const { rows } = await sql`select past, answered_at from deliveries`.execute(db);
      expect(rows).toEqual([{ past: null, answered_at: null }]);
    });
  });

  it('keeps the beginning of what is retried without end', async () => {
    house.receiver = () => answerOf(410, 'gone');
    await open();
    await ended('failed');
    await house.inWorkspace(workspace, async ({ db }) => {
      const many = JSON.stringify(
        Array.from({ length: 60 }, () => ({ attempt: 1, status: 'failed', began: '2026-03-01T09:00:00Z' })),
      );
      await sql`update deliveries set past = ${many}::jsonb`.execute(db);
      await sql`update deliveries d set past = past_of(d)`.execute(db);
      const { rows } = await sql<{ length: number }>`select jsonb_array_length(past) as length from deliveries`.execute(
        db,
      );
      expect(rows).toEqual([{ length: 60 }]);
    });
  });
});
