import { describe, expect, it } from 'vitest';
import { type OpenBackend, openModelBackend } from '#simulation/backend.ts';
import { type Mutation, mutations } from '#simulation/mutations.ts';
import { replayed } from '#simulation/replay.ts';
import { simulate } from '#simulation/simulate.ts';

const most = 200;

/** Guards against a checker that finds nothing. */
describe.skipIf(replayed !== null)('the checker finds that', () => {
  it.each(Object.entries(mutations))('%s', async (_, mutation) => {
    const { from = 1, says } = mutation;
    for (let seed = from; seed < from + most; seed += 1) {
      const { faults } = await simulate(seed, backendOf(mutation));
      if (faults.some((fault) => says.test(fault))) return;
    }
    expect.unreachable(`none of ${most} simulations said so`);
  });
});

const backendOf =
  ({ store }: Mutation): OpenBackend =>
  async (...args) => {
    const backend = await openModelBackend(...args);
    if (backend.inside === null) throw new Error('only the model can be mutated');
    return { ...backend, store: { ...backend.store, ...store(backend.store, backend.inside.tables) } };
  };
