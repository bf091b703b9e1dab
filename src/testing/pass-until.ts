import type { EngineHouse } from '#testing/engine.ts';

/** Lets time pass until this is so, in steps that nobody sleeps through: shorter than a sweep, and than any retry waits. */
export async function passUntil(
  { clock }: Pick<EngineHouse, 'clock'>,
  isReached: () => Promise<boolean>,
): Promise<void> {
  while (!(await isReached())) {
    clock.advance({ seconds: 4 });
    await clock.untilAsleep(4);
  }
}
