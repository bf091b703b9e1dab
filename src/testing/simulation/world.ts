import { createCrew, type Crew } from '#testing/simulation/crew.ts';
import { createCrowd, type Crowd } from '#testing/simulation/crowd.ts';
import { createFenceWatch, type FenceWatch } from '#testing/simulation/fences.ts';
import type { Ground, OpenGround } from '#testing/simulation/ground.ts';
import { createHistory, type Happening, type History } from '#testing/simulation/history.ts';
import { createRandom, type Random } from '#testing/simulation/random.ts';
import type { Mishaps, Scenario } from '#testing/simulation/scenario.ts';
import { createTimeline, type Timeline } from '#testing/simulation/timeline.ts';
import { createWeather, type Weather } from '#testing/simulation/weather.ts';

/** Everything that a simulated worker and its people meet. Each draws its luck apart from the others. */
export type World = {
  scenario: Scenario;
  ground: Ground;
  timeline: Timeline;
  history: History;
  weather: Weather;
  fences: FenceWatch;
  crew: Crew;
  crowd: Crowd;
  random: Random;
  engineRandom: Random;
  crowdRandom: Random;
  isChaos(): boolean;
  strikes(kind: keyof Mishaps, weight: number): boolean;
  /** People may act right after this took effect, before the worker hears of it. */
  tempt(happening: Happening): Promise<void>;
  /** Happens when next a request is under way. */
  ambush(happen: () => void): void;
  spring(): void;
  /** Nothing goes wrong from now on. */
  calm(): void;
};

export async function createWorld(scenario: Scenario, openGround: OpenGround): Promise<World> {
  const { seed } = scenario;
  const stream = (number: number) => createRandom(seed, number);
  const timeline = createTimeline(scenario.startMs, stream(2).next);
  const history = createHistory(timeline);
  const ground = await openGround(scenario, stream(3));
  const random = stream(4);
  let isChaos = true;
  const waiting: (() => void)[] = [];
  const world: World = {
    scenario,
    ground,
    timeline,
    history,
    weather: createWeather({ random: stream(5), storm: scenario.storm, nowMs: timeline.nowMs }),
    fences: createFenceWatch(ground, history),
    get crew() {
      return crew;
    },
    get crowd() {
      return crowd;
    },
    random,
    engineRandom: stream(6),
    crowdRandom: stream(7),
    isChaos: () => isChaos,
    strikes: (kind, weight) => isChaos && scenario.mishaps[kind] > 0 && random.chance(scenario.mishaps[kind] * weight),
    async tempt(happening) {
      if (isChaos && scenario.actEveryMs !== null && random.chance(0.06)) await crowd.actOn(happening);
    },
    ambush: (happen) => void waiting.push(happen),
    spring() {
      for (const happen of waiting.splice(0)) if (isChaos) happen();
    },
    calm() {
      isChaos = false;
      world.weather.clear();
    },
  };
  const crew = createCrew(world);
  const crowd = createCrowd(world);
  return world;
}
