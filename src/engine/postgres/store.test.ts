import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPostgresStore } from '#engine/postgres/store.ts';
import type { FinishRow } from '#engine/store.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace } from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';

describe("the engine's store", () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  let owner: Client;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T09:00:00Z');
    workspace = await house.createWorkspace();
    owner = await connectOwner(house.databaseUrl);
  });
  afterEach(async () => {
    await owner.end();
    await house.close();
  });

  const claimId = '019a9d3e-0000-7000-8000-00000000000c';
  const jobIds = ['019a9d3e-0000-7000-8000-000000000001', '019a9d3e-0000-7000-8000-000000000002'];

  const finished = (jobId: string): FinishRow => ({
    jobId,
    claimId,
    status: 'completed',
    ifStopped: 'completed',
    runAt: null,
    message: null,
    startedAt: house.clock.now(),
    logs: {},
  });

  it('writes results in the order in which people lock jobs, so that neither waits for the other for ever', async () => {
    await owner.query(
      `insert into jobs (id, workspace_id, name, type, status, scheduled_for, run_at, claim_id)
       select id, $1, 'Rent', 'api_notification', 'running', $2, $2, $3 from unnest($4::uuid[]) as id`,
      [workspace.workspaceId, house.clock.now().toString(), claimId, jobIds],
    );
    const lock = (id: string | undefined) => owner.query('select from jobs where id = $1 for update', [id]);
    await owner.query('begin');
    await lock(jobIds[0]);
    const recorded = createPostgresStore(house.database.engine).record({
      now: house.clock.now(),
      outcomes: [],
      finishes: jobIds.toReversed().map(finished),
      endedClaims: [],
      workspaceIds: [workspace.workspaceId],
    });
    await untilSomebodyWaits();
    await lock(jobIds[1]);
    await owner.query('commit');
    await recorded;
    expect((await house.jobs(workspace)).map((job) => job.status)).toEqual(['completed', 'completed']);
  });

  /** A lock that is waited for announces nothing: it has to be asked for. */
  async function untilSomebodyWaits(): Promise<void> {
    for (;;) {
      // Not on the owner's connection, whose transaction would see the same activity all the time.
      const { rowCount } = await house.database.engine.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      if (rowCount !== 0) return;
    }
  }
});
