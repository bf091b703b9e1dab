import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { DefaultRoute, Network } from '#delivery/adapter.ts';
import { type DispatcherLimits, startDispatcher } from '#engine/dispatcher.ts';
import { runPlanner } from '#engine/planner.ts';
import { createRecorder, type Recorded } from '#engine/recorder.ts';
import { rescueAll, runRescuer } from '#engine/rescuer.ts';
import { createRoutes } from '#engine/routes.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { PubSub } from '#platform/pubsub.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type EngineDeps = {
  pool: Pool;
  pubsub: PubSub;
  secrets: SecretBox;
  defaults: DefaultRoute;
  network: Network;
  clock: Clock;
  random: () => number;
  log: Log;
  /** No other worker can be alive (the database is this process's own): what was running is taken up at once. */
  isAlone: boolean;
  limits?: DispatcherLimits;
  onRecorded?: (recorded: Recorded) => void;
};

export type Engine = { stop(graceMs: number): Promise<void> };

/** Starts every background actor. */
export async function startEngine(deps: EngineDeps): Promise<Engine> {
  const { pool, clock, random, log } = deps;
  const stopped = new AbortController();
  if (deps.isAlone) await rescueAll({ pool, clock, random, log, onRescued: () => {} });

  const recorder = createRecorder({
    onPostponed: () => dispatcher.wake(),
    pool,
    clock,
    random,
    log,
    onRecorded: deps.onRecorded,
  });
  const dispatcher = startDispatcher({
    pool,
    recorder,
    findRoute: createRoutes({ secrets: deps.secrets, defaults: deps.defaults }),
    network: deps.network,
    clock,
    log,
    worker: `${hostname()}:${process.pid}`,
    limits: deps.limits,
  });
  const unsubscribe = deps.pubsub.subscribe('cuebird_due', dispatcher.wake);
  const planner = runPlanner({ pool, clock, log, onPlanned: dispatcher.wake }, stopped.signal);
  const rescuer = runRescuer({ pool, clock, random, log, onRescued: dispatcher.wake }, stopped.signal);

  return {
    async stop(graceMs) {
      unsubscribe();
      stopped.abort();
      await Promise.all([dispatcher.stop(graceMs), planner, rescuer]);
    },
  };
}
