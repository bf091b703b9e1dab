import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, it, type TestContext } from 'vitest';
import { connectOwner } from '#testing/owner.ts';
import { startCluster } from './cluster.ts';
import { look } from './look.ts';
import { openScene, quickLimits } from './scene.ts';
import { cutOff, expectAllServed } from './served.ts';

const run = promisify(execFile);
const limits = { ...quickLimits, leaseMs: 15_000, slots: 96, slotsPerWorkspace: 64 };

describe('the disk of the database', { timeout: 240_000 }, () => {
  it.for(['with a server of its own', 'with the built-in server'])('fills under load, %s', async (kind, test) => {
    const disk = await mountSmallDisk(test);
    if (disk === null) return test.skip('this machine does not let us mount a small disk');
    const cluster = await startCluster(disk.folder);
    const scene = await openScene(test, { answerAfterMs: 50, database: cluster });
    await scene.writeDue(1_500);
    const isBuiltIn = kind === 'with the built-in server';
    if (isBuiltIn) await cluster.stop();
    const worker = isBuiltIn
      ? scene.start({ isPlain: true, databaseUrl: '', dataDir: cluster.dataDir })
      : scene.start({ limits });
    await scene.sink.received(200);
    scene.sink.holdRequests();
    // A new connection may have to write a file.
    const owner = await connectOwner(scene.databaseUrl);
    await disk.fill();
    const at = Date.now();
    const inFlight = cutOff(await look(owner), worker);
    await owner.end();
    test.expect(inFlight.size).toBeGreaterThan(0);
    scene.sink.release();
    await worker.line(/recording outcomes failed; trying again/);
    const { url } = await worker.ready;
    const ready = async () => (await fetch(`${url}/api/ready`)).status;
    const saysSo = async () => (await (await fetch(`${url}/api/status`)).text()).includes('"trouble":"read_only"');
    test.expect(await ready()).toBe(503);
    // An answer about the status is reused for ten seconds.
    await test.expect.poll(saysSo, { timeout: 11_000 }).toBe(true);
    test.expect(await ready()).toBe(503);
    await worker.line(/failed; trying again/, 5);
    await disk.empty();
    await cluster.isReachable();
    await test.expect.poll(ready, { timeout: 11_000 }).toBe(200);
    await test.expect.poll(saysSo, { timeout: 11_000 }).toBe(false);
    await scene.allJobsEnded();
    await expectAllServed(scene, { scenario: `the disk fills under load, ${kind}`, inFlight, at, takenUpAt: null });
    worker.signal('SIGTERM');
    test.expect(await worker.ended).toMatchObject({ code: 0 });
  });
});

/** Null where that takes rights that we do not have. */
async function mountSmallDisk({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
  if (process.platform !== 'linux') return null;
  const folder = await mkdtemp(join(tmpdir(), 'cuebird-small-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', folder]);
  } catch {
    await rm(folder, { recursive: true });
    return null;
  }
  onTestFinished(async () => {
    await run('umount', [folder]);
    await rm(folder, { recursive: true });
  });
  const ballast = join(folder, 'ballast');
  return {
    folder,
    async fill(): Promise<void> {
      const file = await open(ballast, 'a');
      const block = Buffer.alloc(64 * 1024);
      // Until nothing more goes in.
      for (let isFull = false; !isFull; )
        isFull = await file.write(block).then(
          ({ bytesWritten }) => bytesWritten < block.length,
          () => true,
        );
      await file.close();
    },
    empty: () => rm(ballast),
  };
}
