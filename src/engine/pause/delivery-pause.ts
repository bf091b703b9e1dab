import type { Pool, PoolClient } from 'pg';
import { z } from 'zod';
import { DeliveryPauseNotice } from '#contract/delivery-pause.ts';
import * as sql from '#engine/pause/delivery-pause.sql.ts';
import { inTransaction } from '#platform/transaction.ts';
import type { Clock } from '#platform/clock.ts';
import { readSetting, writeSetting } from '#platform/settings.ts';

export type DeliveryPause = {
  /** Why nothing may be sent; null when deliveries run. Asks the database while they are paused; once they run, never again. */
  notice(): Promise<DeliveryPauseNotice | null>;
};

/** `engine.location`: where this database last delivered. `engine.delivery_pause`: why it does not deliver. */
const keys = { location: 'engine.location', deliveryPause: 'engine.delivery_pause' } as const;

/**
 * Where deliveries ran: the cluster (null when we may not read its identity) and the database, because a copy may run in the same cluster as its
 * original.
 */
const Location = z.object({ cluster: z.string().nullable(), database: z.string() });
type Location = z.output<typeof Location>;

const StoredDeliveryPause = z.discriminatedUnion('state', [
  DeliveryPauseNotice.extend({ state: z.literal('paused') }),
  z.object({ state: z.literal('released') }),
]);

/**
 * Checks whether this database may deliver. A restored one may not, and neither may one that runs in another place than
 * where it last delivered: its due jobs may have been sent from there. A person has to confirm it (`resumeDeliveries`). A
 * new database stores its location.
 */
export async function openDeliveryPause({ pool, clock }: { pool: Pool; clock: Clock }): Promise<DeliveryPause> {
  let isPaused = (await pauseIfMoved(pool, clock.now())) !== null;
  return {
    async notice() {
      if (!isPaused) return null;
      const found = await readNotice(pool);
      isPaused = found !== null;
      return found;
    },
  };
}

export async function readNotice(db: Pick<PoolClient, 'query'>): Promise<DeliveryPauseNotice | null> {
  const value = await readSetting(db, keys.deliveryPause);
  if (value === undefined) return null;
  const stored = StoredDeliveryPause.parse(value);
  return stored.state === 'paused' ? DeliveryPauseNotice.parse(stored) : null;
}

/** Within a transaction. Nothing is claimed from its commit on. */
export const writeNotice = (db: Pick<PoolClient, 'query'>, notice: DeliveryPauseNotice) =>
  writeSetting(db, { key: keys.deliveryPause, value: { state: 'paused', ...notice }, now: notice.since });

/** Records a pause that somebody asked for at the terminal, within a transaction. */
export async function pauseDeliveries(db: Pick<PoolClient, 'query'>, now: Temporal.Instant): Promise<void> {
  await writeNotice(db, { since: now.toString(), reason: 'asked', backup_of: null });
  await db.query(sql.auditPause, ['asked for at the terminal', now.toString()]);
}

/** Within a transaction. Deliveries run from this location from its commit on. */
export async function writeRelease(db: Pick<PoolClient, 'query'>, now: Temporal.Instant): Promise<void> {
  await writeSetting(db, { key: keys.location, value: await locationOf(db), now: now.toString() });
  await writeSetting(db, { key: keys.deliveryPause, value: { state: 'released' }, now: now.toString() });
}

/** Returns why deliveries are paused. Pauses them when the database runs in another place than where it last delivered. */
async function pauseIfMoved(pool: Pool, now: Temporal.Instant): Promise<DeliveryPauseNotice | null> {
  return inTransaction(pool, async (client) => {
    await client.query(sql.lockDeliveryPause);
    const known = await readNotice(client);
    if (known !== null) return known;
    const here = await locationOf(client);
    const last = await readSetting(client, keys.location);
    if (last === undefined) await writeSetting(client, { key: keys.location, value: here, now: now.toString() });
    if (last === undefined || isSameLocation(Location.parse(last), here)) return null;
    const notice: DeliveryPauseNotice = { since: now.toString(), reason: 'moved', backup_of: null };
    await writeNotice(client, notice);
    await client.query(sql.auditPause, ['the database has moved', notice.since]);
    return notice;
  });
}

async function locationOf(db: Pick<PoolClient, 'query'>): Promise<Location> {
  const one = async (text: string) => (await db.query<{ id: string }>(text)).rows[0]?.id ?? null;
  const { rows } = await db.query<{ may: boolean }>(sql.mayAskCluster);
  return {
    cluster: rows[0]?.may === true ? await one(sql.clusterId) : null,
    database: (await one(sql.databaseId)) ?? '',
  };
}

const isSameLocation = (a: Location, b: Location) =>
  a.database === b.database && (a.cluster === null || b.cluster === null || a.cluster === b.cluster);
