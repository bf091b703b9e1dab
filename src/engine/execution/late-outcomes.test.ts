import { randomUUIDv7 } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDefaultRoutes } from '#delivery/defaults.ts';
import { dayMs } from '#domain/instants.ts';
import { destinationIsBusy } from '#domain/ledger-reasons.ts';
import type { Outcome } from '#domain/outcome.ts';
import { type Settled, settle, settleDeferred } from '#domain/settle.ts';
import { defaultAudienceBudget } from '#engine/claiming/audience-budget.ts';
import { claimDueJobs } from '#engine/claiming/claim-due-jobs.ts';
import type { ClaimDecision } from '#engine/run/claim-decision.ts';
import { createPostgresStore } from '#engine/postgres/store.ts';
import { createRoutes } from '#engine/run/routes.ts';
import type { OutcomeRow } from '#engine/run/run-result.ts';
import type { EngineStore } from '#engine/store.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';

describe('an outcome that comes late', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let store: EngineStore;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T09:00:00Z');
    workspace = await fixture.createWorkspace();
    store = createPostgresStore(fixture.database.engine);
    const recipients = ['https://hooks.example.com/a', 'https://hooks.example.com/b'];
    await writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
  });
  afterEach(() => fixture.close());

  const findRoute = createRoutes({
    secrets: createSecretBox(TEST_ENCRYPTION_KEY),
    defaults: createDefaultRoutes({ sandbox: null, mailServer: null }),
  });
  const line = async () => {
    const [row] = await fixture.deliveries(workspace);
    return row && `${row.status} ${row.attempts}`;
  };

  async function claim(): Promise<ClaimDecision> {
    const now = fixture.clock.now();
    const request = { now, worker: 'one', maxJobs: 9, maxAttempts: 9, order: { by: 'due' as const }, except: [] };
    const leaseUntil = now.add({ seconds: 90 });
    const made = await claimDueJobs(
      {
        store,
        findRoute,
        billing: 'off',
        audiences: defaultAudienceBudget,
        secrets: createSecretBox(TEST_ENCRYPTION_KEY),
        steadyMs: fixture.clock.steadyMs,
      },
      { ...request, claimId: randomUUIDv7(), leaseUntil },
    );
    if (made === null) throw new Error('nothing is due');
    return made;
  }

  const settled = (outcome: Outcome, forMs = dayMs): Settled => {
    const nowMs = fixture.clock.epochMs();
    const expiresAtMs = nowMs + forMs;
    return settle(outcome, { channel: 'webhook', attempt: 1, unknowns: 0, nowMs, expiresAtMs, random: 0.5 });
  };
  const refusedForNow: Outcome = { outcome: 'failed', reason: 'HTTP 503', permanent: false };
  const accepted: Outcome = { outcome: 'accepted', receipt: 'r-1', answer: 'HTTP 200' };
  const deferred = () => {
    const atMs = fixture.clock.epochMs();
    return settleDeferred({ atMs, ...destinationIsBusy }, { expiresAtMs: atMs + dayMs, unknowns: 0 });
  };

  function outcomesOf({ id, started }: ClaimDecision, how: Settled, beganAt: Temporal.Instant | null): OutcomeRow[] {
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
    store.record({ now: fixture.clock.now(), outcomes, finishes: [], endedClaims: [], workspaceIds: [], ...rest });

  const rescue = ({ id }: ClaimDecision, how: Settled) =>
    store.openClaims().then((open) => {
      const seen = open.find((one) => one.id === id);
      if (seen === undefined) throw new Error('the claim is gone');
      return store.rescue({ claim: seen, now: fixture.clock.now() }, () => how);
    });

  it('does not reopen a delivery that ended as unknown, and ends it if it is conclusive', async () => {
    const made = await claim();
    await rescue(made, settled({ outcome: 'unknown', reason: 'The server stopped' }, 0));
    await record(outcomesOf(made, settled(refusedForNow), fixture.clock.now()));
    expect(await line()).toBe('unknown 1');
    await record(outcomesOf(made, settled(accepted), fixture.clock.now()));
    expect(await line()).toBe('accepted 1');
  });

  it('of a deferred delivery, recorded twice because the first answer was lost, does not change the next attempt', async () => {
    const made = await claim();
    const deferrals = outcomesOf(made, deferred(), null);
    const finishes = made.started.map(({ run }) => ({
      jobId: run.job.id,
      claimId: made.id,
      status: 'pending',
      ifStopped: 'cancelled',
      runAt: fixture.clock.now(),
      message: 'Busy',
      startedAt: fixture.clock.now(),
      rows: deferrals.length,
      logs: null,
    }));
    await record(deferrals, { finishes, endedClaims: [made.id] });
    const next = await claim();
    for (const { run } of next.started) {
      const owned = { id: run.job.id, workspaceId: workspace.workspaceId, scheduledFor: run.job.scheduled_for };
      await store.beginAttempts(
        { ...owned, claimId: next.id },
        {
          chosen: run.overflow,
          about: run.work,
          now: fixture.clock.now(),
        },
      );
    }
    await record(deferrals, { finishes, endedClaims: [made.id] });
    expect(await line()).toBe('sending 1');
  });

  it('from a worker that lost the job does not change an attempt that a retry has begun since, even once it is cancelled', async () => {
    const lost = await claim();
    await rescue(lost, settled({ outcome: 'unknown', reason: 'The server stopped' }));
    const [job] = await fixture.jobs(workspace);
    const act = (action: 'cancel' | 'retry') =>
      fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action }));
    await act('cancel');
    await act('retry');
    const next = await claim();
    for (const { run } of next.started) {
      const owned = { id: run.job.id, workspaceId: workspace.workspaceId, scheduledFor: run.job.scheduled_for };
      await store.beginAttempts(
        { ...owned, claimId: next.id },
        {
          chosen: run.overflow,
          about: run.work,
          now: fixture.clock.now(),
        },
      );
    }
    await act('cancel');
    await record(outcomesOf(lost, deferred(), null));
    expect(await line()).toBe('sending 1');
  });

  it('that would be retried ends with a cancelled job, even if its worker is lost', async () => {
    const made = await claim();
    const [job] = await fixture.jobs(workspace);
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'cancel' }));
    await record(outcomesOf(made, settled(refusedForNow), fixture.clock.now()));
    expect(await line()).toBe('waiting 1');
    await rescue(made, settled({ outcome: 'unknown', reason: 'The server stopped' }, 0));
    expect((await fixture.deliveries(workspace)).map(({ status, reason }) => [status, reason])).toEqual([
      ['skipped', 'Cancelled by a member of the workspace'],
      ['skipped', 'Cancelled by a member of the workspace'],
    ]);
  });
});
