import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineStore } from '#engine/store.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';
import { passUntil } from '#testing/pass-until.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

const [a, b] = ['https://one.example.com/a', 'https://two.example.com/b'];

describe('a job, when the database has lost its last transactions,', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  const urls = () => fixture.requests.map(({ url }) => url);

  async function asOwner(statement: string, values: unknown[] = []): Promise<void> {
    const owner = await connectOwner(fixture.databaseUrl);
    await owner.query(statement, values);
    await owner.end();
  }

  const write = (name: string, recipients: string[]) =>
    writeReminder(fixture, { workspace, name, content: { subject: name, message: 'Hi', recipients } });

  /** The first result is answered as recorded, and is not there afterwards. */
  function losesFirst(recorded: () => void): (store: EngineStore) => EngineStore {
    let isFirst = true;
    return (store) => ({
      ...store,
      async record(batch) {
        if (!isFirst) return store.record(batch);
        isFirst = false;
        recorded();
      },
    });
  }

  const passUntilAllEnded = (count: number) =>
    passUntil(
      fixture,
      async () => (await fixture.jobs(workspace)).filter((job) => job.status === 'completed').length === count,
    );

  it('is taken over, although its worker believes it ended and ends the claim', async () => {
    await write('A', [a]);
    await write('B', [b]);
    const answerToB = delayAnswers();
    fixture.receiver = (request) => (request.url === b ? answerToB(request) : answerOf(200));
    const { promise: recorded, resolve } = Promise.withResolvers<void>();
    await fixture.start({ wrapStore: losesFirst(resolve) });
    fixture.clock.advance({ hours: 1 });
    await recorded;
    await answerToB.arrived(1);
    answerToB.release();
    await passUntilAllEnded(2);
    expect(urls().toSorted()).toEqual([a, a, b]);
    expect(await fixture.deliveries(workspace)).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ recipient: a, status: 'accepted', attempts: 2, unknowns: 1 }),
        expect.objectContaining({ recipient: b, status: 'accepted', attempts: 1, unknowns: 0 }),
      ]),
    );
  });

  it('does not end without the outcomes of its recipients', async () => {
    await write('A', [a, b]);
    const answerToB = delayAnswers();
    fixture.receiver = (request) => (request.url === b ? answerToB(request) : answerOf(200));
    const { promise: recorded, resolve } = Promise.withResolvers<void>();
    await fixture.start({ wrapStore: losesFirst(resolve) });
    fixture.clock.advance({ hours: 1 });
    await recorded;
    await answerToB.arrived(1);
    answerToB.release();
    await passUntilAllEnded(1);
    expect(await fixture.deliveries(workspace)).toHaveLength(2);
    expect(urls().toSorted()).toEqual([a, a, b]);
  });

  it('keeps an outcome whose attempt the database no longer knows to have begun', async () => {
    await write('A', [a, b]);
    const delayed = delayAnswers();
    fixture.receiver = (request) => (request.url === b ? delayed(request) : answerOf(200));
    // The second recipient waits for the slot of the first.
    await fixture.start({ limits: { slots: 1, slotsPerWorkspace: 1 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(1);
    await asOwner(
      "update deliveries set status = 'queued', attempts = 0, first_attempt_at = null, last_attempt_at = null where recipient = $1",
      [b],
    );
    delayed.release();
    await passUntilAllEnded(1);
    expect(urls()).toEqual([a, b]);
    expect(await fixture.deliveries(workspace)).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ recipient: b, status: 'accepted', attempts: 1 })]),
    );
  });

  it('is sent again under the same id, so that its receiver can drop the repeat', async () => {
    await write('A', [a]);
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (jobs) => jobs[0]?.status === 'completed');
    // The promoted standby knows nothing of the claim and of what followed.
    await asOwner('delete from deliveries');
    await asOwner(
      `update jobs set status = 'pending', claim_id = null, attempts = 0, started_at = null, completed_at = null, run_outcome = null, error_message = null
        where status = 'completed'`,
    );
    await passUntil(fixture, async () => fixture.requests.length === 2);
    const ids = fixture.requests.map(({ headers }) => headers[headers.indexOf('webhook-id') + 1]);
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(ids[1]).toBe(ids[0]);
  });

  it('is found where it runs and has no claim', async () => {
    await write('A', [a]);
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    const worker = await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(1);
    worker.kill();
    await asOwner('delete from claims');
    fixture.receiver = () => answerOf(200);
    await fixture.start();
    await passUntilAllEnded(1);
    expect(urls()).toEqual([a, a]);
  });
});
