import type { Client } from 'pg';
import { afterEach } from 'vitest';
import { type Sweep, sweepOnce } from '#engine/maintenance/archiver.ts';
import { neverAborts } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace } from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';

const log = createLog('silent');

type JobRow = { status: string; at: string; ended?: string | null; of?: TestWorkspace; name?: string };

/** Helpers for tests of the archiver. `open` makes the database and the workspace of one test. */
export function archiverFixture() {
  let fixture: EngineFixture;
  let owner: Client;
  let workspace: TestWorkspace;
  async function open(startAt: Temporal.Instant) {
    fixture = await openEngineFixture(startAt.toString());
    owner = await connectOwner(fixture.databaseUrl);
    workspace = await fixture.createWorkspace();
  }
  afterEach(async () => {
    await owner.end();
    await fixture.close();
  });

  const deps = (isPaused = false) => ({
    pool: fixture.database.engine,
    clock: fixture.clock,
    log,
    isPaused: async () => isPaused,
  });

  async function sweep(isPaused = false): Promise<Sweep> {
    const swept = await sweepOnce(deps(isPaused), neverAborts);
    if (swept === null) throw new Error('somebody else sweeps');
    return swept;
  }

  const set = (settings: object, of = workspace) =>
    owner.query('update workspaces set settings = $2 where id = $1', [of.workspaceId, settings]);

  /** Inserts a job in its final state, created a day before its time, with one delivery and one execution. */
  async function insertJob({ status, at, ended = at, of = workspace, name = 'Rent' }: JobRow): Promise<string> {
    const isEnded = ['completed', 'failed', 'cancelled'].includes(status);
    const { rows } = await owner.query<{ id: string }>(
      `with job as (
         insert into jobs (id, workspace_id, name, type, status, scheduled_for, run_at, completed_at, claim_id, paused_at, created_at, updated_at)
         values (uuidv7($4::timestamptz - interval '1 day' - clock_timestamp()), $1, $2, 'api_notification', $3, $4, $4, $5,
                 case $3 when 'running' then uuidv7() end, case $3 when 'paused' then $4::timestamptz end, $4::timestamptz - interval '1 day',
                 coalesce($5, $4)::timestamptz)
         returning id, scheduled_for
       ), delivery as (
         insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status)
         select $1, id, scheduled_for, 'email', 'dana@example.com', $6 from job
       ), execution as (
         insert into job_executions (workspace_id, job_id, status, started_at) select $1, id, 'completed', scheduled_for from job
       )
       select id from job`,
      [of.workspaceId, name, status, at, isEnded ? ended : null, isEnded ? 'accepted' : 'waiting'],
    );
    return rows[0]?.id ?? '';
  }

  const idsOf = async (condition: string) =>
    (await owner.query<{ id: string }>(`select id from jobs where ${condition} order by id`)).rows.map((row) => row.id);

  const countOf = async (table: string) =>
    (await owner.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]?.count;

  const day = (count: number) =>
    fixture.clock
      .now()
      .subtract({ hours: 24 * count })
      .toString();

  return {
    open,
    deps,
    sweep,
    set,
    insertJob,
    idsOf,
    countOf,
    day,
    get fixture() {
      return fixture;
    },
    get owner() {
      return owner;
    },
    get workspace() {
      return workspace;
    },
  };
}
