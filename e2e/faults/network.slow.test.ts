import { describe, it } from 'vitest';
import { liveThrough, type NetworkFault } from './network.ts';

const faults: Record<string, NetworkFault> = {
  'a claim is committed and its connection falls silent': ({ proxy }) => proxy.dropAfter('insert-claim'),
  'the database is away for longer than a lease': async ({ proxy, scene, worker }) => {
    scene.sink.holdRequests();
    proxy.refuse();
    scene.sink.release();
    // Twice a second: a lease and a half.
    await worker.line(/claiming failed; trying again/, 24);
    proxy.admit();
  },
  'the database is 30 ms away': ({ proxy }) => proxy.delay(30),
  'the database speaks one byte at a time': ({ proxy }) => proxy.trickle(),
};

describe.concurrent('between the worker and its database', () => {
  it.for(Object.entries(faults))('%s', ([scenario, fault], test) => liveThrough(fault, { scenario, test }));

  it('all connections fall silent, and the worker has the patience that the product has', (test) =>
    liveThrough(({ proxy }) => proxy.drop(), {
      scenario: 'all connections silent, default patience',
      test,
      limits: {},
      settings: {},
    }));
}, 120_000);
