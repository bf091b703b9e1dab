import { Worker } from 'node:worker_threads';
import { createFairSlots } from '#platform/fair-slots.ts';
import type { IcsResult, IcsTask } from './messages.ts';

/** Files that are parsed at a time, each in a thread with the memory below. */
const slots = createFairSlots({ ofAll: 2, ofSharer: 1, waitingOfSharer: 20 });
const mostMs = 15_000;
/** The memory that a file of 5 MB may need. */
const memory = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32 };

/** Throws RateLimited when too many files of a workspace wait. */
export type ReadIcs = (task: IcsTask, of: { workspaceId: string }) => Promise<IcsResult>;

/**
 * Parses a file in a thread of its own, which is ended when it takes too much time or memory: requests are served meanwhile, and no file stops the
 * process.
 */
export const readIcs: ReadIcs = (task, { workspaceId }) => slots.take([workspaceId], () => parseInThread(task));

function parseInThread(task: IcsTask): Promise<IcsResult> {
  const { promise, resolve, reject } = Promise.withResolvers<IcsResult>();
  const worker = new Worker(new URL('ics.worker.ts', import.meta.url), {
    name: 'calendar',
    env: {},
    execArgv: [],
    resourceLimits: memory,
    workerData: task,
  });
  worker.unref();
  const timer = setTimeout(() => void worker.terminate(), mostMs);
  worker
    .once('message', resolve)
    .once('error', (error: Error) => {
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(tooMuch);
      else reject(error);
    })
    .once('exit', () => resolve(tooMuch));
  return promise.finally(() => {
    clearTimeout(timer);
    void worker.terminate();
  });
}

const tooMuch: IcsResult = { kind: 'refused', reason: 'The calendar takes too long to read.' };
