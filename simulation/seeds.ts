import { afterAll, describe, expect, it } from 'vitest';
import { type OpenBackend, openModelBackend } from '#simulation/backend.ts';
import { replayed } from '#simulation/replay.ts';
import { simulate } from '#simulation/simulate.ts';
import { traceOf } from '#simulation/trace.ts';

/** Events that must happen in some seed: without faults a simulation proves nothing. */
const often = ['rescues', 'catch-ups', 'unknown outcomes', 'breaker openings', 'audiences'];
/** Too rare for twenty seeds. */
const rare = ['fence rejections', 'jobs left in the queue'];

/**
 * Simulations of these seeds as tests. A failing seed is named; `SIM_SEED=<seed> npx vitest run --project src
 * simulation` runs it alone and prints what happened.
 */
export function describeSeeds(
  name: string,
  {
    seeds,
    chunk = 50,
    backend = 'model',
    needed = backend === 'model' ? [...often, ...rare] : often,
  }: { seeds: readonly number[]; chunk?: number; backend?: 'model' | OpenBackend; needed?: readonly string[] },
): void {
  const openBackend = backend === 'model' ? openModelBackend : backend;
  const totals = new Map<string, number>();

  async function run(seed: number): Promise<void> {
    const simulated = await simulate(seed, openBackend);
    for (const [what, count] of simulated.counts) totals.set(what, (totals.get(what) ?? 0) + count);
    if (simulated.faults.length === 0) return;
    // On a real database no two runs are quite the same, so the trace is printed now.
    const more =
      backend === 'model'
        ? `Alone, with its trace: SIM_SEED=${seed} npx vitest run --project src simulation`
        : traceOf(simulated);
    throw new Error([`seed ${seed}:`, ...simulated.faults, more].join('\n'));
  }

  describe.skipIf(replayed !== null)(name, () => {
    for (let at = 0; at < seeds.length; at += chunk) {
      const some = seeds.slice(at, at + chunk);
      it(`hold whatever goes wrong (${some.length} seeds from ${some[0]} to ${some.at(-1)})`, async () => {
        for (const seed of some) await run(seed);
      });
    }
    it('are tested by seeds with faults', () => {
      for (const what of needed) expect(totals.get(what) ?? 0, what).toBeGreaterThan(0);
    });
    afterAll(() => {
      const reported = [...totals].map(([what, count]) => `${count} ${what}`).sort();
      console.log(`${seeds.length} simulations: ${reported.join(', ')}`);
    });
  });
}

/** The one seed to repeat, if there is one. */
export function describeReplay(): void {
  const seed = replayed;
  if (seed === null) return;
  it(`the promises of a delivery hold (seed ${seed})`, async () => {
    const simulated = await simulate(seed, openModelBackend);
    console.log(traceOf(simulated));
    expect(simulated.faults).toEqual([]);
  });
}
