import { sql } from 'kysely';
import type { DeliveryPauseNotice } from '#contract/delivery-pause.ts';
import type { Database } from '#platform/database.ts';
import { Unavailable } from '#platform/errors.ts';

export type ReadinessPorts = {
  database: Database;
  /** Aborts, with a readable reason, when a newer version has migrated the database. */
  superseded: AbortSignal;
  /** The pause of deliveries; null when deliveries are not paused. */
  deliveryPauseNotice: () => Promise<DeliveryPauseNotice | null>;
};

/** Whether this process can serve requests. Throws Unavailable when it cannot. */
export async function getReadiness({ database, superseded, deliveryPauseNotice }: ReadinessPorts) {
  await assertAnswering(database);
  if (superseded.aborted) throw new Unavailable(String(superseded.reason));
  // Requests are served while deliveries are paused: an administrator has to sign in to resume them.
  const notice = await deliveryPauseNotice();
  return notice === null ? { status: 'ready' as const } : { status: 'paused' as const, ...notice };
}

async function assertAnswering({ app }: Database): Promise<void> {
  try {
    await sql`select 1`.execute(app);
  } catch {
    throw new Unavailable('The database does not answer');
  }
}
