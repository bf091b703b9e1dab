import { sql } from 'kysely';
import type { DeliveryPauseNotice } from '#contract/delivery-pause.ts';
import { isClockOff } from '#platform/database-clock.ts';
import { type Database, databaseTroubleOf, databaseTroubleText } from '#platform/database.ts';
import { Unavailable } from '#platform/errors.ts';

export type ReadinessPorts = {
  database: Database;
  /** Aborts, with a readable reason, when a newer version has migrated the database. */
  superseded: AbortSignal;
  /** The pause of deliveries; null when deliveries are not paused. */
  deliveryPauseNotice: () => Promise<DeliveryPauseNotice | null>;
  /** How far the clock of this machine is ahead of the database's. */
  clockOffsetMs: () => number;
  /** Why this process cannot write, as a sentence for people; null where it can. */
  writeFailure: () => Promise<string | null>;
};

/** Whether this process can serve requests. Throws Unavailable when it cannot. */
export async function getReadiness({
  database,
  superseded,
  deliveryPauseNotice,
  clockOffsetMs,
  writeFailure,
}: ReadinessPorts) {
  await assertWritable(database);
  if (superseded.aborted) throw new Unavailable(String(superseded.reason));
  const failure = await writeFailure();
  if (failure !== null) throw new Unavailable(failure, { retryAfterSeconds: 15 });
  // Requests are served while deliveries are paused: an administrator has to sign in to resume them.
  const notice = await deliveryPauseNotice();
  // The database's clock decides what is due, and it may be the one that is wrong: to end every process would not set it right.
  const offsetMs = clockOffsetMs();
  const clock = isClockOff(offsetMs) ? { clock_offset_seconds: Math.round(offsetMs) / 1_000 } : {};
  return notice === null ? { status: 'ready' as const, ...clock } : { status: 'paused' as const, ...notice, ...clock };
}

async function assertWritable({ app }: Database): Promise<void> {
  const { rows } = await sql<{ is_read_only: boolean; is_standby: boolean }>`
    select current_setting('transaction_read_only') = 'on' as is_read_only, pg_is_in_recovery() as is_standby`
    .execute(app)
    .catch((error: unknown) => {
      const trouble = databaseTroubleOf(error);
      throw new Unavailable(
        trouble === null || trouble === 'unreachable' ? 'The database does not answer' : databaseTroubleText[trouble],
        { retryAfterSeconds: 15 },
      );
    });
  if (rows[0]?.is_standby === true)
    throw new Unavailable('The database is a standby, which accepts no changes', { retryAfterSeconds: 15 });
  if (rows[0]?.is_read_only === true) throw new Unavailable(databaseTroubleText.read_only, { retryAfterSeconds: 15 });
}
