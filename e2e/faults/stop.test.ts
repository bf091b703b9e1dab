import { describe, it } from 'vitest';
import { openScene } from './scene.ts';
import { cutOff, expectAllServed } from './served.ts';

describe.concurrent('a server that is told to stop while it sends', () => {
  it('records what is in flight, ends well, and leaves the rest to the next start', async (test) => {
    const scene = await openScene(test, { answerAfterMs: 500 });
    await scene.writeDue(1_500);
    const stopped = scene.start({ isPlain: true });
    await scene.sink.received(300);
    // Else a busy machine looks when all that was in flight has been answered.
    scene.sink.holdRequests();
    stopped.signal('SIGTERM');
    const at = Date.now();
    const inFlight = cutOff(await scene.look(), stopped);
    test.expect(inFlight.size).toBeGreaterThan(200);
    scene.sink.release();
    test.expect(await stopped.ended).toMatchObject({ code: 0, stderr: test.expect.not.stringContaining('"level"') });
    test.expect(Date.now() - at).toBeLessThan(26_000);
    const left = await scene.look();
    test.expect(left.running).toEqual([]);
    test.expect(left.jobs.running).toBe(undefined);
    test.expect(left.jobs.pending).toBeGreaterThan(0);

    const next = scene.start({ isPlain: true });
    await next.ready;
    const readyAt = Date.now();
    await scene.allJobsEnded();
    test.expect(Date.now() - readyAt).toBeLessThan(15_000);
    await expectAllServed(scene, { scenario: 'SIGTERM', inFlight, at, takenUpAt: null });
  });
}, 120_000);
