import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPostgresStore } from '#engine/postgres/store.ts';
import type { FinishRow } from '#engine/run/run-result.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace } from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';

describe("the engine's store", () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let owner: Client;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T09:00:00Z');
    workspace = await fixture.createWorkspace();
    owner = await connectOwner(fixture.databaseUrl);
  });
  afterEach(async () => {
    await owner.end();
    await fixture.close();
  });

  const claimId = '019a9d3e-0000-7000-8000-00000000000c';
  const jobIds = ['019a9d3e-0000-7000-8000-000000000001', '019a9d3e-0000-7000-8000-000000000002'];

  const finished = (jobId: string): FinishRow => ({
    jobId,
    claimId,
    status: 'completed',
    ifStopped: 'completed',
    runAt: null,
    code: null,
    message: null,
    startedAt: fixture.clock.now(),
    rows: 0,
    logs: {},
    onlyOutcome: null,
  });

  it('writes results in the order in which services lock jobs, so that there is no deadlock', async () => {
    await owner.query(
      `insert into jobs (id, workspace_id, name, type, status, scheduled_for, run_at, claim_id)
       select id, $1, 'Rent', 'api_notification', 'running', $2, $2, $3 from unnest($4::uuid[]) as id`,
      [workspace.workspaceId, fixture.clock.now().toString(), claimId, jobIds],
    );
    const lock = (id: string | undefined) => owner.query('select from jobs where id = $1 for update', [id]);
    await owner.query('begin');
    await lock(jobIds[0]);
    const recorded = createPostgresStore(fixture.database.engine).record({
      now: fixture.clock.now(),
      outcomes: [],
      finishes: jobIds.toReversed().map(finished),
      endedClaims: [],
      workspaceIds: [workspace.workspaceId],
    });
    await untilSomebodyWaits();
    await lock(jobIds[1]);
    await owner.query('commit');
    await recorded;
    expect((await fixture.jobs(workspace)).map((job) => job.status)).toEqual(['completed', 'completed']);
  });

  /** A lock wait sends no notification, so this polls. */
  async function untilSomebodyWaits(): Promise<void> {
    for (;;) {
      // Not on the owner's connection, whose transaction would see the same activity all the time.
      const { rowCount } = await fixture.database.engine.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      if (rowCount !== 0) return;
    }
  }
});
