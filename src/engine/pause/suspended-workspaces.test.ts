import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setSuspended } from '#features/admin/workspaces.service.ts';
import {
  engineSleepers,
  type EngineFixture,
  openEngineFixture,
  type TestWorkspace,
  writeReminder,
} from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

describe('a workspace that an administrator suspends', () => {
  let fixture: EngineFixture;
  let owner: Client;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    owner = await connectOwner(fixture.databaseUrl);
    workspace = await fixture.createWorkspace();
    await owner.query('update profiles set is_system_admin = true where id = $1', [workspace.userId]);
  });
  afterEach(async () => {
    await owner.end();
    await fixture.close();
  });

  const set = (suspends: boolean) =>
    fixture.inWorkspace(workspace, (ctx) =>
      setSuspended(
        { ...ctx, actor: { kind: 'user', userId: workspace.userId } },
        { id: workspace.workspaceId, suspends },
      ),
    );
  const suspend = () => set(true);
  const lift = () => set(false);
  const recipients = Array.from({ length: 10 }, (_, n) => `https://hooks.example.com/${n}`);
  const content = { subject: 'Rent', message: 'Rent is due', recipients };
  const statuses = async () => (await fixture.deliveries(workspace)).map(({ status }) => status).toSorted();

  it('ends what is in flight truthfully, and begins nothing else of the jobs that run', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    await writeReminder(fixture, { workspace, content });
    await fixture.start({ limits: { slots: 4, slotsPerWorkspace: 4 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(4);
    await suspend();
    delayed.release();
    const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'completed');
    expect(job?.error_message).toBe('6 of 10 skipped: The workspace was suspended');
    const codes = new Set((await fixture.deliveries(workspace)).map((row) => row.reason_code));
    expect(codes).toEqual(new Set([null, 'workspace_suspended']));
    expect(await statuses()).toEqual([
      ...Array.from({ length: 4 }, () => 'accepted'),
      ...Array.from({ length: 6 }, () => 'skipped'),
    ]);
    await lift();
    await fixture.clock.untilAsleep(engineSleepers);
    expect(fixture.requests, 'what was skipped is not sent later').toHaveLength(4);
  });

  it('sends nothing to recipients who wait for a busy destination', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    await writeReminder(fixture, { workspace, content });
    await fixture.start({ limits: { perDestination: 2 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(2);
    await suspend();
    fixture.clock.advance({ milliseconds: 200 });
    delayed.release();
    await fixture.jobsWhere(workspace, ([one]) => one?.status === 'completed');
    expect(await statuses()).toEqual([
      ...Array.from({ length: 2 }, () => 'accepted'),
      ...Array.from({ length: 8 }, () => 'skipped'),
    ]);
    expect(fixture.requests).toHaveLength(2);
  });

  it('keeps a retry that waits, and sends it once the suspension is lifted', async () => {
    fixture.receiver = () => answerOf(503);
    await writeReminder(fixture, { workspace });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 1);
    await suspend();
    fixture.clock.advance({ hours: 2 });
    await fixture.clock.untilAsleep(engineSleepers);
    expect(fixture.requests).toHaveLength(1);
    fixture.receiver = () => answerOf(200);
    await lift();
    await fixture.jobsWhere(workspace, ([one]) => one?.status === 'completed');
    expect(fixture.requests).toHaveLength(2);
  });
});
