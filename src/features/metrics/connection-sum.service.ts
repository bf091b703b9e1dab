import type { Pool } from 'pg';
import { goneAfterMs } from '#features/metrics/heartbeat.service.ts';
import { readConnectionSum } from '#features/metrics/processes.db.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

/**
 * Says in the log where the processes of this installation together may open more connections than the server admits. Called at the start, once the process is
 * among them. It refuses nothing: connections are opened as they are needed, and one of two processes may be about to end.
 */
export async function reportConnectionSum({
  pool,
  clock,
  log,
}: {
  pool: Pool;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'error'>;
}): Promise<void> {
  const now = clock.now();
  const { processes, wanted, admitted } = await readConnectionSum(pool, now.subtract({ milliseconds: goneAfterMs }));
  if (wanted <= admitted) return;
  log.error(
    { processes, wanted, admitted },
    `the processes of Cuebird may open ${wanted} connections, and the server of the database admits ${admitted} (max_connections less those that it reserves): lower DATABASE_CONNECTIONS, or raise max_connections`,
  );
}
