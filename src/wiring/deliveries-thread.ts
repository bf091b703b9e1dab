import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { StartDeliveries } from './deliveries.ts';

/** What the thread says. */
const Said = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('started') }),
  z.object({ kind: z.literal('say'), text: z.string() }),
]);

/**
 * Deliveries in a thread of their own: thousands of answers a second leave the thread that serves people free. What ends
 * the thread without being asked ends the process, as it would have without one.
 */
export const startDeliveriesThread: StartDeliveries = async (orders, { say }) => {
  const thread = new Worker(new URL('deliveries.worker.ts', import.meta.url), { workerData: orders });
  const ended = new Promise((resolve) => thread.once('exit', resolve));
  const { promise: started, resolve, reject } = Promise.withResolvers<void>();
  let isUp = false;
  let isStopping = false;
  thread.on('message', (message) => {
    const said = Said.parse(message);
    if (said.kind === 'say') say(said.text);
    else {
      isUp = true;
      resolve();
    }
  });
  thread.on('error', (error) => {
    reject(error);
    if (isUp) throw error;
  });
  thread.on('exit', (code) => {
    reject(new Error(`The thread that delivers ended with code ${code} while it started`));
    if (isUp && !isStopping) throw new Error(`The thread that delivers ended with code ${code}`);
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
