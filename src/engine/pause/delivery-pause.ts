import type { ClientBase, PoolClient } from 'pg';
import { z } from 'zod';
import { type AfterFailOver, DeliveryPauseNotice } from '#contract/delivery-pause.ts';
import { DatabaseLocation, hasOtherTimeline, isElsewhere, readLocation } from '#engine/pause/database-location.ts';
import * as sql from '#engine/pause/delivery-pause.sql.ts';
import type { Database } from '#platform/database.ts';
import type { Log } from '#platform/log.ts';
import { inTransaction, inTransactionOn } from '#platform/transaction.ts';
import type { Clock } from '#platform/clock.ts';
import { readSetting, writeSetting } from '#platform/settings.ts';

export type DeliveryPause = {
  /** Why nothing may be sent; null when deliveries run. Asks the database while they are paused; once they run, never again. */
  notice(): Promise<DeliveryPauseNotice | null>;
  /** What a fail-over would do, as the server was last seen. */
  afterFailOver(): AfterFailOver;
  /** Asks the server no more. */
  stop(): Promise<void>;
};

/** `engine.location`: where this database last delivered. `engine.delivery_pause`: why it does not deliver. */
const keys = { location: 'engine.location', deliveryPause: 'engine.delivery_pause' } as const;

const StoredDeliveryPause = z.discriminatedUnion('state', [
  DeliveryPauseNotice.extend({ state: z.literal('paused') }),
  z.object({ state: z.literal('released') }),
]);

/** What the operator says of the standbys of the database: whether they have every commit. */
type Standby = 'asynchronous' | 'synchronous';

/** How often the server is asked whether it still waits for a standby. */
const lookEveryMs = 5_000;
/** How often that is stored: a start compares it with its own time. */
const storeEveryMs = 15_000;
/** For how long it is taken for true once nobody has seen it: longer than a fail-over takes, shorter than a standby may be behind unnoticed. */
const trustedForMs = 5 * 60_000;

/**
 * Checks whether this database may deliver. A restored one may not, and neither may one that runs in another place than
 * where it last delivered, or after the promotion of a standby that may have been behind: its due jobs may have been sent already. A person has to
 * confirm it (`resumeDeliveries`). A new database stores its location. A promotion is also noticed while the process runs, at its next connection.
 * With a synchronous standby the server is asked again and again whether it waits for one: a cluster manager takes away a standby that does not answer.
 * @param deps.isReporting whether the log says what a fail-over would do, if that is unexpected
 * @throws UnfitDatabase where the server is a standby
 */
export async function openDeliveryPause({
  database: { engine: pool, checkEngineConnections },
  clock,
  log,
  standby = 'asynchronous',
  isReporting = true,
}: {
  database: Pick<Database, 'engine' | 'checkEngineConnections'>;
  clock: Clock;
  log: Log;
  standby?: Standby;
  isReporting?: boolean;
}): Promise<DeliveryPause> {
  const stopped = new AbortController();
  let isPaused = false;
  let storedAt = clock.now();
  let seen: DatabaseLocation | null = null;
  let reported: AfterFailOver | null = null;
  await inTransaction(pool, compare);
  checkEngineConnections(async (client) => {
    // A connection to a standby would outlive its promotion, and nobody would ask it again: `readLocation` refuses it.
    const here = await readLocation(client, clock.now());
    if (here.timeline !== seen?.timeline) await inTransactionOn(client, () => compare(client));
  });
  const done = standby === 'synchronous' ? watch() : Promise.resolve();

  async function compare(client: Pick<ClientBase, 'query'>): Promise<void> {
    const { notice, here } = await pauseIfMoved(client, { now: clock.now(), standby, seen, log });
    if (notice !== null) isPaused = true;
    storedAt = clock.now();
    see(here);
  }

  function see(here: DatabaseLocation): void {
    seen = here;
    const after = afterFailOverOf(here, standby);
    if (isReporting && after !== reported) reportAfterFailOver(log, { after, before: reported });
    reported = after;
  }

  async function watch(): Promise<void> {
    for (;;) {
      await clock.sleepUntil(clock.now().add({ milliseconds: lookEveryMs }), stopped.signal);
      if (stopped.signal.aborted) return;
      await look().catch((error: unknown) =>
        log.debug({ error: String(error) }, 'the server could not be asked whether it waits for a standby'),
      );
    }
  }

  async function look(): Promise<void> {
    const here = await readLocation(pool, clock.now());
    const isNews = here.waitsForStandby !== seen?.waitsForStandby || here.timeline !== seen.timeline;
    if (isNews || clock.now().since(storedAt).total('milliseconds') >= storeEveryMs) await inTransaction(pool, compare);
    else see(here);
  }

  return {
    async notice() {
      if (!isPaused) return null;
      const found = await readNotice(pool);
      isPaused = found !== null;
      return found;
    },
    afterFailOver: () => reported ?? 'unrecognized',
    async stop() {
      stopped.abort();
      await done;
    },
  };
}

function afterFailOverOf({ timeline, waitsForStandby }: DatabaseLocation, standby: Standby): AfterFailOver {
  if (timeline === null) return 'unrecognized';
  if (standby === 'asynchronous') return 'pauses';
  return waitsForStandby ? 'continues' : 'not_synchronous';
}

function reportAfterFailOver(
  log: Log,
  { after, before }: { after: AfterFailOver; before: AfterFailOver | null },
): void {
  switch (after) {
    case 'unrecognized':
      log.error(
        'a promoted standby cannot be recognized, because the login of the database may not call pg_walfile_name: what a fail-over loses may be sent twice',
      );
      break;
    case 'not_synchronous':
      log.error(
        'DATABASE_STANDBY is synchronous, but the server waits for no standby (synchronous_standby_names, synchronous_commit): a fail-over from it pauses deliveries',
      );
      break;
    case 'continues':
    case 'pauses':
      if (before !== null)
        log.info(`a fail-over ${after === 'continues' ? 'lets deliveries go on' : 'pauses deliveries'} again`);
      break;
    default:
      after satisfies never;
  }
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
  await writeSetting(db, { key: keys.location, value: await readLocation(db, now), now: now.toString() });
  await writeSetting(db, { key: keys.deliveryPause, value: { state: 'released' }, now: now.toString() });
}

type Comparison = { now: Temporal.Instant; standby: Standby; seen: DatabaseLocation | null; log: Log };

/**
 * Returns why deliveries are paused. Pauses them when the database is not the one that last delivered. Within a transaction.
 * @param comparison.seen the location as this process last saw it
 */
async function pauseIfMoved(
  client: Pick<ClientBase, 'query'>,
  { now, standby, seen, log }: Comparison,
): Promise<{ notice: DeliveryPauseNotice | null; here: DatabaseLocation }> {
  await client.query(sql.lockDeliveryPause);
  const here = await readLocation(client, now);
  const known = await readNotice(client);
  if (known !== null) return { notice: known, here };
  const stored = await readSetting(client, keys.location);
  const last = stored === undefined ? null : DatabaseLocation.parse(stored);
  const reason = last === null ? null : reasonToPause({ last, here, now, standby, seen });
  if (reason === null) {
    // What we may not read any more is compared once we may again.
    const value = {
      ...here,
      cluster: here.cluster ?? last?.cluster ?? null,
      timeline: here.timeline ?? last?.timeline ?? null,
    };
    await writeSetting(client, { key: keys.location, value, now: now.toString() });
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

type Compared = Omit<Comparison, 'log'> & { last: DatabaseLocation; here: DatabaseLocation };

function reasonToPause({ last, here, now, standby, seen }: Compared): 'moved' | 'promoted' | null {
  if (isElsewhere(last, here)) return 'moved';
  // What is stored may itself be what the standby had before it fell behind: what this process saw later counts more, also where another process has
  // compared already.
  const sawNoStandby =
    standby === 'synchronous' && seen !== null && hasOtherTimeline(seen, here) && !seen.waitsForStandby;
  if (sawNoStandby) return 'promoted';
  if (!hasOtherTimeline(last, here)) return null;
  // What counts is the server that delivered, not the promoted one, which may have no standby yet.
  return standby === 'synchronous' && [last, seen].some((one) => one !== null && isTrusted(one, now))
    ? null
    : 'promoted';
}

const isTrusted = ({ waitsForStandby, seenAt }: DatabaseLocation, now: Temporal.Instant) =>
  waitsForStandby && seenAt !== null && now.since(seenAt).total('milliseconds') <= trustedForMs;
