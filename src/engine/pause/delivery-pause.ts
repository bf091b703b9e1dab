import type { ClientBase, PoolClient } from 'pg';
import { z } from 'zod';
import { DeliveryPauseNotice } from '#contract/delivery-pause.ts';
import * as sql from '#engine/pause/delivery-pause.sql.ts';
import type { Database } from '#platform/database.ts';
import type { Log } from '#platform/log.ts';
import { inTransaction, inTransactionOn } from '#platform/transaction.ts';
import type { Clock } from '#platform/clock.ts';
import { readSetting, writeSetting } from '#platform/settings.ts';

export type DeliveryPause = {
  /** Why nothing may be sent; null when deliveries run. Asks the database while they are paused; once they run, never again. */
  notice(): Promise<DeliveryPauseNotice | null>;
};

/** `engine.location`: where this database last delivered. `engine.delivery_pause`: why it does not deliver. */
const keys = { location: 'engine.location', deliveryPause: 'engine.delivery_pause' } as const;

/**
 * Where deliveries ran: the cluster (null when we may not read its identity), the database, because a copy may run in the same cluster as its
 * original, and the timeline, because a standby has the identity of its primary. `waitsForStandby`: the server had each commit on a standby.
 */
const Location = z.object({
  cluster: z.string().nullable(),
  database: z.string(),
  timeline: z.string().nullable().default(null),
  waitsForStandby: z.boolean().default(false),
});
type Location = z.output<typeof Location>;

const StoredDeliveryPause = z.discriminatedUnion('state', [
  DeliveryPauseNotice.extend({ state: z.literal('paused') }),
  z.object({ state: z.literal('released') }),
]);

/** What the operator says of the standbys of the database: whether they have every commit. */
type Standby = 'asynchronous' | 'synchronous';

/**
 * Checks whether this database may deliver. A restored one may not, and neither may one that runs in another place than
 * where it last delivered, or after the promotion of a standby that may have been behind: its due jobs may have been sent already. A person has to
 * confirm it (`resumeDeliveries`). A new database stores its location. A promotion is also noticed while the process runs, at its next connection.
 */
export async function openDeliveryPause({
  database: { engine: pool, checkEngineConnections },
  clock,
  log,
  standby = 'asynchronous',
}: {
  database: Pick<Database, 'engine' | 'checkEngineConnections'>;
  clock: Clock;
  log: Log;
  standby?: Standby;
}): Promise<DeliveryPause> {
  const pauseWhereMoved = (client: ClientBase) => pauseIfMoved(client, { now: clock.now(), standby, log });
  const start = await inTransaction(pool, pauseWhereMoved);
  let isPaused = start.notice !== null;
  let { timeline } = start.here;
  if (standby === 'synchronous' && !start.here.waitsForStandby)
    log.error(
      'DATABASE_STANDBY is synchronous, but the server waits for no standby (synchronous_standby_names, synchronous_commit): a fail-over from it pauses deliveries',
    );
  checkEngineConnections(async (client) => {
    const now = await oneId(client, sql.timeline);
    // A connection to a standby would outlive its promotion, and nobody would ask it again.
    if (now === null) throw new Error('the database is a standby, and takes no changes');
    if (now === timeline) return;
    const { notice } = await inTransactionOn(client, () => pauseWhereMoved(client));
    if (notice !== null) isPaused = true;
    timeline = now;
  });
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

type Moved = { notice: DeliveryPauseNotice | null; here: Location };

/** Returns why deliveries are paused. Pauses them when the database is not the one that last delivered. Within a transaction. */
async function pauseIfMoved(
  client: Pick<ClientBase, 'query'>,
  { now, standby, log }: { now: Temporal.Instant; standby: Standby; log: Log },
): Promise<Moved> {
  await client.query(sql.lockDeliveryPause);
  const here = await locationOf(client);
  const known = await readNotice(client);
  if (known !== null) return { notice: known, here };
  const stored = await readSetting(client, keys.location);
  const last = stored === undefined ? null : Location.parse(stored);
  const reason = last === null ? null : reasonToPause({ last, here, standby });
  if (reason === null) {
    if (JSON.stringify(last) !== JSON.stringify(here))
      await writeSetting(client, { key: keys.location, value: here, now: now.toString() });
    if (last !== null && hasOtherTimeline(last, here))
      log.warn({ from: last.timeline, to: here.timeline }, 'a synchronous standby was promoted; deliveries go on');
    return { notice: null, here };
  }
  const notice: DeliveryPauseNotice = { since: now.toString(), reason, backup_of: null };
  await writeNotice(client, notice);
  await client.query(sql.auditPause, [
    reason === 'moved' ? 'the database has moved' : 'a standby was promoted',
    notice.since,
  ]);
  log.error({ reason }, 'deliveries are paused until somebody resumes them');
  return { notice, here };
}

function reasonToPause({
  last,
  here,
  standby,
}: {
  last: Location;
  here: Location;
  standby: Standby;
}): 'moved' | 'promoted' | null {
  const isElsewhere =
    last.database !== here.database ||
    (last.cluster !== null && here.cluster !== null && last.cluster !== here.cluster);
  if (isElsewhere) return 'moved';
  if (!hasOtherTimeline(last, here)) return null;
  // What counts is the server that delivered, not the promoted one, which may have no standby yet.
  return standby === 'synchronous' && last.waitsForStandby ? null : 'promoted';
}

const hasOtherTimeline = (last: Location, here: Location) =>
  last.timeline !== null && here.timeline !== null && last.timeline !== here.timeline;

async function locationOf(db: Pick<ClientBase, 'query'>): Promise<Location> {
  const { rows } = await db.query<{ may: boolean }>(sql.mayAskCluster);
  const { rows: commits } = await db.query<{ waits: boolean }>(sql.waitsForStandby);
  return {
    cluster: rows[0]?.may === true ? await oneId(db, sql.clusterId) : null,
    database: (await oneId(db, sql.databaseId)) ?? '',
    timeline: await oneId(db, sql.timeline),
    waitsForStandby: commits[0]?.waits === true,
  };
}

const oneId = async (db: Pick<ClientBase, 'query'>, text: string) =>
  (await db.query<{ id: string | null }>(text)).rows[0]?.id ?? null;
