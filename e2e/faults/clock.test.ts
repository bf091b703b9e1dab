import { describe, it } from 'vitest';
import { leastInFlight, openScene, quickLimits, type Scene } from './scene.ts';
import { cutOff, expectAllServed, promisedMs, workerOf } from './served.ts';
import { dayMs } from '#domain/instants.ts';

const hourMs = 3_600_000;
const hoursOff = [1, -1];
const limits = { ...quickLimits, slots: 96, slotsPerWorkspace: 96 };

describe.concurrent('a clock that is not right', () => {
  it('jumps by an hour and by a day, either way, and what is due goes out once and not early', async (test) => {
    const scene = await openScene(test);
    await scene.writeDue(300);
    await scene.write([...dueIn(scene, { minutes: 40 }), ...dueIn(scene, { hours: 20 }), ...dueIn(scene, { days: 3 })]);
    const worker = scene.start({ limits });
    await scene.sink.received(100);
    scene.sink.holdRequests();
    await scene.sink.waiting(64);

    const at = Date.now();
    await worker.sendMessage({ aheadMs: hourMs });
    // Whoever takes these leases for long gone would take up what is in flight.
    await worker.sendMessage({ sweeps: 3 });
    scene.sink.release();
    await endedUntil(scene, hourMs);
    await worker.sendMessage({ looks: 2 });
    test.expect(scene.sink.calls).toHaveLength(340);

    await worker.sendMessage({ aheadMs: dayMs });
    await endedUntil(scene, dayMs);
    await worker.sendMessage({ looks: 2 });
    test.expect(scene.sink.calls).toHaveLength(380);

    // Set back under load: what has begun is finished, the rest has not come due yet.
    await worker.sendMessage({ aheadMs: 0 });
    scene.sink.holdRequests();
    await scene.writeDue(300);
    await scene.sink.received(440);
    await worker.sendMessage({ aheadMs: -hourMs });
    await worker.sendMessage({ sweeps: 3 });
    scene.sink.release();
    await worker.sendMessage({ looks: 2 });
    const begun = scene.sink.calls.length;
    test.expect(begun).toBeLessThan(680);
    await worker.sendMessage({ aheadMs: -dayMs });
    await worker.sendMessage({ looks: 2 });
    test.expect(scene.sink.calls).toHaveLength(begun);
    await worker.sendMessage({ aheadMs: 0 });
    await endedUntil(scene, 0);
    test.expect(scene.sink.calls).toHaveLength(680);
    await worker.sendMessage({ aheadMs: 3 * dayMs });
    await scene.allJobsEnded();
    await expectAllServed(scene, { scenario: 'clock jumps ±1 h, ±1 d', inFlight: new Set(), at, takenUpAt: null });
  });

  it.for(hoursOff)('is off by %i hours in one of two workers, and nobody is served twice', async (hours, test) => {
    const scene = await openScene(test);
    await scene.writeDue(400, { hours: 2 });
    scene.sink.holdRequests();
    const workers = [scene.start({ limits, aheadMs: hours * hourMs }), scene.start({ limits })];
    await scene.sink.received(2 * leastInFlight(limits));
    const at = Date.now();
    await Promise.all(workers.map((worker) => worker.sendMessage({ sweeps: 6 })));
    scene.sink.release();
    await scene.allJobsEnded();
    await expectAllServed(scene, { scenario: `clocks ${hours} h apart`, inFlight: new Set(), at, takenUpAt: null });
  });

  it.for(hoursOff)(
    'is off by %i hours in a worker that is killed, and its lease is over in time',
    async (hours, test) => {
      const scene = await openScene(test);
      await scene.writeDue(400, { hours: 2 });
      scene.sink.holdRequests();
      scene.start({ limits });
      await scene.sink.received(96);
      const killed = scene.start({ limits, aheadMs: hours * hourMs, die: { point: 'sent', passing: 60 } });
      await killed.ended;
      const at = Date.now();
      const inFlight = cutOff(await scene.look(), killed);
      scene.sink.release();
      await scene.none('select from claims where worker like $1', [`%${workerOf(killed)}`]);
      const takenUpAt = Date.now();
      await scene.allJobsEnded();
      const scenario = `kill -9, clock ${hours} h off`;
      await expectAllServed(scene, { scenario, inFlight, at, takenUpAt });
      test.expect(takenUpAt - at).toBeLessThan(promisedMs(limits));
    },
  );

  it.for([2, -2])(
    'of a machine is off by %i hours, and what is due goes out in time all the same',
    async (hours, test) => {
      const scene = await openScene(test);
      await scene.writeDue(40);
      await scene.write(dueIn(scene, { hours: 1 }));
      const worker = scene.start({ limits, machineAheadMs: hours * hourMs });
      await endedUntil(scene, 0);
      await worker.sendMessage({ looks: 2 });
      test.expect(scene.sink.calls).toHaveLength(40);
      await worker.line(/differs from the database's/);
      // What is due in an hour waits for it.
      await scene.none("select where (select count(*) from jobs where status = 'pending') <> 40");
    },
  );
}, 120_000);

/** Forty people, each with a reminder due then. */
function dueIn(scene: Scene, duration: Temporal.DurationLike) {
  const at = Temporal.Now.zonedDateTimeISO('UTC').add(duration).toInstant().round('second');
  return Array.from({ length: 40 }, (_, index) => ({
    at,
    recipients: [scene.sink.urlFor(`${at.toString()} ${index}`)],
  }));
}

const endedUntil = (scene: Scene, aheadMs: number) =>
  scene.none(
    "select from jobs where status in ('pending', 'running') and scheduled_for < now() + $1 * interval '1 ms' limit 1",
    [aheadMs],
  );
