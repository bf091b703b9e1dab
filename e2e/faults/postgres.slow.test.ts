import { describe, it } from 'vitest';
import { killServerOf, startCluster } from './cluster.ts';
import { openScene, quickLimits } from './scene.ts';
import { cutOff, expectAllServed } from './served.ts';

const rounds = 20;

/** Longer than a server needs to come back. */
const limits = { ...quickLimits, leaseMs: 15_000, slots: 96, slotsPerWorkspace: 64 };

describe('PostgreSQL', () => {
  it(`is killed ${rounds} times under load`, async (test) => {
    const cluster = await startCluster();
    const scene = await openScene(test, { answerAfterMs: 50, database: cluster });
    await scene.writeDue(2_000);
    const worker = scene.start({ limits });
    for (let round = 1; round <= rounds; round += 1) {
      await scene.sink.received(round * 80);
      await cluster.killServer(round % 2 === 0 ? 'SIGKILL' : 'SIGQUIT');
    }
    const at = Date.now();
    const inFlight = cutOff(await scene.look(), worker);
    await scene.allJobsEnded();
    const scenario = `PostgreSQL killed ${rounds} times`;
    await expectAllServed(scene, { scenario, inFlight, at, takenUpAt: null });
    // What was claimed as the server went away waits for its lease, and for its retry.
    test.expect(Date.now() - at).toBeLessThan(limits.leaseMs + limits.sweepMs + 15_000);
    worker.signal('SIGTERM');
    test.expect(await worker.ended).toMatchObject({ code: 0 });
  }, 180_000);

  it('is the built-in one, and is killed three times', async (test) => {
    const cluster = await startCluster();
    const scene = await openScene(test, { database: cluster });
    await scene.writeDue(1_500);
    await cluster.stop();
    const server = scene.start({ isPlain: true, databaseUrl: '', dataDir: cluster.dataDir });
    for (let round = 1; round <= 3; round += 1) {
      await scene.sink.received(round * 300);
      killServerOf(cluster.dataDir, 'SIGKILL');
      await server.line(/PostgreSQL runs again/, round);
    }
    const at = Date.now();
    const inFlight = cutOff(await scene.look(), server);
    await scene.allJobsEnded();
    const scenario = 'built-in PostgreSQL killed 3 times';
    await expectAllServed(scene, { scenario, inFlight, at, takenUpAt: null });
    server.signal('SIGTERM');
    test.expect(await server.ended).toMatchObject({ code: 0 });
  }, 180_000);
});
