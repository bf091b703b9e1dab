import type { Pool } from 'pg';
import type { Release } from '#contract/hold.ts';
import { inTransaction, readNotice, writeRelease } from '#engine/hold.ts';
import * as sql from '#engine/hold.sql.ts';
import { planMissing } from '#engine/planner.ts';
import { createPostgresStore } from '#engine/postgres/store.ts';
import { tellScreens } from '#engine/postgres/tell-screens.ts';
import { rescueAll } from '#engine/rescuer.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

type Deps = { pool: Pool; clock: Clock; log: Log };

const batch = 500;

/**
 * Lets deliveries go out again. With `missed`, what was due by now is recorded as missed first, and the next occurrences
 * are planned; interrupted, it stays held and can be done again. Where nothing is held nothing happens.
 * @param options.actorId the person who released, null at the terminal
 * @returns how many occurrences were recorded as missed
 */
export async function releaseHold(
  deps: Deps,
  { overdue, actorId }: Release & { actorId: string | null },
): Promise<number> {
  if ((await readNotice(deps.pool)) === null) return 0;
  const missed = overdue === 'missed' ? await missOverdue(deps) : 0;
  await inTransaction(deps.pool, async (client) => {
    const now = deps.clock.now();
    await writeRelease(client, now);
    await client.query(sql.auditRelease, [actorId, overdue, missed, now.toString()]);
    await client.query(sql.wakeDispatchers);
  });
  deps.log.warn({ overdue, missed }, 'deliveries were released');
  return missed;
}

async function missOverdue({ pool, clock, log }: Deps): Promise<number> {
  const store = createPostgresStore(pool);
  // Nobody claims while deliveries are held: what runs was running when the backup was made.
  await rescueAll({ store, clock, random: () => 0.5, log, onRescued: () => {} });
  const now = clock.now();
  let missed = 0;
  for (let found = batch; found === batch; missed += found) found = await missSome(pool, now);
  await planMissing({ store, clock, log, onPlanned: () => {} }, 'every');
  return missed;
}

const missSome = (pool: Pool, now: Temporal.Instant): Promise<number> =>
  inTransaction(pool, async (client) => {
    await client.query(sql.leaveQueueToTriggers);
    const { rows } = await client.query<{ id: string; workspace_id: string }>(sql.missOverdue, [now.toString(), batch]);
    await client.query(sql.skipTheirDeliveries, [rows.map((row) => row.id), now.toString()]);
    await client.query(tellScreens(rows.map((row) => row.workspace_id)));
    return rows.length;
  });
