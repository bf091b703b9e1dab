import { describe, expect, it } from 'vitest';
import { type OpenGround, openModelGround } from '#testing/simulation/ground.ts';
import { type Mutation, mutations } from '#testing/simulation/mutations.ts';
import { replayed } from '#testing/simulation/replay.ts';
import { simulate } from '#testing/simulation/simulate.ts';

const most = 200;

/** A checker that has gone blind says that all is well. */
describe.skipIf(replayed !== null)('it is found out that', () => {
  it.each(Object.entries(mutations))('%s', async (_, mutation) => {
    const { from = 1, says } = mutation;
    for (let seed = from; seed < from + most; seed += 1) {
      const { faults } = await simulate(seed, groundOf(mutation));
      if (faults.some((fault) => says.test(fault))) return;
    }
    expect.unreachable(`none of ${most} simulations said so`);
  });
});

const groundOf =
  ({ store }: Mutation): OpenGround =>
  async (...args) => {
    const ground = await openModelGround(...args);
    if (ground.inside === null) throw new Error('only the model can be made to err');
    return { ...ground, store: { ...ground.store, ...store(ground.store, ground.inside.tables) } };
  };
