import { createWorkers, type Workers } from '#simulation/workers.ts';
import { createUsers, type Users } from '#simulation/users.ts';
import { createFenceWatch, type FenceWatch } from '#simulation/fences.ts';
import type { Backend, OpenBackend } from '#simulation/backend.ts';
import { createHistory, type EventContent, type History } from '#simulation/history.ts';
import { createRandom, type Random } from '#simulation/random.ts';
import type { WorkerFaults, Scenario } from '#simulation/scenario.ts';
import { createTimeline, type Timeline } from '#simulation/timeline.ts';
import { createNetworkFaults, type NetworkFaults } from '#simulation/network-faults.ts';

/** Everything around a simulated worker. Each part has its own random stream. */
export type World = {
  scenario: Scenario;
  backend: Backend;
  timeline: Timeline;
  history: History;
  networkFaults: NetworkFaults;
  fences: FenceWatch;
  workers: Workers;
  users: Users;
  random: Random;
  engineRandom: Random;
  userRandom: Random;
  isChaos(): boolean;
  happens(kind: keyof WorkerFaults, weight: number): boolean;
  /** Users may act after the effect, before the worker gets the answer. */
  maybeInterleave(event: EventContent): Promise<void>;
  /** Runs when the next request is in flight. */
  onNextRequest(happen: () => void): void;
  fire(): void;
  /** No faults from now on. */
  calm(): void;
};

export async function createWorld(scenario: Scenario, openBackend: OpenBackend): Promise<World> {
  const { seed } = scenario;
  const stream = (number: number) => createRandom(seed, number);
  const timeline = createTimeline(scenario.startMs, stream(2).next);
  const history = createHistory(timeline);
  const backend = await openBackend(scenario, stream(3));
  const random = stream(4);
  let isChaos = true;
  const waiting: (() => void)[] = [];
  const world: World = {
    scenario,
    backend,
    timeline,
    history,
    networkFaults: createNetworkFaults({ random: stream(5), faultRate: scenario.faultRate, nowMs: timeline.nowMs }),
    fences: createFenceWatch(backend, history),
    get workers() {
      return workers;
    },
    get users() {
      return users;
    },
    random,
    engineRandom: stream(6),
    userRandom: stream(7),
    isChaos: () => isChaos,
    happens: (kind, weight) =>
      isChaos && scenario.workerFaults[kind] > 0 && random.chance(scenario.workerFaults[kind] * weight),
    async maybeInterleave(event) {
      if (isChaos && scenario.actEveryMs !== null && random.chance(0.06)) await users.actOn(event);
    },
    onNextRequest: (happen) => void waiting.push(happen),
    fire() {
      for (const happen of waiting.splice(0)) if (isChaos) happen();
    },
    calm() {
      isChaos = false;
      world.networkFaults.clear();
    },
  };
  const workers = createWorkers(world);
  const users = createUsers(world);
  return world;
}
