import { describe, it, type TestContext } from 'vitest';
import { startTcpProxy, type TcpProxy } from '#testing/tcp-proxy.ts';
import { openScene, quickLimits, quickSettings, type Scene, withSettings } from './scene.ts';
import { expectAllServed } from './served.ts';

/** Longer than it takes to notice that a connection says nothing any more. */
const limits = { ...quickLimits, leaseMs: 8_000, slots: 96, slotsPerWorkspace: 64 };

const faults: Record<string, (proxy: TcpProxy, scene: Scene) => Promise<void>> = {
  'all connections to the database fall silent': async (proxy, scene) => {
    await scene.sink.received(100);
    proxy.drop();
  },
  'a claim is under way when its connection falls silent': async (proxy, scene) => {
    await scene.sink.received(100);
    await proxy.dropAfter('claim-in-');
  },
  'a claim is committed and its connection falls silent': async (proxy, scene) => {
    await scene.sink.received(100);
    await proxy.dropAfter('insert-claim');
  },
  'outcomes are committed and their connection falls silent': async (proxy, scene) => {
    await scene.sink.received(100);
    await proxy.dropAfter('record-outcomes');
  },
  'connections are reset ten times': async (proxy, scene) => {
    for (let round = 1; round <= 10; round += 1) {
      await scene.sink.received(round * 30);
      proxy.reset();
    }
  },
  'the database is 30 ms away': async (proxy, scene) => {
    await scene.sink.received(100);
    proxy.delay(30);
  },
  'the database speaks one byte at a time': async (proxy, scene) => {
    await scene.sink.received(100);
    proxy.trickle();
  },
};

describe.concurrent('between the worker and its database', () => {
  it.for(Object.entries(faults))('%s', async ([scenario, fault], test) => {
    const { scene, proxy } = await startBehindProxy(test);
    await fault(proxy, scene);
    const at = Date.now();
    await scene.allJobsEnded();
    await expectAllServed(scene, { scenario, inFlight: new Set(), at, takenUpAt: null });
  });
}, 60_000);

async function startBehindProxy(test: TestContext) {
  const scene = await openScene(test, { answerAfterMs: 50 });
  const proxy = await startTcpProxy(scene.databaseUrl);
  test.onTestFinished(() => proxy.close());
  await scene.writeDue(400);
  const url = withSettings(proxy.through(scene.databaseUrl), { ...quickSettings, query_timeout: '2500' });
  scene.start({ limits, env: { DATABASE_URL: url } });
  return { scene, proxy };
}
