import { parentPort } from 'node:worker_threads';
import { perform, type RenderingTask } from '#domain/rendering.ts';

/** The rendering thread: one task at a time, until it is ended from outside. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

parentPort?.on('message', (task: RenderingTask) => {
  const before = usedMs();
  const answer = perform(task, usedMs);
  parentPort?.postMessage({ answer, usedMs: usedMs() - before });
});
parentPort?.postMessage('ready');
