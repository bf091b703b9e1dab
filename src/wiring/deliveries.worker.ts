import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type Orders, startDeliveries } from './deliveries.ts';

/** The thread that delivers: started with its orders, until it is told to stop. */
const orders: Orders = workerData;

// Behind whoever waits for a screen. On Linux alone: elsewhere it would be said of the whole process.
if (process.platform === 'linux') setPriority(0, 5);

const deliveries = await startDeliveries(orders, { say: (text) => parentPort?.postMessage({ kind: 'say', text }) });
parentPort?.once('message', () => void deliveries.stop());
parentPort?.postMessage({ kind: 'started' });
