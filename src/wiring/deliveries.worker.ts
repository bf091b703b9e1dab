import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type DeliveriesInput, startDeliveries } from './deliveries.ts';

/** The entry point of the delivery thread: starts deliveries, and stops them on a message. */
const input: DeliveriesInput = workerData;

// Requests have priority. Linux only: elsewhere it would be lowered for the whole process.
if (process.platform === 'linux') setPriority(0, 5);

const deliveries = await startDeliveries(input, {
  say: (text) => parentPort?.postMessage({ kind: 'say', text }),
  onRecording: (failure) => parentPort?.postMessage({ kind: 'recording', failure }),
  onFull: () => parentPort?.postMessage({ kind: 'full' }),
});
parentPort?.once('message', () => void deliveries.stop());
parentPort?.postMessage({ kind: 'started' });
