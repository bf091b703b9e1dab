import { describe, it } from 'vitest';
import { liveThrough, type NetworkFault } from './network.ts';

const faults: Record<string, NetworkFault> = {
  'all connections to the database fall silent': ({ proxy }) => proxy.drop(),
  'a claim is under way when its connection falls silent': ({ proxy }) => proxy.dropAfter('claim-in-'),
  'outcomes are committed and their connection falls silent': ({ proxy }) => proxy.dropAfter('record-outcomes'),
  'connections are reset ten times': async ({ proxy, scene }) => {
    for (let round = 1; round <= 10; round += 1) {
      await scene.sink.received(round * 30);
      proxy.reset();
    }
  },
};

describe.concurrent('between the worker and its database', () => {
  it.for(Object.entries(faults))('%s', ([scenario, fault], test) => liveThrough(fault, { scenario, test }));
}, 120_000);
