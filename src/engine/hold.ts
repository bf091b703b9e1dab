import type { Pool, PoolClient } from 'pg';
import { z } from 'zod';
import { HoldNotice } from '#contract/hold.ts';
import * as sql from '#engine/hold.sql.ts';
import type { Clock } from '#platform/clock.ts';

export type Hold = {
  /** Why nothing may go out, null when all may. While it is held the database is asked each time, and afterwards no more. */
  notice(): Promise<HoldNotice | null>;
};

/** `engine.place`: where this database last delivered. `engine.hold`: why it does not. */
const keys = { place: 'engine.place', hold: 'engine.hold' } as const;

/** Of the cluster, null where we may not ask; and of the database in it, because a copy may stand beside its original. */
const Place = z.object({ cluster: z.string().nullable(), database: z.string() });
type Place = z.output<typeof Place>;

const StoredHold = z.discriminatedUnion('state', [
  HoldNotice.extend({ state: z.literal('held') }),
  z.object({ state: z.literal('released') }),
]);

/**
 * Looks whether this database may deliver. One that was restored may not, and one that stands elsewhere than where it last
 * delivered may not either: what it has as due may have been sent from there. Somebody has to say so (`releaseHold`).
 * A new database remembers where it stands.
 */
export async function openHold({ pool, clock }: { pool: Pool; clock: Clock }): Promise<Hold> {
  let isHeld = (await settle(pool, clock.now())) !== null;
  return {
    async notice() {
      if (!isHeld) return null;
      const found = await readNotice(pool);
      isHeld = found !== null;
      return found;
    },
  };
}

export async function readNotice(db: Pick<PoolClient, 'query'>): Promise<HoldNotice | null> {
  const { rows } = await db.query<{ value: unknown }>(sql.setting, [keys.hold]);
  if (rows[0] === undefined) return null;
  const stored = StoredHold.parse(rows[0].value);
  return stored.state === 'held' ? HoldNotice.parse(stored) : null;
}

/** Within a transaction: nothing is claimed from its commit on. */
export const writeNotice = (db: Pick<PoolClient, 'query'>, notice: HoldNotice) =>
  remember(db, { key: keys.hold, value: { state: 'held', ...notice }, now: notice.since });

/** Within a transaction: from its commit on this place delivers. */
export async function writeRelease(db: Pick<PoolClient, 'query'>, now: Temporal.Instant): Promise<void> {
  await remember(db, { key: keys.place, value: await placeOf(db), now: now.toString() });
  await remember(db, { key: keys.hold, value: { state: 'released' }, now: now.toString() });
}

async function settle(pool: Pool, now: Temporal.Instant): Promise<HoldNotice | null> {
  return inTransaction(pool, async (client) => {
    await client.query(sql.lockHold);
    const known = await readNotice(client);
    if (known !== null) return known;
    const here = await placeOf(client);
    const { rows } = await client.query<{ value: unknown }>(sql.setting, [keys.place]);
    if (rows[0] === undefined) await remember(client, { key: keys.place, value: here, now: now.toString() });
    if (rows[0] === undefined || isSamePlace(Place.parse(rows[0].value), here)) return null;
    const notice: HoldNotice = { since: now.toString(), reason: 'moved', backup_of: null };
    await writeNotice(client, notice);
    return notice;
  });
}

async function placeOf(db: Pick<PoolClient, 'query'>): Promise<Place> {
  const one = async (text: string) => (await db.query<{ id: string }>(text)).rows[0]?.id ?? null;
  const { rows } = await db.query<{ may: boolean }>(sql.mayAskCluster);
  return {
    cluster: rows[0]?.may === true ? await one(sql.clusterId) : null,
    database: (await one(sql.databaseId)) ?? '',
  };
}

const isSamePlace = (a: Place, b: Place) =>
  a.database === b.database && (a.cluster === null || b.cluster === null || a.cluster === b.cluster);

const remember = (db: Pick<PoolClient, 'query'>, { key, value, now }: { key: string; value: object; now: string }) =>
  db.query(sql.remember, [key, JSON.stringify(value), now]);

export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    isBroken = false;
    return result;
  } finally {
    // A broken connection is closed, which rolls back.
    client.release(isBroken);
  }
}
