import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listDeliveries } from '#features/jobs/jobs.service.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf, type HeldReceiver, holdAnswers } from '#testing/receiver.ts';

describe('the deliveries of a running job', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  let held: HeldReceiver;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
    held = holdAnswers();
    // The even ones answer, the odd ones take their time.
    house.receiver = (request) =>
      Number(request.url.slice(-1)) % 2 === 0 ? answerOf(200, 'of the house') : held(request);
    await writeReminder(house, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    await house.start({ limits: { slots: 8, slotsPerWorkspace: 8 } });
    house.clock.advance({ hours: 1 });
    await held.arrived(5);
    await house.until(
      () => house.deliveries(workspace),
      (rows) => rows.filter((row) => row.status === 'accepted').length === 5,
    );
  });
  afterEach(() => house.close());

  const recipients = Array.from({ length: 10 }, (_, n) => `https://hooks.example.com/${n}`);

  /** Every page, one after the other. */
  async function walk(limit: number) {
    const [job] = await house.jobs(workspace);
    const found: Awaited<ReturnType<typeof listDeliveries>>['data'] = [];
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const from = cursor;
      const page = await house.inWorkspace(workspace, (ctx) =>
        listDeliveries(ctx, { id: job?.id ?? '', limit, cursor: from ?? undefined }),
      );
      found.push(...page.data);
      cursor = page.next_cursor;
    }
    return found;
  }

  const statuses = (rows: { recipient: string; status: string }[]) =>
    rows.map((row) => `${row.recipient.slice(-1)} ${row.status}`).toSorted();

  it.each([50, 10, 3, 1])(
    'show whose first attempt is under way, each once on whichever page (of %i)',
    async (limit) => {
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
    },
  );

  it('say since when, and keep their place and identifier when they get their outcome', async () => {
    const before = await walk(50);
    const [job] = await house.jobs(workspace);
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
    held.release();
    await house.jobsWhere(workspace, ([one]) => one?.status === 'completed');
    const after = await walk(50);
    expect(after.map((row) => row.id)).toEqual(before.map((row) => row.id));
    expect(new Set(after.map((row) => row.status))).toEqual(new Set(['accepted']));
  });

  it('show what a receiver said to those who may configure it, and its status to members', async () => {
    await house.until(
      () => house.deliveries(workspace),
      (rows) => rows.some((row) => row.status === 'accepted'),
    );
    const [job] = await house.jobs(workspace);
    const answersTo = async (role: 'admin' | 'member') => {
      const page = await house.inWorkspace(workspace, (ctx) =>
        listDeliveries({ ...ctx, role }, { id: job?.id ?? '', limit: 50 }),
      );
      return new Set(page.data.filter(({ status }) => status === 'accepted').map((row) => row.provider_answer));
    };
    expect(await answersTo('admin')).toEqual(new Set(['HTTP 200: of the house']));
    expect(await answersTo('member')).toEqual(new Set(['HTTP 200']));
  });

  it('of another workspace are not seen', async () => {
    const other = await house.createWorkspace('Other');
    const [job] = await house.jobs(workspace);
    await expect(
      house.inWorkspace(other, (ctx) => listDeliveries(ctx, { id: job?.id ?? '', limit: 50 })),
    ).rejects.toThrow('There is no such job');
  });
});
