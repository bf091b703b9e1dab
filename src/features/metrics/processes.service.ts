import type { Pool } from 'pg';
import { goneAfterMs } from '#features/metrics/heartbeat.service.ts';
import * as rows from '#features/metrics/processes.db.ts';

/** `gone`: it ended without reporting that it stops, or cannot reach the database. */
type ProcessState = 'running' | 'stopped' | 'gone';

export type KnownProcess = Omit<rows.ProcessRow, 'memory_bytes' | 'stopped_at'> & {
  state: ProcessState;
  memory_bytes: number;
};

/** The processes that run, then those that ended within the hour. */
export async function listProcesses(pool: Pool, now: Temporal.Instant): Promise<KnownProcess[]> {
  const aliveSince = now.subtract({ milliseconds: goneAfterMs });
  const known = (await rows.listProcesses(pool)).map(({ stopped_at: stoppedAt, ...row }) => ({
    ...row,
    memory_bytes: Number(row.memory_bytes),
    state: stateOf(row.seen_at, { stoppedAt, aliveSince }),
  }));
  return known.toSorted((a, b) => Number(b.state === 'running') - Number(a.state === 'running'));
}

/** Whether a process on any machine serves requests. */
export const hasWebServer = async (pool: Pool, now: Temporal.Instant): Promise<boolean> =>
  (await listProcesses(pool, now)).some(({ state, role }) => state === 'running' && role !== 'worker');

function stateOf(
  seenAt: string,
  { stoppedAt, aliveSince }: { stoppedAt: string | null; aliveSince: Temporal.Instant },
): ProcessState {
  if (stoppedAt !== null) return 'stopped';
  return Temporal.Instant.compare(seenAt, aliveSince) < 0 ? 'gone' : 'running';
}
