import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** How long writes must have been fast, one every `everyMs`. */
const calmMs = 3_000;
const everyMs = 20;
const fastMs = 5;

/**
 * Waits until small writes to the disk of the databases are fast, at most for three minutes. Filling a database writes hundreds of
 * megabytes, and a virtual machine's host may write them long after they were synced here: a commit then waits for up to a second.
 *
 * @returns false when the disk did not come to rest
 */
export async function untilDiskIsCalm({ patienceMs = 180_000 } = {}): Promise<boolean> {
  const path = join(tmpdir(), `cuebird-bench-disk-${process.pid}`);
  const file = await open(path, 'w');
  const page = Buffer.alloc(8_192);
  const deadline = performance.now() + patienceMs;
  try {
    for (let calmSince = performance.now(); performance.now() - calmSince < calmMs; await wait(everyMs)) {
      if (performance.now() > deadline) return false;
      const begunAt = performance.now();
      await file.write(page, 0, page.length, 0);
      await file.datasync();
      if (performance.now() - begunAt > fastMs) calmSince = performance.now();
    }
    return true;
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

/** For the text of a part that was measured all the same. */
export const busyDisk = '; the disk had not come to rest before';
