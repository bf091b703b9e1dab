import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpAnswer } from '#platform/outbound/http.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { passUntil } from '#testing/pass-until.ts';
import { answerOf } from '#testing/receiver.ts';

describe('while this machine has no file left to open', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  const noFile: HttpAnswer = {
    kind: 'not_sent',
    reason: 'this process has no file left to open',
    isOwnFault: true,
  };

  it('a delivery waits without losing an attempt, and no circuit breaker opens', async () => {
    const recipients = Array.from({ length: 12 }, (_, at) => `https://hooks.example.com/${at}`);
    await writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    fixture.receiver = () => noFile;
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.length === 12 && rows.every(({ status }) => status === 'waiting'),
    );
    for (const row of await fixture.deliveries(workspace))
      expect(row).toMatchObject({
        attempts: 0,
        reason_code: 'server_exhausted',
        reason: 'Not tried: this process has no file left to open',
      });
    fixture.receiver = () => answerOf(200);
    await passUntil(fixture, async () => (await fixture.jobs(workspace))[0]?.status === 'completed');
    for (const row of await fixture.deliveries(workspace))
      expect(row).toMatchObject({ status: 'accepted', attempts: 1 });
    // All of them at the first time that was set: an open breaker would have put most of them off.
    expect(fixture.requests).toHaveLength(24);
  });
});
