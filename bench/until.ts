import { setTimeout as wait } from 'node:timers/promises';

/** Polls at this interval; throws after a minute, or after `patienceMs`. */
export async function until(
  isTrue: () => Promise<boolean>,
  { everyMs = 5, patienceMs = 60_000 }: { everyMs?: number; patienceMs?: number } = {},
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`Not everything was done within ${patienceMs / 1000} s.`);
    await wait(everyMs);
  }
}
