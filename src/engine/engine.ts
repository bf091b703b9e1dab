import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { DefaultRoute, Network } from '#delivery/adapter.ts';
import type { Billing } from '#contract/plans.ts';
import { type Renderer, renderOnThisThread } from '#domain/rendering.ts';
import { runArchiver } from '#engine/maintenance/archiver.ts';
import { defaultLimits, type DispatcherLimits, startDispatcher } from '#engine/claiming/dispatcher.ts';
import { runTotaller } from '#engine/maintenance/totaller.ts';
import { runScheduler } from '#engine/maintenance/scheduler.ts';
import { createPostgresStore } from '#engine/postgres/store.ts';
import { createRecorder, type Recorded } from '#engine/execution/recorder.ts';
import { rescueAll, runRescuer } from '#engine/maintenance/rescuer.ts';
import { createRoutes } from '#engine/run/routes.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import type { LiveDelivery } from '#engine/run/live-delivery.ts';
import type { EngineStore } from '#engine/store.ts';
import { recomputeAfterTzChange } from '#engine/maintenance/tz-data.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { PubSub } from '#platform/pubsub.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type EngineDeps = {
  pool: Pool;
  /** Replaces the PostgreSQL store in simulations. */
  store?: EngineStore;
  pubsub: PubSub;
  secrets: SecretBox;
  defaults: DefaultRoute;
  /** The routes that demos send over; without it demos send nothing. */
  demoRoutes?: DefaultRoute;
  network: Network;
  /** Renders the messages. Default: the engine's own thread. */
  renderer?: Renderer;
  clock: Clock;
  random: () => number;
  log: Log;
  /**
   * True when no other worker can run, because this process owns the database. Running jobs are then rescued at once.
   */
  isAlone: boolean;
  /** Version of the timezone data. Default: that of this Node.js. */
  tzVersion?: string;
  /** True while nothing may be claimed or deleted. Checked before each claim. */
  isPaused?: () => Promise<boolean>;
  /** Whether plans limit what is sent. */
  billing?: Billing;
  limits?: DispatcherLimits;
  onRecorded?: (recorded: Recorded) => void;
  /** Called with the error of each write of outcomes that failed and is tried again, and with null once one succeeds after that. */
  onWrite?: (failure: unknown) => void;
  /** Called when an attempt begins. */
  onAttempt?: (run: JobRun, delivery: LiveDelivery) => void;
  /** How long results are gathered under load before they are written (`usualGatherMs`). Default: no gathering. */
  gatherMs?: number;
  /**
   * Called when occurrences are not sent although nobody cancelled them. `notices` holds what their owners are to be
   * told.
   */
  onUnsent?: () => void;
};

export type Engine = {
  stop(graceMs: number): Promise<void>;
  /** How many deliveries of claimed jobs have no outcome yet. */
  openDeliveries(): number;
};

/** Starts every background actor. */
export async function startEngine(deps: EngineDeps): Promise<Engine> {
  const { clock, random, log, isPaused = async () => false } = deps;
  const store = deps.store ?? createPostgresStore(deps.pool);
  const stopped = new AbortController();
  if (deps.isAlone) await rescueAll({ store, clock, random, log, onRescued: () => {} });

  await recomputeAfterTzChange({
    pool: deps.pool,
    clock,
    log,
    tzVersion: deps.tzVersion ?? process.versions.tz ?? 'unknown',
    // A failure leaves the pending jobs at their times under the old rules, and the next start tries again.
  }).catch((error: unknown) =>
    log.error({ error: String(error) }, 'recomputing occurrences for new timezone data failed'),
  );

  const recorder = createRecorder({
    onPostponed: () => dispatcher.wake(),
    store,
    clock,
    random,
    log,
    onRecorded: deps.onRecorded,
    onWrite: deps.onWrite,
    gatherMs: deps.gatherMs ?? 0,
  });
  const dispatcher = startDispatcher({
    store,
    recorder,
    findRoute: createRoutes({ secrets: deps.secrets, defaults: deps.defaults, demoRoutes: deps.demoRoutes }),
    network: deps.network,
    secrets: deps.secrets,
    renderer: deps.renderer ?? renderOnThisThread,
    billing: deps.billing ?? 'off',
    clock,
    random,
    log,
    worker: `${hostname()}:${process.pid}`,
    isPaused,
    limits: deps.limits,
    onUnsent: deps.onUnsent,
    onAttempt: deps.onAttempt,
  });
  const unsubscribe = deps.pubsub.subscribe('cuebird_due', dispatcher.wake);
  const scheduler = runScheduler({ store, clock, log, onScheduled: dispatcher.wake }, stopped.signal);
  const limits = deps.limits ?? defaultLimits;
  const rescuer = runRescuer({ store, clock, random, log, limits, onRescued: dispatcher.wake }, stopped.signal);

  // A simulation with its own store keeps no history.
  const archiver = deps.store === undefined && runArchiver({ pool: deps.pool, clock, log, isPaused }, stopped.signal);
  const totaller = deps.store === undefined && runTotaller({ pool: deps.pool, clock, log }, stopped.signal);

  return {
    openDeliveries: dispatcher.openDeliveries,
    async stop(graceMs) {
      unsubscribe();
      stopped.abort();
      await Promise.all([dispatcher.stop(graceMs), scheduler, rescuer, archiver, totaller]);
    },
  };
}
