import { describe, expect, it } from 'vitest';
import type { EngineStore } from '#engine/store.ts';
import { type OpenGround, openModelGround } from '#testing/simulation/ground.ts';
import { replayed } from '#testing/simulation/replay.ts';
import { simulate } from '#testing/simulation/simulate.ts';
import type { Tables } from '#testing/simulation/tables.ts';

/** Something that the database would do wrong, and what the checker then says of some simulation. */
type Mutation = { says: RegExp; store: (store: EngineStore, tables: Tables) => Partial<EngineStore> };

const mutations: Record<string, Mutation> = {
  'a result counts whoever holds the job': {
    says: /was changed by a worker that no longer held it/,
    store: (store, tables) => ({
      record: (batch) =>
        store.record({
          ...batch,
          finishes: batch.finishes.map((finish) => ({
            ...finish,
            claimId: tables.jobs.get(finish.jobId)?.claim_id ?? finish.claimId,
          })),
        }),
    }),
  },
  'nobody takes up what a lost worker held': {
    says: /still open/,
    store: () => ({ rescue: async () => null }),
  },
  'what may have arrived is sent again as if it had not': {
    says: /may have arrived, and the ledger does not say so/,
    store: (store) => ({
      rescue: (request, settle) =>
        store.rescue(request, (lost) => ({
          ...settle(lost),
          isUnknown: false,
          status: 'waiting',
          nextAttemptAt: request.now,
        })),
    }),
  },
  'a claim does not say what it has begun': {
    says: /has accepted, the ledger says|before attempt 1 had an outcome/,
    store: (store, tables) => ({
      claim: async (request, decide) => {
        const claim = await store.claim(request, decide);
        const row = tables.claims.get(request.claimId);
        if (row !== undefined) row.begun = [];
        return claim;
      },
    }),
  },
  'a claim plans nothing': {
    says: /is due again at .* and has no job that waits/,
    store: (store) => ({
      claim: (request, decide) => store.claim(request, async (found) => ({ ...(await decide(found)), successors: [] })),
    }),
  },
  'a claim ends with its first outcome': {
    says: /is running, and nobody works|still open/,
    store: (store) => ({
      record: (batch) =>
        store.record({
          ...batch,
          endedClaims: [...batch.endedClaims, ...batch.outcomes.map(({ claimId }) => claimId)],
        }),
    }),
  },
  'a job that was told to stop is still held': {
    says: /was sent to: it was/,
    store: (store) => ({
      stillHeld: async (claimId, waiting) => ({
        ...(await store.stillHeld(claimId, waiting)),
        held: new Set(waiting.map(({ jobId }) => jobId)),
      }),
    }),
  },
  'nobody is on the suppression list': {
    says: /was sent to: the recipient was suppressed/,
    store: (store) => ({
      claim: (request, decide) =>
        store.claim(request, (found) => decide({ ...found, suppressed: async () => new Set() })),
    }),
  },
};

const most = 300;

describe.skipIf(replayed !== null)('a database that errs is found out:', () => {
  it.each(Object.entries(mutations))('%s', async (_, { says, store }) => {
    const openGround: OpenGround = async (...args) => {
      const ground = await openModelGround(...args);
      if (ground.inside === null) throw new Error('only the model can be made to err');
      return { ...ground, store: { ...ground.store, ...store(ground.store, ground.inside.tables) } };
    };
    for (let seed = 1; seed <= most; seed += 1) {
      const { faults } = await simulate(seed, openGround);
      if (faults.some((fault) => says.test(fault))) return;
    }
    expect.unreachable(`none of ${most} simulations said so`);
  });
});
