import { parentPort } from 'node:worker_threads';
import { messagesIn, type IcsTask } from './messages.ts';

parentPort?.on('message', (task: IcsTask) => parentPort?.postMessage(messagesIn(task)));
parentPort?.postMessage('ready');
