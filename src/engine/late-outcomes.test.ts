import { randomUUIDv7 } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDefaultRoutes } from '#delivery/defaults.ts';
import type { Outcome } from '#domain/outcome.ts';
import { type Settled, settle, settlePutOff } from '#domain/settle.ts';
import { claimDueJobs } from '#engine/claim.ts';
import type { Claim } from '#engine/claimed.ts';
import { createPostgresStore } from '#engine/postgres/store.ts';
import { createRoutes } from '#engine/routes.ts';
import type { EngineStore, OutcomeRow } from '#engine/store.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';

describe('an outcome that comes late', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  let store: EngineStore;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T09:00:00Z');
    workspace = await house.createWorkspace();
    store = createPostgresStore(house.database.engine);
    const recipients = ['https://hooks.example.com/a', 'https://hooks.example.com/b'];
    await writeReminder(house, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
  });
  afterEach(() => house.close());

  const findRoute = createRoutes({
    secrets: createSecretBox(TEST_ENCRYPTION_KEY),
    defaults: createDefaultRoutes({ sandbox: null, mailServer: null }),
  });
  const line = async () => {
    const [row] = await house.deliveries(workspace);
    return row && `${row.status} ${row.attempts}`;
  };

  async function claim(): Promise<Claim> {
    const now = house.clock.now();
    const request = { now, worker: 'one', limit: 9, order: { by: 'due' as const }, except: [] };
    const leaseUntil = now.add({ seconds: 90 });
    const made = await claimDueJobs(
      { store, findRoute, billing: 'off' },
      { ...request, claimId: randomUUIDv7(), leaseUntil },
    );
    if (made === null) throw new Error('nothing is due');
    return made;
  }

  const settled = (outcome: Outcome, expiresAt = house.clock.now().add({ hours: 24 })): Settled =>
    settle(outcome, { channel: 'webhook', attempt: 1, unknowns: 0, now: house.clock.now(), expiresAt, random: 0.5 });
  const refusedForNow: Outcome = { outcome: 'failed', reason: 'HTTP 503', permanent: false };
  const accepted: Outcome = { outcome: 'accepted', receipt: 'r-1', answer: 'HTTP 200' };
  const putOff = () => {
    const at = house.clock.now();
    return settlePutOff({ at, reason: 'Busy' }, { expiresAt: at.add({ hours: 24 }), unknowns: 0 });
  };

  function outcomesOf({ id, started }: Claim, how: Settled, beganAt: Temporal.Instant | null): OutcomeRow[] {
    return started.flatMap(({ run, begun }) =>
      begun.map((delivery) => ({
        job: run.job,
        claimId: id,
        delivery,
        settled: how,
        channelId: null,
        provider: 'http',
        contentHash: null,
        beganAt,
      })),
    );
  }

  const record = (outcomes: OutcomeRow[], rest: object = {}) =>
    store.record({ now: house.clock.now(), outcomes, finishes: [], endedClaims: [], workspaceIds: [], ...rest });

  const rescue = ({ id }: Claim, how: Settled) =>
    store.openClaims().then((open) => {
      const seen = open.find((one) => one.id === id);
      if (seen === undefined) throw new Error('the claim is gone');
      return store.rescue({ claim: seen, now: house.clock.now() }, () => how);
    });

  it('does not open again what has ended as unknown, and ends it where it says how', async () => {
    const made = await claim();
    await rescue(made, settled({ outcome: 'unknown', reason: 'The server stopped' }, house.clock.now()));
    await record(outcomesOf(made, settled(refusedForNow), house.clock.now()));
    expect(await line()).toBe('unknown 1');
    await record(outcomesOf(made, settled(accepted), house.clock.now()));
    expect(await line()).toBe('accepted 1');
  });

  it('of one that was put off, told twice because the first answer was lost, leaves the next attempt alone', async () => {
    const made = await claim();
    const putOffs = outcomesOf(made, putOff(), null);
    const finishes = made.started.map(({ run }) => ({
      jobId: run.job.id,
      claimId: made.id,
      status: 'pending',
      ifStopped: 'cancelled',
      runAt: house.clock.now(),
      message: 'Busy',
      startedAt: house.clock.now(),
      logs: null,
    }));
    await record(putOffs, { finishes, endedClaims: [made.id] });
    const next = await claim();
    for (const { run } of next.started) {
      const held = { id: run.job.id, workspaceId: workspace.workspaceId, scheduledFor: run.job.scheduled_for };
      await store.beginAttempts({ ...held, claimId: next.id }, { chosen: run.queued, now: house.clock.now() });
    }
    await record(putOffs, { finishes, endedClaims: [made.id] });
    expect(await line()).toBe('sending 1');
  });

  it('of who lost the job leaves the attempt alone that a retry has begun since, also once that is cancelled', async () => {
    const lost = await claim();
    await rescue(lost, settled({ outcome: 'unknown', reason: 'The server stopped' }));
    const [job] = await house.jobs(workspace);
    const act = (action: 'cancel' | 'retry') =>
      house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action }));
    await act('cancel');
    await act('retry');
    const next = await claim();
    for (const { run } of next.started) {
      const held = { id: run.job.id, workspaceId: workspace.workspaceId, scheduledFor: run.job.scheduled_for };
      await store.beginAttempts({ ...held, claimId: next.id }, { chosen: run.queued, now: house.clock.now() });
    }
    await act('cancel');
    await record(outcomesOf(lost, putOff(), null));
    expect(await line()).toBe('sending 1');
  });

  it('that would wait ends with a cancelled job, also when its worker does not live to say so', async () => {
    const made = await claim();
    const [job] = await house.jobs(workspace);
    await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'cancel' }));
    await record(outcomesOf(made, settled(refusedForNow), house.clock.now()));
    expect(await line()).toBe('waiting 1');
    await rescue(made, settled({ outcome: 'unknown', reason: 'The server stopped' }, house.clock.now()));
    expect((await house.deliveries(workspace)).map(({ status, reason }) => [status, reason])).toEqual([
      ['skipped', 'Cancelled by a member of the workspace'],
      ['skipped', 'Cancelled by a member of the workspace'],
    ]);
  });
});
