import { describe, it, type TestContext } from 'vitest';
import { resumeDeliveries } from '#engine/pause/resume.ts';
import { systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import { DatabaseAddress } from '#platform/database-address.ts';
import { createLog } from '#platform/log.ts';
import { startDatabasePair } from '#testing/database-pair.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { openScene, quickLimits } from './scene.ts';
import { cutOff, expectAllServed } from './served.ts';
import { report } from './table.ts';

/** Longer than a fail-over takes. */
const limits = { ...quickLimits, leaseMs: 15_000, slots: 96, slotsPerWorkspace: 64 };

describe('the primary is killed under load, both hosts stand in DATABASE_URL, and', () => {
  it('its synchronous standby is promoted', async (test) => {
    const { pair, scene } = await openPair(test);
    await pair.waitForStandby(true);
    await scene.writeDue(2_000);
    const worker = scene.start({ limits, standby: 'synchronous' });
    await scene.sink.received(600);
    const inFlight = cutOff(await scene.look(), worker);
    await pair.killPrimary();
    const at = Date.now();
    await pair.promote();
    await scene.allJobsEnded();
    await expectAllServed(scene, { scenario: 'synchronous standby promoted', inFlight, at, takenUpAt: null });
    worker.signal('SIGTERM');
    test.expect(await worker.ended).toMatchObject({ code: 0 });
  }, 180_000);

  it('its asynchronous standby, which was behind, is promoted', async (test) => {
    const { pair, scene } = await openPair(test);
    await scene.writeDue(2_000);
    const worker = scene.start({ limits });
    await scene.sink.received(400);
    await pair.cutOffStandby();
    // What follows is lost with the primary.
    await scene.sink.received(800);
    const inFlight = cutOff(await scene.look(), worker);
    await pair.killPrimary();
    const at = Date.now();
    await pair.promote();
    await worker.line(/deliveries are paused until somebody resumes them/);
    // Each claim that the standby knows ends with what its recipients have got, or with its lease.
    await scene.none('select from claims limit 1');
    test.expect(repeats()).toEqual([]);

    // What the standby does not know goes out again, under the same ids, and nothing is lost.
    const database = openDatabase(scene.databaseUrl, { encryptionKey: TEST_ENCRYPTION_KEY });
    const deps = { pool: database.engine, clock: systemClock, log: createLog('silent') };
    await resumeDeliveries(deps, { overdue: 'by_rule', actorId: null });
    await database.close();
    await scene.allJobsEnded();
    const messages = scene.messages();
    const served = new Set(messages.map(({ recipient }) => recipient));
    report({
      scenario: 'asynchronous standby promoted, paused and resumed by rule',
      recipients: scene.written.recipients,
      lost: scene.written.recipients - served.size,
      duplicated: messages.length - served.size,
      inFlight: inFlight.size,
      takenUpMs: null,
      endedMs: Date.now() - at,
    });
    test.expect(served.size).toBe(scene.written.recipients);
    test.expect(new Set(messages.map(({ id }) => id)).size).toBe(scene.written.recipients);
    test.expect((await scene.look()).jobs).toEqual({ completed: scene.written.reminders });

    function repeats(): string[] {
      const byRecipient = Map.groupBy(scene.messages(), ({ recipient }) => recipient);
      return [...byRecipient].flatMap(([recipient, copies]) => (copies.length > 1 ? [recipient] : []));
    }
  }, 180_000);
});

async function openPair(test: TestContext) {
  const pair = await startDatabasePair();
  const scene = await openScene(test, {
    answerAfterMs: 50,
    database: { url: DatabaseAddress.parse(pair.url), drop: pair.drop },
  });
  return { pair, scene };
}
