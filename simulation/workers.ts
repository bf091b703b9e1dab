import { startWorker, type Worker } from '#simulation/worker.ts';
import type { Workers, World } from '#simulation/world.ts';

export function createWorkers(world: World): Workers {
  const { scenario, timeline, history, random } = world;
  const workers = new Set<Worker>();
  let spawned = 0;
  let isOutage = false;

  const working = () => [...workers].filter(({ state }) => state.isAlive());

  function spawn(): void {
    spawned += 1;
    const isAlone = scenario.isAlone && working().length === 0;
    history.record({ kind: 'worker', worker: `w${spawned}`, what: isAlone ? 'starts, alone' : 'starts' });
    workers.add(startWorker(world, { name: `w${spawned}`, isAlone }));
  }

  function fillUp(count: number): void {
    if (isOutage) return;
    while (working().length < count) spawn();
  }

  return {
    start: () => fillUp(scenario.workers),
    onWorkerDeath() {
      timeline.at(timeline.nowMs() + random.pick([100, 2_000, 20_000, 80_000]), () => fillUp(scenario.workers));
    },
    wake() {
      for (const worker of working()) {
        if (world.happens('notifyLost', 1)) history.count('lost notifications');
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
      history.record({ kind: 'worker', worker: worker.name, what: 'is stopped' });
      history.count('graceful stops');
      void worker.stop().then(() => {
        history.record({ kind: 'worker', worker: worker.name, what: 'has stopped' });
        this.onWorkerDeath();
      });
    },
    recover() {
      isOutage = false;
      for (const { state } of workers) state.thaw();
      fillUp(1);
    },
    async stopAll() {
      await Promise.all(working().map((worker) => worker.stop()));
    },
  };
}
