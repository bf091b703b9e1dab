import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { StartDeliveries } from './deliveries.ts';

/** The messages of the delivery thread. */
const ThreadMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('started') }),
  z.object({ kind: z.literal('say'), text: z.string() }),
  z.object({ kind: z.literal('recording'), failure: z.string().nullable() }),
  z.object({ kind: z.literal('full') }),
]);

/**
 * Three semi-spaces of 64 MiB: thousands of deliveries a second allocate many short-lived objects. As a V8 option the
 * size would apply to every thread, including the web server and rendering, where it only costs memory.
 */
const memory = { maxYoungGenerationSizeMb: 192 };

/** V8 reads these options at each collection, so they may be set now (decision 78). */
const collectorOptions = [
  // One helper thread collects a thread's young objects, instead of up to four: they have the priority of requests, and would
  // delay them several times a second.
  '--no-parallel-scavenge',
  // Otherwise V8 concludes from the first seconds, when nearly everything is new and in use, that such objects grow old.
  '--no-allocation-site-pretenuring',
];

/**
 * Runs deliveries in a thread of their own, so that thousands of deliveries a second do not delay requests. A thread
 * that ends unexpectedly ends the process.
 */
export const startDeliveriesThread: StartDeliveries = async (input, { say, onRecording, onFull }) => {
  for (const option of collectorOptions) setFlagsFromString(option);
  const thread = new Worker(new URL('deliveries.worker.ts', import.meta.url), {
    workerData: input,
    resourceLimits: memory,
  });
  const ended = new Promise((resolve) => thread.once('exit', resolve));
  const { promise: started, resolve, reject } = Promise.withResolvers<void>();
  let isUp = false;
  let isStopping = false;
  thread.on('message', (message) => {
    const said = ThreadMessage.parse(message);
    switch (said.kind) {
      case 'say':
        return say(said.text);
      case 'recording':
        return onRecording(said.failure);
      case 'full':
        return onFull();
      case 'started':
        isUp = true;
        return resolve();
    }
  });
  thread.on('error', (error) => {
    reject(error);
    if (isUp) throw error;
  });
  thread.on('exit', (code) => {
    reject(new Error(`The delivery thread ended with code ${code} while it started`));
    if (isUp && !isStopping) throw new Error(`The delivery thread ended with code ${code}`);
  });
  await started;
  return {
    async stop() {
      isStopping = true;
      thread.postMessage('stop');
      await ended;
    },
  };
};
