import { describe, it } from 'vitest';
import { createTestDatabase } from '#testing/database.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { openScene, quickLimits } from './scene.ts';
import { cutOff, expectAllServed } from './served.ts';

const limits = { ...quickLimits, leaseMs: 15_000, slots: 96, slotsPerWorkspace: 64 };

describe('PgBouncer', () => {
  it('keeps sessions, and is killed three times under load', async (test) => {
    const database = await createTestDatabase();
    const pooler = await startPgBouncer({ url: database.url, mode: 'session' });
    test.onTestFinished(() => pooler.stop());
    const scene = await openScene(test, { answerAfterMs: 50, database });
    await scene.writeDue(1_500);
    const worker = scene.start({ limits, databaseUrl: pooler.through(database.url), settings: {} });
    for (let round = 1; round <= 3; round += 1) {
      await scene.sink.received(round * 300);
      await pooler.killAndRestart();
    }
    const at = Date.now();
    const inFlight = cutOff(await scene.look(), worker);
    await scene.allJobsEnded();
    await expectAllServed(scene, { scenario: 'PgBouncer (sessions) killed 3 times', inFlight, at, takenUpAt: null });
    worker.signal('SIGTERM');
    test.expect(await worker.ended).toMatchObject({ code: 0 });
  }, 180_000);

  it('keeps transactions only, and the start is refused', async (test) => {
    const database = await createTestDatabase();
    const pooler = await startPgBouncer({ url: database.url, mode: 'transaction' });
    test.onTestFinished(() => pooler.stop());
    const scene = await openScene(test, { database });
    const refused = scene.start({ isPlain: true, databaseUrl: pooler.through(database.url) });
    test.expect(await refused.ended).toMatchObject({
      code: 1,
      stderr: test.expect.stringMatching(/^DATABASE_URL: it leads to a pooler in transaction mode.*\n$/),
    });
  }, 60_000);
});
