import { describe, it } from 'vitest';
import { asOwner } from './look.ts';
import { openScene, quickLimits } from './scene.ts';
import { cutOff, expectAllServed } from './served.ts';

/** The worker keeps its lease while it cannot renew it. */
const limits = { ...quickLimits, leaseMs: 60_000, slots: 96, slotsPerWorkspace: 64 };

describe('a database', () => {
  it('accepts no changes for a while, under load: the status says so, and then everybody is served once', async (test) => {
    const scene = await openScene(test, { answerAfterMs: 50 });
    await scene.writeDue(800);
    const worker = scene.start({ limits });
    const { url } = await worker.ready;
    const ready = async () => (await fetch(`${url}/api/ready`)).status;
    const saysSo = async () => (await (await fetch(`${url}/api/status`)).text()).includes('"trouble":"read_only"');
    await scene.sink.received(200);
    scene.sink.holdRequests();
    await setReadOnly(scene.databaseUrl, 'on');
    const at = Date.now();
    const inFlight = cutOff(await scene.look(), worker);
    test.expect(inFlight.size).toBeGreaterThan(0);
    scene.sink.release();
    await worker.line(/read-only transaction.*recording outcomes failed/);
    await test.expect.poll(ready).toBe(503);
    await test.expect.poll(saysSo).toBe(true);
    await setReadOnly(scene.databaseUrl, 'off');
    await scene.allJobsEnded();
    await expectAllServed(scene, {
      scenario: 'the database accepts no changes for a while',
      inFlight,
      at,
      takenUpAt: null,
    });
    await test.expect.poll(ready).toBe(200);
    await test.expect.poll(saysSo).toBe(false);
    worker.signal('SIGTERM');
    test.expect(await worker.ended).toMatchObject({ code: 0 });
  });
}, 120_000);

/** For connections that are made from now on; all but ours are made anew. */
async function setReadOnly(databaseUrl: string, value: 'on' | 'off'): Promise<void> {
  const maintenance = new URL(databaseUrl);
  const name = maintenance.pathname.slice(1);
  maintenance.pathname = '/postgres';
  await asOwner(maintenance.href, async (admin) => {
    await admin.query(`alter database ${name} set default_transaction_read_only = ${value}`);
    await admin.query(
      'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1 and usename <> current_user',
      [name],
    );
  });
}
