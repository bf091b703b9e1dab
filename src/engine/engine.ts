import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { DefaultRoute, Network } from '#delivery/adapter.ts';
import type { Billing } from '#domain/allowance.ts';
import { runArchiver } from '#engine/archiver.ts';
import { defaultLimits, type DispatcherLimits, startDispatcher } from '#engine/dispatcher.ts';
import { runPlanner } from '#engine/planner.ts';
import { createPostgresStore } from '#engine/postgres/store.ts';
import { createRecorder, type Recorded } from '#engine/recorder.ts';
import { rescueAll, runRescuer } from '#engine/rescuer.ts';
import { createRoutes } from '#engine/routes.ts';
import type { EngineStore } from '#engine/store.ts';
import { recomputeAfterTzChange } from '#engine/tz-data.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { PubSub } from '#platform/pubsub.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type EngineDeps = {
  pool: Pool;
  /** In place of the pool's, for simulations. */
  store?: EngineStore;
  pubsub: PubSub;
  secrets: SecretBox;
  defaults: DefaultRoute;
  network: Network;
  clock: Clock;
  random: () => number;
  log: Log;
  /** No other worker can be alive (the database is this process's own): what was running is taken up at once. */
  isAlone: boolean;
  /** Of the time-zone data; this Node's, if not given. */
  tzVersion?: string;
  /** Nothing is to be claimed or let go of for now; asked before each claim. */
  isHeld?: () => Promise<boolean>;
  /** Whether plans limit what is sent. */
  billing?: Billing;
  limits?: DispatcherLimits;
  onRecorded?: (recorded: Recorded) => void;
  /** How long the results of a busy time are gathered before they are written (`usualGatherMs`); none, if not given. */
  gatherMs?: number;
  /** Occurrences that nobody wished away are not sent; of which the owners are to be told is in `notices`. */
  onUnsent?: () => void;
};

export type Engine = { stop(graceMs: number): Promise<void> };

/** Starts every background actor. */
export async function startEngine(deps: EngineDeps): Promise<Engine> {
  const { clock, random, log, isHeld = async () => false } = deps;
  const store = deps.store ?? createPostgresStore(deps.pool);
  const stopped = new AbortController();
  if (deps.isAlone) await rescueAll({ store, clock, random, log, onRescued: () => {} });

  await recomputeAfterTzChange({
    pool: deps.pool,
    clock,
    log,
    tzVersion: deps.tzVersion ?? process.versions.tz ?? 'unknown',
    onMoved: () => {},
    // What waits goes out by the old rules then, and the next start tries again.
  }).catch((error: unknown) =>
    log.error({ error: String(error) }, 'recomputing occurrences for new time-zone data failed'),
  );

  const recorder = createRecorder({
    onPostponed: () => dispatcher.wake(),
    store,
    clock,
    random,
    log,
    onRecorded: deps.onRecorded,
    gatherMs: deps.gatherMs ?? 0,
  });
  const dispatcher = startDispatcher({
    store,
    recorder,
    findRoute: createRoutes({ secrets: deps.secrets, defaults: deps.defaults }),
    network: deps.network,
    billing: deps.billing ?? 'off',
    clock,
    random,
    log,
    worker: `${hostname()}:${process.pid}`,
    isHeld,
    limits: deps.limits,
    onUnsent: deps.onUnsent,
  });
  const unsubscribe = deps.pubsub.subscribe('cuebird_due', dispatcher.wake);
  const planner = runPlanner({ store, clock, log, onPlanned: dispatcher.wake }, stopped.signal);
  const limits = deps.limits ?? defaultLimits;
  const rescuer = runRescuer({ store, clock, random, log, limits, onRescued: dispatcher.wake }, stopped.signal);

  // A simulation with a store of its own keeps no history.
  const archiver = deps.store === undefined && runArchiver({ pool: deps.pool, clock, log, isHeld }, stopped.signal);

  return {
    async stop(graceMs) {
      unsubscribe();
      stopped.abort();
      await Promise.all([dispatcher.stop(graceMs), planner, rescuer, archiver]);
    },
  };
}
