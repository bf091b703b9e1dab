import { parentPort, workerData } from 'node:worker_threads';
import { messagesIn } from './messages.ts';

parentPort?.postMessage(messagesIn(workerData));
