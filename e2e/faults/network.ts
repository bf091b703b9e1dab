import type { TestContext } from 'vitest';
import type { CuebirdProcess } from '#testing/process.ts';
import { startTcpProxy, type TcpProxy } from '#testing/tcp-proxy.ts';
import { openScene, quickLimits, quickSettings, type Scene, type WorkerOptions } from './scene.ts';
import { cutOff, expectAllServed } from './served.ts';

/** What goes wrong between the worker and its database, once it sends. */
export type NetworkFault = (stage: { proxy: TcpProxy; scene: Scene; worker: CuebirdProcess }) => Promise<void> | void;

/** A lease is longer than it takes to notice that a connection says nothing any more. */
const impatience = {
  limits: { ...quickLimits, leaseMs: 8_000, slots: 96, slotsPerWorkspace: 64 },
  settings: { ...quickSettings, query_timeout: '2500' },
};

type Options = { scenario: string; test: TestContext } & Pick<WorkerOptions, 'limits' | 'settings'>;

/** The worker lives through all of it: it serves everybody, and nobody twice. */
export async function liveThrough(fault: NetworkFault, { scenario, test, ...options }: Options): Promise<void> {
  const scene = await openScene(test, { answerAfterMs: 50 });
  const proxy = await startTcpProxy(scene.databaseUrl);
  test.onTestFinished(() => proxy.close());
  await scene.writeDue(400);
  const worker = scene.start({ ...impatience, ...options, databaseUrl: proxy.through(scene.databaseUrl) });
  await scene.sink.received(100);
  await fault({ proxy, scene, worker });
  const at = Date.now();
  const inFlight = cutOff(await scene.look(), worker);
  await scene.allJobsEnded();
  await expectAllServed(scene, { scenario, inFlight, at, takenUpAt: null });
}
