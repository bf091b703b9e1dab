import { Worker } from 'node:worker_threads';

/** The result of a task: `ended`, with the reason, when its thread was stopped before it answered. */
export type Outcome<Answer> = { kind: 'answered'; answer: Answer } | { kind: 'ended'; by: 'time' | 'memory' };

/**
 * When a task is ended: after so many milliseconds, or after so many of the thread's processor time, which a busy machine does not use up. Of the
 * latter it takes at most `waiting` times as long.
 */
export type EndAfter = { elapsedMs: number } | { processorMs: number; waiting: number };

/** A thread of its own for work on what strangers wrote, one task at a time: it takes time and memory from nobody else, and can be ended. */
export type TaskThread<Task, Answer> = {
  /** @throws Error when the thread itself fails */
  run(task: Task, end: EndAfter): Promise<Outcome<Answer>>;
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
    run(task, end) {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome<Answer>>();
      let endedBy: 'time' | 'memory' = 'time';
      const onMessage = (message: unknown) => resolve({ kind: 'answered', answer: parseAnswer(message) });
      const onError = (error: Error) => {
        if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') endedBy = 'memory';
        else reject(error);
      };
      const onExit = () => resolve({ kind: 'ended', by: endedBy });
      const deadline = endLate(worker, end);
      worker.once('message', onMessage).once('error', onError).once('exit', onExit);
      worker.postMessage(task);
      return promise.finally(() => {
        deadline.clear();
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      });
    },
  };
}

/** Ends the thread once its task has taken too long. */
function endLate(worker: Worker, end: EndAfter): { clear(): void } {
  const isOver = new AbortController();
  const endAfter = (ms: number) => setTimeout(() => void worker.terminate(), ms);
  const last = endAfter('elapsedMs' in end ? end.elapsedMs : end.processorMs * end.waiting);
  let next: NodeJS.Timeout | undefined;
  const look = async (mostMs: number, since: NodeJS.CpuUsage) => {
    const { user, system } = await worker.cpuUsage(since);
    const leftMs = mostMs - (user + system) / 1_000;
    if (isOver.signal.aborted) return;
    if (leftMs <= 0) await worker.terminate();
    else next = setTimeout(() => void look(mostMs, since).catch(() => {}), Math.max(leftMs, 10));
  };
  // One that has ended says nothing of its time.
  if ('processorMs' in end)
    void worker
      .cpuUsage()
      .then((since) => look(end.processorMs, since))
      .catch(() => {});
  return {
    clear() {
      isOver.abort();
      clearTimeout(last);
      clearTimeout(next);
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
