import { Pool } from 'pg';
import { type Engine, startEngine } from '#engine/engine.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { createFaultyStore } from '#simulation/faulty-store.ts';
import { createWorkerState, type WorkerState } from '#simulation/worker-state.ts';
import { createOutside } from '#simulation/outside.ts';
import { defaultRoutes } from '#simulation/routes.ts';
import type { Process, World } from '#simulation/world.ts';

export type Worker = {
  name: string;
  state: WorkerState;
  /** Notifies it that something may be due. */
  wake(): void;
  die(where: string): void;
  /** As on SIGTERM. Resolves when it has ended. */
  stop(): Promise<void>;
};

const secrets = createSecretBox(TEST_ENCRYPTION_KEY);
const graceMs = 25_000;
const tzVersion = 'the same as ever';

/**
 * Connects to nothing. The engine asks it only for the version of the time-zone data and uses its store for all else.
 */
const pool = Object.assign(new Pool(), { query: async () => ({ rows: [{ value: tzVersion }] }) });

export function startWorker(world: World, { name, isAlone }: { name: string; isAlone: boolean }): Worker {
  const state = createWorkerState();
  const process: Process = {
    name,
    state,
    world,
    happens: (kind, weight) => state.isAlive() && world.happens(kind, weight),
    die,
    freeze,
  };
  const listeners = new Set<(payload: string | null) => void>();
  const clock = createClock(process);
  const starting = startEngine({
    pool,
    store: createFaultyStore(world.backend.store, process),
    pubsub: {
      subscribe: (_, listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      isListening: () => true,
      close: async () => {},
    },
    secrets,
    defaults: defaultRoutes,
    network: createOutside(process),
    clock,
    random: world.engineRandom.next,
    log: createLog(process),
    isAlone,
    tzVersion,
    limits: world.scenario.limits,
  });
  // Like a process, it exits when the database is away at its start.
  starting.catch(() => die('at its start'));

  function die(where: string): void {
    if (!state.isAlive()) return;
    world.history.record({ kind: 'worker', worker: name, what: `dies ${where}` });
    world.history.count('deaths');
    state.kill();
    world.workers.onWorkerDeath();
  }

  function freeze(where: string): void {
    if (!state.isAlive()) return;
    const ms = world.random.pick([2_000, 30_000, 100_000, 180_000, 400_000]);
    world.history.record({ kind: 'worker', worker: name, what: `freezes ${where} for ${ms / 1_000} s` });
    world.history.count('freezes');
    state.freeze();
    world.timeline.at(world.timeline.nowMs() + ms, state.thaw);
  }

  return {
    name,
    state,
    wake: () => state.enter(() => listeners.forEach((listener) => listener(''))),
    die,
    async stop() {
      const engine: Engine = await starting;
      await engine.stop(graceMs);
      state.kill();
    },
  };
}

function createClock({ world: { timeline }, state }: Process): Clock {
  const now = () => Temporal.Instant.fromEpochMilliseconds(timeline.nowMs());
  return {
    now,
    epochMs: timeline.nowMs,
    steadyMs: timeline.steadyMs,
    sleepUntil(instant, signal) {
      if (signal.aborted || instant.epochMilliseconds <= timeline.nowMs()) return Promise.resolve();
      return new Promise((resolve) => {
        const cancelTimer = timeline.at(instant.epochMilliseconds, wake);
        function wake() {
          cancelTimer();
          timeline.touch();
          signal.removeEventListener('abort', wake);
          state.enter(resolve);
        }
        signal.addEventListener('abort', wake);
      });
    },
  };
}

function createLog({ world, name, state }: Process): Log {
  const record = (...words: unknown[]) => {
    if (state.isAlive()) world.history.record({ kind: 'log', worker: name, what: words.map(inWords).join(' ') });
  };
  return { debug: () => {}, info: () => {}, warn: record, error: record };
}

const inWords = (part: unknown) => (typeof part === 'string' ? part : JSON.stringify(part));
