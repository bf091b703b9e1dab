import { Worker } from 'node:worker_threads';

/** The result of a task: `ended`, with the reason, when its thread was stopped before it answered. */
export type Outcome<Answer> = { kind: 'answered'; answer: Answer } | { kind: 'ended'; by: 'time' | 'memory' };

/** A thread of its own for work on what strangers wrote, one task at a time: it takes time and memory from nobody else, and can be ended. */
export type TaskThread<Task, Answer> = {
  /** @throws Error when the thread itself fails */
  run(task: Task, endAfterMs: number): Promise<Outcome<Answer>>;
  /** Resolves when the thread has exited, for any reason. */
  gone: Promise<void>;
  stop(): Promise<void>;
};

/** What a thread runs. Its script posts a message when it is ready, and then one as the answer to each that it gets. */
export type TaskThreadOptions<Answer> = {
  name: string;
  script: URL;
  memory: { maxOldGenerationSizeMb: number; maxYoungGenerationSizeMb: number };
  parseAnswer: (message: unknown) => Answer;
};

/** Starts a thread. Its start does not count towards any task's time. */
export async function startTaskThread<Task, Answer>({
  name,
  script,
  memory,
  parseAnswer,
}: TaskThreadOptions<Answer>): Promise<TaskThread<Task, Answer>> {
  const worker = new Worker(script, {
    name,
    // It needs neither the process's secrets nor its options.
    env: {},
    execArgv: [],
    resourceLimits: memory,
  });
  // Lets the process end while the thread is idle.
  worker.unref();
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  await readiness(worker, name);
  return {
    gone,
    async stop() {
      await worker.terminate();
    },
    run(task, endAfterMs) {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome<Answer>>();
      let endedBy: 'time' | 'memory' = 'time';
      const onMessage = (message: unknown) => resolve({ kind: 'answered', answer: parseAnswer(message) });
      const onError = (error: Error) => {
        if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') endedBy = 'memory';
        else reject(error);
      };
      const onExit = () => resolve({ kind: 'ended', by: endedBy });
      const timer = setTimeout(() => void worker.terminate(), endAfterMs);
      worker.once('message', onMessage).once('error', onError).once('exit', onExit);
      worker.postMessage(task);
      return promise.finally(() => {
        clearTimeout(timer);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      });
    },
  };
}

/** Resolves when the thread reports that it accepts work. */
function readiness(worker: Worker, name: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onExit = (code: number) => reject(new Error(`The thread of ${name} ended with code ${code} while it started`));
  worker
    .once('message', () => resolve())
    .once('error', reject)
    .once('exit', onExit);
  return promise.finally(() => worker.off('error', reject).off('exit', onExit));
}
