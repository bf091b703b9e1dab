import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listDeliveries } from '#features/jobs/deliveries.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf, type DelayingReceiver, delayAnswers } from '#testing/receiver.ts';

describe('the deliveries of a running job', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let delayed: DelayingReceiver;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
    delayed = delayAnswers();
    // Even recipients are answered at once, odd ones later.
    fixture.receiver = (request) =>
      Number(request.url.slice(-1)) % 2 === 0 ? answerOf(200, 'of the house') : delayed(request);
    await writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    await fixture.start({ limits: { slots: 8, slotsPerWorkspace: 8 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(5);
    await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.filter((row) => row.status === 'accepted').length === 5,
    );
  });
  afterEach(() => fixture.close());

  const recipients = Array.from({ length: 10 }, (_, n) => `https://hooks.example.com/${n}`);

  /** Reads all pages in order. */
  async function walk(limit: number) {
    const [job] = await fixture.jobs(workspace);
    const found: Awaited<ReturnType<typeof listDeliveries>>['data'] = [];
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const from = cursor;
      const page = await fixture.inWorkspace(workspace, (ctx) =>
        listDeliveries(ctx, { id: job?.id ?? '', limit, cursor: from ?? undefined }),
      );
      found.push(...page.data);
      cursor = page.next_cursor;
    }
    return found;
  }

  const statuses = (rows: { recipient: string; status: string }[]) =>
    rows.map((row) => `${row.recipient.slice(-1)} ${row.status}`).toSorted();

  it.each([50, 10, 3, 1])('include first attempts in flight, each on exactly one page (of %i)', async (limit) => {
    expect(statuses(await walk(limit))).toEqual([
      '0 accepted',
      '1 sending',
      '2 accepted',
      '3 sending',
      '4 accepted',
      '5 sending',
      '6 accepted',
      '7 sending',
      '8 accepted',
      '9 sending',
    ]);
  });

  it('show when they started, and keep their position and id when they end', async () => {
    const before = await walk(50);
    const [job] = await fixture.jobs(workspace);
    expect(before.filter((row) => row.recipient === recipients[1])).toMatchObject([
      {
        job_id: job?.id,
        status: 'sending',
        attempts: 1,
        channel: 'webhook',
        scheduled_for: '2026-03-02T09:00:00.000Z',
        first_attempt_at: '2026-03-02T09:00:00.000Z',
        completed_at: null,
      },
    ]);
    delayed.release();
    await fixture.jobsWhere(workspace, ([one]) => one?.status === 'completed');
    const after = await walk(50);
    expect(after.map((row) => row.id)).toEqual(before.map((row) => row.id));
    expect(new Set(after.map((row) => row.status))).toEqual(new Set(['accepted']));
  });

  it('show a webhook’s answer to admins, and only its status to members', async () => {
    await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.some((row) => row.status === 'accepted'),
    );
    const [job] = await fixture.jobs(workspace);
    const answersTo = async (role: 'admin' | 'member') => {
      const page = await fixture.inWorkspace(workspace, (ctx) =>
        listDeliveries({ ...ctx, role }, { id: job?.id ?? '', limit: 50 }),
      );
      return new Set(page.data.filter(({ status }) => status === 'accepted').map((row) => row.provider_answer));
    };
    expect(await answersTo('admin')).toEqual(new Set(['HTTP 200: of the house']));
    expect(await answersTo('member')).toEqual(new Set(['HTTP 200']));
  });

  it('of another workspace are not visible', async () => {
    const other = await fixture.createWorkspace('Other');
    const [job] = await fixture.jobs(workspace);
    await expect(
      fixture.inWorkspace(other, (ctx) => listDeliveries(ctx, { id: job?.id ?? '', limit: 50 })),
    ).rejects.toThrow('There is no such job');
  });
});
