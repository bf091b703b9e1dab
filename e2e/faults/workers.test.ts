import { describe, it, type TestContext } from 'vitest';
import { leastInFlight, openScene, quickLimits } from './scene.ts';
import { cutOff, expectAllServed, promisedMs, workerOf } from './served.ts';

/** So few slots that neither takes everything at once. */
const limits = { ...quickLimits, slots: 96, slotsPerWorkspace: 96 };

describe.concurrent('two workers on one database', () => {
  it('share what is due, and serve nobody twice', async (test) => {
    const scene = await openScene(test, { answerAfterMs: 20 });
    await scene.writeDue(1_200);
    const at = Date.now();
    const workers = [scene.start({ limits }), scene.start({ limits })];
    scene.sink.holdRequests();
    // More than one alone has slots for, so both are delivering.
    await scene.sink.received(2 * leastInFlight(limits));
    const { running } = await scene.look();
    scene.sink.release();
    await scene.allJobsEnded();
    await expectAllServed(scene, { scenario: 'two workers', inFlight: new Set(), at, takenUpAt: null });
    test.expect(new Set(running.map(({ worker }) => worker)).size).toBe(workers.length);
  });

  it('count what one delivers that was stopped past its lease and goes on, and end no job twice', async (test) => {
    const { scene, stopped, inFlight, at, takenUpAt } = await stopOnePastItsLease(test);
    stopped.signal('SIGCONT');
    await scene.allJobsEnded();
    // What it has in hand is recorded before it ends.
    stopped.signal('SIGTERM');
    test.expect(await stopped.ended).toMatchObject({ code: 0 });
    await expectAllServed(scene, { scenario: 'SIGSTOP past the lease, then SIGCONT', inFlight, at, takenUpAt });
    // Its answers came before anybody tried again.
    test.expect(scene.sink.calls).toHaveLength(400);
  });

  it('change nothing that was decided when one goes on after all was over', async (test) => {
    const { scene, stopped, inFlight, at, takenUpAt } = await stopOnePastItsLease(test);
    await scene.allJobsEnded();
    await expectAllServed(scene, { scenario: 'SIGSTOP until all was over, then SIGCONT', inFlight, at, takenUpAt });
    const decided = await scene.everything();
    stopped.signal('SIGCONT');
    stopped.signal('SIGTERM');
    test.expect(await stopped.ended).toMatchObject({ code: 0 });
    test.expect(await scene.everything()).toEqual(decided);
  });
}, 120_000);

/** One worker has its slots taken when it is stopped; the other takes all that up. */
async function stopOnePastItsLease(test: TestContext) {
  const scene = await openScene(test);
  await scene.writeDue(400);
  scene.sink.holdRequests();
  const stopped = scene.start({ limits });
  await scene.sink.received(96);
  const other = scene.start({ limits });
  await scene.sink.received(limits.slots + leastInFlight(limits));
  stopped.signal('SIGSTOP');
  const at = Date.now();
  const inFlight = cutOff(await scene.look(), stopped);
  test.expect(inFlight.size).toBe(96);
  // The stopped one is answered as well, and cannot hear it.
  scene.sink.release();
  await scene.none('select from claims where worker like $1', [`%${workerOf(stopped)}`]);
  const takenUpAt = Date.now();
  test.expect(takenUpAt - at).toBeLessThan(promisedMs(limits));
  return { scene, stopped, other, inFlight, at, takenUpAt };
}
