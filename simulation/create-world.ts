import type { OpenBackend } from '#simulation/backend.ts';
import { createFailOvers, noFailOvers } from '#simulation/fail-overs.ts';
import { createFenceWatch } from '#simulation/fences.ts';
import { createHistory } from '#simulation/history.ts';
import { createNetworkFaults } from '#simulation/network-faults.ts';
import { createRandom } from '#simulation/random.ts';
import type { Scenario } from '#simulation/scenario.ts';
import { createTimeline } from '#simulation/timeline.ts';
import { createUsers } from '#simulation/users.ts';
import { createWorkers } from '#simulation/workers.ts';
import type { World } from '#simulation/world.ts';

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
    failOvers: scenario.hasFailOvers
      ? createFailOvers(backend, { scenario, history, random: stream(8), isChaos: () => isChaos })
      : noFailOvers,
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
      isChaos && weight > 0 && scenario.workerFaults[kind] > 0 && random.chance(scenario.workerFaults[kind] * weight),
    async maybeInterleave(event) {
      if (
        isChaos &&
        scenario.actEveryMs !== null &&
        random.chance(scenario.hasConsents ? 0.4 : scenario.hasChains || scenario.seed % 5 === 0 ? 0.12 : 0.06)
      )
        await users.actOn(event);
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
