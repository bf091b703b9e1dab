import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import type { HttpAnswer } from '#platform/outbound/http.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, type Worker, writeReminder } from '#testing/engine.ts';
import { answerOf, type HeldReceiver, holdAnswers } from '#testing/receiver.ts';

describe('a job that is cancelled while an attempt is under way', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  let held: HeldReceiver;
  let answer: HttpAnswer;
  let worker: Worker;
  let id: string;
  const reason = 'Cancelled by a member of the workspace';
  const recipients = ['https://hooks.example.com/a', 'https://hooks.example.com/b'];

  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
    answer = answerOf(200, 'thanks');
    held = holdAnswers(() => answer);
    house.receiver = held;
    await writeReminder(house, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    worker = await house.start({ limits: { slots: 1, slotsPerWorkspace: 1 } });
    house.clock.advance({ hours: 1 });
    await held.arrived(1);
    id = (await house.jobs(workspace))[0]?.id ?? '';
    await act('cancel');
  });
  afterEach(() => house.close());

  const act = (action: 'cancel' | 'retry') => house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id, action }));
  const ledgerOnceEnded = () =>
    house.until(
      () => house.deliveries(workspace),
      (rows) => rows.length === 2 && rows.every((row) => row.status !== 'sending'),
    );

  it('shows that attempt as under way, and skips whom it had not begun', async () => {
    expect((await house.jobs(workspace))[0]).toMatchObject({ status: 'cancelled', error_message: reason });
    expect(await house.deliveries(workspace)).toMatchObject([
      { recipient: recipients[0], status: 'sending', attempts: 1, first_attempt_at: '2026-03-02T09:00:00.000Z' },
      { recipient: recipients[1], status: 'skipped', reason, attempts: 0 },
    ]);
  });

  it('records that it arrived', async () => {
    held.release();
    expect(await ledgerOnceEnded()).toMatchObject([
      { status: 'accepted', attempts: 1, provider_answer: 'HTTP 200: thanks' },
      { status: 'skipped', reason, attempts: 0 },
    ]);
    expect((await house.jobs(workspace))[0]?.status).toBe('cancelled');
    expect(house.requests).toHaveLength(1);
  });

  it('records that it was refused for good', async () => {
    answer = answerOf(410, 'gone');
    held.release();
    expect((await ledgerOnceEnded())[0]).toMatchObject({ status: 'failed', reason: 'HTTP 410', attempts: 1 });
  });

  it('does not try again what failed for a while', async () => {
    answer = answerOf(503);
    held.release();
    const rows = await house.until(
      () => house.deliveries(workspace),
      ([row]) => row?.status === 'skipped',
    );
    expect(rows[0]).toMatchObject({ reason, attempts: 1, next_attempt_at: null });
  });

  it('records as unknown what was sent and not answered', async () => {
    answer = { kind: 'lost', reason: 'the connection was reset' };
    held.release();
    const rows = await house.until(
      () => house.deliveries(workspace),
      ([row]) => row?.status === 'unknown',
    );
    expect(rows[0]).toMatchObject({
      reason: 'Sent, but not answered: the connection was reset',
      attempts: 1,
      next_attempt_at: null,
    });
  });

  it('records as unknown what the worker was lost with', async () => {
    worker.kill();
    await house.start({ isAlone: true });
    expect(await house.deliveries(workspace)).toMatchObject([
      {
        status: 'unknown',
        reason: 'The server stopped after the message may have been handed over',
        attempts: 1,
        next_attempt_at: null,
      },
      { status: 'skipped', reason, attempts: 0 },
    ]);
    const { rows } = await house.database.engine.query('select from claims');
    expect(rows).toHaveLength(0);
  });

  it('cannot be retried until that attempt has ended, and then reaches only whom it had not', async () => {
    await expect(act('retry')).rejects.toThrow(
      'An attempt of this job is still under way: it can be retried once that has ended',
    );
    held.release();
    await ledgerOnceEnded();
    await act('retry');
    const [job] = await house.jobsWhere(workspace, ([one]) => one?.status === 'completed');
    expect(job?.error_message).toBeNull();
    expect(house.requests.map((request) => request.url)).toEqual(recipients);
  });
});
