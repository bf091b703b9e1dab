import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import type { HttpAnswer } from '#platform/outbound/http.ts';
import {
  type EngineFixture,
  openEngineFixture,
  type TestWorkspace,
  type Worker,
  writeReminder,
} from '#testing/engine.ts';
import { answerOf, type DelayingReceiver, delayAnswers } from '#testing/receiver.ts';

describe('a job that is cancelled while an attempt is under way', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let delayed: DelayingReceiver;
  let answer: HttpAnswer;
  let worker: Worker;
  let id: string;
  const reason = 'Cancelled by a member of the workspace';
  const recipients = ['https://hooks.example.com/a', 'https://hooks.example.com/b'];

  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
    answer = answerOf(200, 'thanks');
    delayed = delayAnswers(() => answer);
    fixture.receiver = delayed;
    await writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    worker = await fixture.start({ limits: { slots: 1, slotsPerWorkspace: 1 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(1);
    id = (await fixture.jobs(workspace))[0]?.id ?? '';
    await act('cancel');
  });
  afterEach(() => fixture.close());

  const act = (action: 'cancel' | 'retry') => fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id, action }));
  const ledgerOnceEnded = () =>
    fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.length === 2 && rows.every((row) => row.status !== 'sending'),
    );

  it('shows that attempt as under way, and skips the recipients it had not begun', async () => {
    expect((await fixture.jobs(workspace))[0]).toMatchObject({ status: 'cancelled', error_message: reason });
    expect(await fixture.deliveries(workspace)).toMatchObject([
      { recipient: recipients[0], status: 'sending', attempts: 1, first_attempt_at: '2026-03-02T09:00:00.000Z' },
      { recipient: recipients[1], status: 'skipped', reason, attempts: 0 },
    ]);
  });

  it('records that it arrived', async () => {
    delayed.release();
    expect(await ledgerOnceEnded()).toMatchObject([
      { status: 'accepted', attempts: 1, provider_answer: 'HTTP 200: thanks' },
      { status: 'skipped', reason, attempts: 0 },
    ]);
    expect((await fixture.jobs(workspace))[0]?.status).toBe('cancelled');
    expect(fixture.requests).toHaveLength(1);
  });

  it('records a permanent refusal', async () => {
    answer = answerOf(410, 'gone');
    delayed.release();
    expect((await ledgerOnceEnded())[0]).toMatchObject({ status: 'failed', reason_code: 'no_such_url', attempts: 1 });
  });

  it('does not retry a temporary failure', async () => {
    answer = answerOf(503);
    delayed.release();
    const rows = await fixture.until(
      () => fixture.deliveries(workspace),
      ([row]) => row?.status === 'skipped',
    );
    expect(rows[0]).toMatchObject({ reason, attempts: 1, next_attempt_at: null });
  });

  it('records an attempt without an answer as unknown', async () => {
    answer = { kind: 'lost', reason: 'the connection was reset' };
    delayed.release();
    const rows = await fixture.until(
      () => fixture.deliveries(workspace),
      ([row]) => row?.status === 'unknown',
    );
    expect(rows[0]).toMatchObject({
      reason: 'Sent, but not answered: the connection was reset',
      reason_code: 'unconfirmed',
      attempts: 1,
      next_attempt_at: null,
    });
  });

  it('records the attempt of a lost worker as unknown', async () => {
    worker.kill();
    await fixture.start({ isAlone: true });
    expect(await fixture.deliveries(workspace)).toMatchObject([
      {
        status: 'unknown',
        reason: 'The server stopped, and the message may have been sent',
        attempts: 1,
        next_attempt_at: null,
      },
      { status: 'skipped', reason, attempts: 0 },
    ]);
    const { rows } = await fixture.database.engine.query('select from claims');
    expect(rows).toHaveLength(0);
  });

  it('cannot be retried until that attempt has ended, and then goes only to recipients not yet reached', async () => {
    await expect(act('retry')).rejects.toThrow(
      'An attempt of this job is still running: retry the job when it has ended',
    );
    delayed.release();
    await ledgerOnceEnded();
    await act('retry');
    const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'completed');
    expect(job?.error_message).toBeNull();
    expect(fixture.requests.map((request) => request.url)).toEqual(recipients);
  });
});
