import { setTimeout as wait } from 'node:timers/promises';

/** Asks every 5 ms; throws after a minute. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error('Not everything was done within a minute after the last send.');
    await wait(5);
  }
}
