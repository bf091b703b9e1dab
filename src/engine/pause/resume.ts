import type { Pool } from 'pg';
import type { Resume } from '#contract/delivery-pause.ts';
import { readNotice, writeRelease } from '#engine/pause/delivery-pause.ts';
import * as sql from '#engine/pause/delivery-pause.sql.ts';
import { scheduleMissing } from '#engine/maintenance/scheduler.ts';
import { createPostgresStore } from '#engine/postgres/store.ts';
import { notifyClients } from '#engine/postgres/notify-clients.ts';
import { inTransaction } from '#platform/transaction.ts';
import { leaveQueueToTriggers } from '#engine/postgres/queue-triggers.sql.ts';
import { rescueAll } from '#engine/maintenance/rescuer.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

type Deps = { pool: Pool; clock: Clock; log: Log };

const batch = 500;

/**
 * Resumes deliveries. With `missed`, jobs due by now are first recorded as missed, and their next occurrences scheduled.
 * If that is interrupted, deliveries stay paused and the call can be repeated. Does nothing when deliveries are not
 * paused.
 * @param options.actorId the person who resumed, null at the terminal
 * @returns how many occurrences were recorded as missed
 */
export async function resumeDeliveries(
  deps: Deps,
  { overdue, actorId }: Resume & { actorId: string | null },
): Promise<number> {
  if ((await readNotice(deps.pool)) === null) return 0;
  const missed = overdue === 'missed' ? await missOverdue(deps) : 0;
  await inTransaction(deps.pool, async (client) => {
    const now = deps.clock.now();
    await writeRelease(client, now);
    await client.query(sql.auditRelease, [actorId, overdue, missed, now.toString()]);
    await client.query(sql.wakeDispatchers);
  });
  deps.log.warn({ overdue, missed }, 'deliveries were resumed');
  return missed;
}

async function missOverdue({ pool, clock, log }: Deps): Promise<number> {
  const store = createPostgresStore(pool);
  // Nothing is claimed while deliveries are paused: jobs that are running were running when the backup was made.
  await rescueAll({ store, clock, random: () => 0.5, log, onRescued: () => {} });
  const now = clock.now();
  let missed = 0;
  for (let found = batch; found === batch; missed += found) found = await missSome(pool, now);
  await scheduleMissing({ store, clock, log, onScheduled: () => {} }, 'every');
  return missed;
}

const missSome = (pool: Pool, now: Temporal.Instant): Promise<number> =>
  inTransaction(pool, async (client) => {
    await client.query(leaveQueueToTriggers);
    const { rows } = await client.query<{ id: string; workspace_id: string }>(sql.missOverdue, [now.toString(), batch]);
    await client.query(sql.skipTheirDeliveries, [rows.map((row) => row.id), now.toString()]);
    await client.query(notifyClients(rows.map((row) => row.workspace_id)));
    return rows.length;
  });
