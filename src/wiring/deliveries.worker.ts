import { parentPort, workerData } from 'node:worker_threads';
import { type Orders, startDeliveries } from './deliveries.ts';

/** The thread that delivers: started with its orders, until it is told to stop. */
const orders: Orders = workerData;

const deliveries = await startDeliveries(orders, { say: (text) => parentPort?.postMessage({ kind: 'say', text }) });
parentPort?.once('message', () => void deliveries.stop());
parentPort?.postMessage({ kind: 'started' });
