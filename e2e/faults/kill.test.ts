import { describe, it } from 'vitest';
import { type FaultPoint, faultPoints } from '#testing/fault-points.ts';
import { openScene, quickLimits } from './scene.ts';
import { cutOff, expectAllServed, promisedMs, workerOf } from './served.ts';

/** So few slots that several claims, and the waiting of long lists, lie on both sides of the fault. */
const limits = { ...quickLimits, slots: 128, slotsPerWorkspace: 96 };

const passings: Record<FaultPoint, number> = { claimed: 3, sent: 150, answered: 150, 'before commit': 2, committed: 2 };

describe.concurrent('a worker that is killed', () => {
  it.for(faultPoints)('%s: leaves everything to its successor', async (point, test) => {
    const scene = await openScene(test);
    const killed = scene.start({ limits, die: { point, passing: passings[point] } });
    const nextOccurrence = scene.start({ limits });
    await Promise.all([killed.ready, nextOccurrence.ready]);
    await scene.writeDue(800);
    // On a busy machine the other worker may take so much that this one does not come to its point.
    const hasEnded = () => Promise.race([killed.ended.then(() => true), scene.allJobsEnded().then(() => false)]);
    while (!(await hasEnded())) await scene.writeDue(400);
    test.expect((await killed.ended).signal).toBe('SIGKILL');
    const at = Date.now();
    const inFlight = cutOff(await scene.look(), killed);
    test.expect(inFlight.size).toBeGreaterThan(0);

    await scene.none('select from claims where worker like $1', [`%${workerOf(killed)}`]);
    const takenUpAt = Date.now();
    await scene.allJobsEnded();
    await expectAllServed(scene, { scenario: `kill -9, ${point}`, inFlight, at, takenUpAt });
    test.expect(takenUpAt - at).toBeLessThan(promisedMs(limits));

    nextOccurrence.signal('SIGTERM');
    test.expect(await nextOccurrence.ended).toMatchObject({ code: 0 });
  });
}, 120_000);
