import { describe, expect, it } from 'vitest';
import { startTcpProxy } from '#testing/tcp-proxy.ts';
import { openScene } from './scene.ts';
import { cutOff, expectAllServed, workerOf } from './served.ts';

/** For what is in flight. */
const promisedMs = 25_000;
/** For everything. */
const longestMs = 40_000;

describe('a server that is told to stop', () => {
  it('while nobody answers ends in time, and what was in flight is sent again', async (test) => {
    const scene = await openScene(test);
    await scene.writeDue(200);
    scene.sink.holdRequests();
    const stopped = scene.start();
    await scene.sink.received(100);
    const inFlight = cutOff(await scene.look(), stopped);
    expect(inFlight.size).toBeGreaterThanOrEqual(100);
    stopped.signal('SIGTERM');
    const askedAt = Date.now();
    expect(await stopped.ended).toMatchObject({ code: 0 });
    const at = Date.now();
    expect(at - askedAt).toBeLessThan(promisedMs + 3_000);
    scene.sink.release();
    const next = scene.start();
    await scene.none('select from claims where worker like $1', [`%${workerOf(stopped)}`]);
    const takenUpAt = Date.now();
    await scene.allJobsEnded();
    await expectAllServed(scene, { scenario: 'SIGTERM while nobody answers', inFlight, at, takenUpAt });
    next.signal('SIGTERM');
    expect(await next.ended).toMatchObject({ code: 0 });
  });

  it('while its database has fallen silent ends all the same', async (test) => {
    const scene = await openScene(test);
    const proxy = await startTcpProxy(scene.databaseUrl);
    test.onTestFinished(() => proxy.close());
    await scene.writeDue(200);
    scene.sink.holdRequests();
    const stopped = scene.start({ isPlain: true, databaseUrl: proxy.through(scene.databaseUrl) });
    await scene.sink.received(100);
    proxy.freeze();
    stopped.signal('SIGTERM');
    const at = Date.now();
    expect(await stopped.ended).toMatchObject({ code: 1 });
    expect(Date.now() - at).toBeLessThan(longestMs + 3_000);
  });
}, 120_000);
