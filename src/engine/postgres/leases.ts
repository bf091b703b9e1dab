import type { Pool } from 'pg';
import type { EngineStore, LostAttempt, OpenClaim } from '#engine/store.ts';
import * as sql from './leases.sql.ts';
import { outcomeStatement } from './results.ts';
import { skipCancelled } from './results.sql.ts';
import { notifyClients } from './notify-clients.ts';
import { onConnection } from '#platform/transaction.ts';

/** Nothing tells a running job from others but its row, so all are read, in steps. */
const jobsPerLook = 5_000;

/** Leases of claims, and the rescue of claims that lost theirs. */
export const leaseOperations = (
  pool: Pool,
): Pick<EngineStore, 'extendLeases' | 'openClaims' | 'restoreClaims' | 'rescue'> => ({
  async extendLeases(claimIds, until) {
    const { rows } = await pool.query<{ id: string }>({
      ...sql.extendLeases,
      values: [claimIds, until.toString()],
    });
    return new Set(rows.map((row) => row.id));
  },

  async openClaims() {
    return (await pool.query<OpenClaim>(sql.openClaims)).rows;
  },

  async restoreClaims({ after, now }) {
    const values = [after, jobsPerLook, now.toString()];
    const { rows } = await pool.query<{ jobs: number; last: string | null }>({ ...sql.restoreClaims, values });
    return rows[0] ?? { jobs: 0, last: null };
  },

  async rescue({ claim: { id, leaseUntil }, now }, settleLost) {
    return onConnection(pool, async (client) => {
      const [, { rows: claims }] = await Promise.all([
        client.query('begin'),
        client.query<{ id: string; job_ids: string[] }>({ ...sql.takeOverClaim, values: [id, leaseUntil] }),
      ]);
      const [claim] = claims;
      if (claim === undefined) {
        await client.query('commit');
        return null;
      }
      const { rows: attempts } = await client.query<LostAttempt>({ ...sql.lostAttempts, values: [claim.id] });
      const outcomes = attempts.map((attempt) => ({
        job: { id: attempt.job_id, scheduled_for: attempt.scheduled_for },
        claimId: claim.id,
        delivery: attempt,
        settled: settleLost(attempt),
        channelId: null,
        provider: null,
        contentHash: null,
        beganAt: Temporal.Instant.from(attempt.began_at),
      }));
      if (outcomes.length > 0) await client.query(outcomeStatement(outcomes, now));
      // The lost worker would have skipped these rows after its last outcome.
      await client.query({ ...skipCancelled, values: [claim.job_ids, now.toString()] });
      const { rows: jobs } = await client.query<{ workspace_id: string }>({
        ...sql.releaseJobs,
        values: [claim.id, now.toString()],
      });
      await client.query(notifyClients(jobs.map((job) => job.workspace_id)));
      await client.query('commit');
      return { jobs: jobs.length, attempts: attempts.length };
    });
  },
});
