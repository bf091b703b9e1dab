import { Pool } from 'pg';
import { type Engine, startEngine } from '#engine/engine.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { createFaultyStore } from '#testing/simulation/faulty-store.ts';
import { createLife, type Life } from '#testing/simulation/life.ts';
import { createOutside } from '#testing/simulation/outside.ts';
import { defaultRoutes } from '#testing/simulation/routes.ts';
import type { Mishaps } from '#testing/simulation/scenario.ts';
import type { World } from '#testing/simulation/world.ts';

/** Where a worker stands in the world, and what may strike it there. */
export type Place = {
  name: string;
  life: Life;
  world: World;
  strikes(kind: keyof Mishaps, weight: number): boolean;
  die(where: string): void;
  freeze(where: string): void;
};

export type Worker = {
  name: string;
  life: Life;
  /** Somebody has told it that something may be due. */
  wake(): void;
  die(where: string): void;
  /** As on SIGTERM. Resolves when it has ended. */
  stop(): Promise<void>;
};

const secrets = createSecretBox(TEST_ENCRYPTION_KEY);
const graceMs = 25_000;
const tzVersion = 'the same as ever';

/** Connects to nothing: the engine asks it for the version of the time-zone data, and its store for all else. */
const pool = Object.assign(new Pool(), { query: async () => ({ rows: [{ version: tzVersion }] }) });

export function startWorker(world: World, { name, isAlone }: { name: string; isAlone: boolean }): Worker {
  const life = createLife();
  const place: Place = {
    name,
    life,
    world,
    strikes: (kind, weight) => life.isAlive() && world.strikes(kind, weight),
    die,
    freeze,
  };
  const listeners = new Set<(payload: string | null) => void>();
  const clock = createClock(place);
  const starting = startEngine({
    pool,
    store: createFaultyStore(world.ground.store, place),
    pubsub: {
      subscribe: (_, listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      close: async () => {},
    },
    secrets,
    defaults: defaultRoutes,
    network: createOutside(place),
    clock,
    random: world.engineRandom.next,
    log: createLog(place),
    isAlone,
    tzVersion,
    limits: world.scenario.limits,
  });
  // A database that is away when it starts is the end of a process, too.
  starting.catch(() => die('at its start'));

  function die(where: string): void {
    if (!life.isAlive()) return;
    world.history.tell({ kind: 'mishap', worker: name, what: `dies ${where}` });
    world.history.count('deaths');
    life.kill();
    world.crew.mourn();
  }

  function freeze(where: string): void {
    if (!life.isAlive()) return;
    const ms = world.random.pick([2_000, 30_000, 100_000, 180_000, 400_000]);
    world.history.tell({ kind: 'mishap', worker: name, what: `freezes ${where} for ${ms / 1_000} s` });
    world.history.count('freezes');
    life.freeze();
    world.timeline.at(world.timeline.nowMs() + ms, life.thaw);
  }

  return {
    name,
    life,
    wake: () => life.enter(() => listeners.forEach((listener) => listener(''))),
    die,
    async stop() {
      const engine: Engine = await starting;
      await engine.stop(graceMs);
      life.kill();
    },
  };
}

function createClock({ world: { timeline }, life }: Place): Clock {
  const now = () => Temporal.Instant.fromEpochMilliseconds(timeline.nowMs());
  return {
    now,
    epochMs: timeline.nowMs,
    steadyMs: timeline.steadyMs,
    sleepUntil(instant, signal) {
      if (signal.aborted || instant.epochMilliseconds <= timeline.nowMs()) return Promise.resolve();
      return new Promise((resolve) => {
        const callOff = timeline.at(instant.epochMilliseconds, wake);
        function wake() {
          callOff();
          timeline.touch();
          signal.removeEventListener('abort', wake);
          life.enter(resolve);
        }
        signal.addEventListener('abort', wake);
      });
    },
  };
}

function createLog({ world, name, life }: Place): Log {
  const tell = (...words: unknown[]) => {
    if (life.isAlive()) world.history.tell({ kind: 'log', worker: name, what: words.map(inWords).join(' ') });
  };
  return { debug: () => {}, info: () => {}, warn: tell, error: tell };
}

const inWords = (part: unknown) => (typeof part === 'string' ? part : JSON.stringify(part));
