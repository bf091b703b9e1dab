import { afterAll, describe, expect, it } from 'vitest';
import { type OpenGround, openModelGround } from '#testing/simulation/ground.ts';
import { replayed } from '#testing/simulation/replay.ts';
import { simulate } from '#testing/simulation/simulate.ts';
import { traceOf } from '#testing/simulation/trace.ts';

/** What must have happened somewhere: a simulation in which nothing goes wrong shows nothing. */
const often = ['rescues', 'catch-ups', 'unknown outcomes', 'breaker openings'];
/** Too rare for twenty. */
const rare = ['fence rejections'];

/**
 * Simulations of these seeds as tests. A seed that fails names itself; `SIM_SEED=<seed> npx vitest run --project src
 * src/testing/simulation` runs it alone and prints what happened.
 */
export function describeSeeds(
  name: string,
  {
    from,
    to,
    chunk = 50,
    ground = 'model',
  }: { from: number; to: number; chunk?: number; ground?: 'model' | OpenGround },
): void {
  const openGround = ground === 'model' ? openModelGround : ground;
  const totals = new Map<string, number>();

  async function run(seed: number): Promise<void> {
    const simulated = await simulate(seed, openGround);
    for (const [what, count] of simulated.counts) totals.set(what, (totals.get(what) ?? 0) + count);
    if (simulated.faults.length === 0) return;
    // On a real database no two runs are quite the same: what there is to see must be shown now.
    const more =
      ground === 'model'
        ? `Alone, with its trace: SIM_SEED=${seed} npx vitest run --project src src/testing/simulation`
        : traceOf(simulated);
    throw new Error([`seed ${seed}:`, ...simulated.faults, more].join('\n'));
  }

  describe.skipIf(replayed !== null)(name, () => {
    for (let first = from; first <= to; first += chunk) {
      const last = Math.min(first + chunk - 1, to);
      it(`hold whatever goes wrong (seeds ${first} to ${last})`, async () => {
        for (let seed = first; seed <= last; seed += 1) await run(seed);
      });
    }
    it('are tried where things do go wrong', () => {
      const needed = ground === 'model' ? [...often, ...rare] : often;
      for (const what of needed) expect(totals.get(what) ?? 0, what).toBeGreaterThan(0);
    });
    afterAll(() => {
      const told = [...totals].map(([what, count]) => `${count} ${what}`).sort();
      console.log(`${to - from + 1} simulations: ${told.join(', ')}`);
    });
  });
}

/** The one seed that is to be looked at, if there is one. */
export function describeReplay(): void {
  const seed = replayed;
  if (seed === null) return;
  it(`the promises of a delivery hold (seed ${seed})`, async () => {
    const simulated = await simulate(seed, openModelGround);
    console.log(traceOf(simulated));
    expect(simulated.faults).toEqual([]);
  });
}
