import { startEngine } from '../../src/engine/engine.ts';
import { openEngineDeps } from '../contenders/engine.ts';
import { watchStatementNames } from '../profile/statement-names.ts';

/** One of several processes that run the engine on the same database. */
export type WorkerCommand = { kind: 'open'; databaseUrl: string } | { kind: 'start' } | { kind: 'stop' };

export type WorkerMessage =
  | { kind: 'opened' }
  | { kind: 'started' }
  | { kind: 'recorded'; deliveries: number }
  | { kind: 'stopped'; cpuMs: number; names: [text: string, name: string][] };

const names = watchStatementNames();
let opened: Awaited<ReturnType<typeof openEngineDeps>> | null = null;
let running: { stop(): Promise<void> } | null = null;
let cpuAtStart = process.cpuUsage();

process.on('message', (command: WorkerCommand) => {
  void obey(command).then((message) => process.send?.(message satisfies WorkerMessage));
});

// Ends with the parent process.
process.on('disconnect', () => process.exit());

async function obey(command: WorkerCommand): Promise<WorkerMessage> {
  switch (command.kind) {
    case 'open':
      opened = await openEngineDeps(command.databaseUrl, { isAlone: false });
      return { kind: 'opened' };
    case 'start':
      await start();
      return { kind: 'started' };
    case 'stop': {
      await running?.stop();
      const { user, system } = process.cpuUsage(cpuAtStart);
      return { kind: 'stopped', cpuMs: (user + system) / 1000, names: [...names] };
    }
    default:
      return command satisfies never;
  }
}

async function start(): Promise<void> {
  if (opened === null) throw new Error('The worker has no database.');
  cpuAtStart = process.cpuUsage();
  let unreported = 0;
  const report = () => {
    process.send?.({ kind: 'recorded', deliveries: unreported } satisfies WorkerMessage);
    unreported = 0;
  };
  const engine = await startEngine({
    ...opened.deps,
    onRecorded: () => {
      unreported += 1;
      if (unreported === 1) setTimeout(report, reportEveryMs);
    },
  });
  running = { stop: () => engine.stop(5_000) };
}

const reportEveryMs = 20;
