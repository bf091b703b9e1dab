import { type ChildProcess, fork } from 'node:child_process';
import { fileOf, stopped } from '../processes.ts';
import type { WorkerCommand, WorkerMessage } from './worker.ts';

type Stopped = Extract<WorkerMessage, { kind: 'stopped' }>;

/** Processes that run the engine on one database. */
export type Workers = {
  start(): Promise<void>;
  /** Resolves when all of them together have recorded n deliveries since the start. */
  recorded(n: number): Promise<void>;
  /** Stops the engines, and returns what each process has recorded and used since the start. */
  stop(): Promise<{ deliveries: number; cpuMs: number; names: Stopped['names'] }[]>;
  close(): Promise<void>;
};

const patienceMs = 120_000;

export async function openWorkers(databaseUrl: string, count: number): Promise<Workers> {
  const workers = Array.from({ length: count }, openWorker);
  await Promise.all(workers.map((worker) => worker.send({ kind: 'open', databaseUrl })));
  return {
    async start() {
      await Promise.all(workers.map((worker) => worker.send({ kind: 'start' })));
    },
    async recorded(n) {
      const total = () => workers.reduce((sum, worker) => sum + worker.deliveries(), 0);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = setTimeout(() => reject(new Error(`Only ${total()} of ${n} were recorded.`)), patienceMs);
      const look = () => {
        if (total() >= n) resolve();
      };
      for (const worker of workers) worker.onRecorded(look);
      look();
      await promise.finally(() => clearTimeout(timer));
    },
    stop: () =>
      Promise.all(
        workers.map(async (worker) => {
          const message = await worker.send({ kind: 'stop' });
          if (message.kind !== 'stopped') throw new Error(`A worker answers ${message.kind}.`);
          const deliveries = worker.deliveries();
          worker.reset();
          return { deliveries, cpuMs: message.cpuMs, names: message.names };
        }),
      ),
    async close() {
      await Promise.all(workers.map((worker) => stopped(worker.child, 'SIGKILL')));
    },
  };
}

function openWorker() {
  const child: ChildProcess = fork(fileOf('workers/worker.ts'), [], {
    execArgv: ['--max-semi-space-size=64', '--no-parallel-scavenge', '--no-allocation-site-pretenuring'],
  });
  let deliveries = 0;
  let look = () => {};
  let answer = Promise.withResolvers<WorkerMessage>();
  child.on('message', (message: WorkerMessage) => {
    if (message.kind !== 'recorded') return answer.resolve(message);
    deliveries += message.deliveries;
    look();
  });
  child.once('exit', (code) => answer.reject(new Error(`A worker ended with ${code}.`)));
  return {
    child,
    deliveries: () => deliveries,
    reset: () => void (deliveries = 0),
    onRecorded: (listen: () => void) => void (look = listen),
    send(command: WorkerCommand): Promise<WorkerMessage> {
      answer = Promise.withResolvers<WorkerMessage>();
      child.send(command);
      return answer.promise;
    },
  };
}
