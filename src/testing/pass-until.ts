import { engineSleepers, type EngineFixture } from '#testing/engine.ts';

/** Advances the clock until `isReached`, in steps that are shorter than a sweep and than any retry delay. */
export async function passUntil(
  { clock }: Pick<EngineFixture, 'clock'>,
  isReached: () => Promise<boolean>,
): Promise<void> {
  while (!(await isReached())) {
    clock.advance({ seconds: 4 });
    await clock.untilAsleep(engineSleepers);
  }
}
