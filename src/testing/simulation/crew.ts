import { startWorker, type Worker } from '#testing/simulation/worker.ts';
import type { World } from '#testing/simulation/world.ts';

/** The workers of a simulation. Who dies is followed by another. */
export type Crew = {
  start(): void;
  mourn(): void;
  /** Something may be due: some of them hear of it. */
  wake(): void;
  /** All die at once, and the next come after this time. */
  outage(ms: number): void;
  /** One is told to stop, and followed by another. */
  restartOne(): void;
  /** Whoever stands still goes on, and somebody works. */
  recover(): void;
  stopAll(): Promise<void>;
};

export function createCrew(world: World): Crew {
  const { scenario, timeline, history, random } = world;
  const crew = new Set<Worker>();
  let hired = 0;
  let isOutage = false;

  const working = () => [...crew].filter(({ life }) => life.isAlive());

  function hire(): void {
    hired += 1;
    const isAlone = scenario.isAlone && working().length === 0;
    history.tell({ kind: 'mishap', worker: `w${hired}`, what: isAlone ? 'starts, alone' : 'starts' });
    crew.add(startWorker(world, { name: `w${hired}`, isAlone }));
  }

  function fillUp(count: number): void {
    if (isOutage) return;
    while (working().length < count) hire();
  }

  return {
    start: () => fillUp(scenario.workers),
    mourn() {
      timeline.at(timeline.nowMs() + random.pick([100, 2_000, 20_000, 80_000]), () => fillUp(scenario.workers));
    },
    wake() {
      for (const worker of working()) {
        if (world.strikes('notifyLost', 1)) history.count('lost notifications');
        else timeline.at(timeline.nowMs() + random.pick([0, 1, 30]), worker.wake);
      }
    },
    outage(ms) {
      isOutage = true;
      for (const worker of working()) worker.die('in an outage');
      timeline.at(timeline.nowMs() + ms, () => {
        isOutage = false;
        fillUp(scenario.workers);
      });
    },
    restartOne() {
      const [worker] = random.shuffled(working());
      if (worker === undefined) return;
      history.tell({ kind: 'mishap', worker: worker.name, what: 'is told to stop' });
      history.count('graceful stops');
      void worker.stop().then(() => {
        history.tell({ kind: 'mishap', worker: worker.name, what: 'has stopped' });
        this.mourn();
      });
    },
    recover() {
      isOutage = false;
      for (const { life } of crew) life.thaw();
      fillUp(1);
    },
    async stopAll() {
      await Promise.all(working().map((worker) => worker.stop()));
    },
  };
}
