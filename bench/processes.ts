import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export function fileOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

const patienceMs = 300_000;

/** The next message of a child process. Throws when it ends first, or sends nothing for five minutes. */
export async function messageOf<T>(child: ChildProcess): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const file = child.spawnargs.find((argument) => argument.endsWith('.ts'));
  const ended = (code: number | null) => reject(new Error(`${file} ended with ${code}`));
  const timer = setTimeout(() => reject(new Error(`${file} says nothing`)), patienceMs);
  child.once('message', (message: T) => resolve(message));
  child.once('exit', ended);
  return promise.finally(() => {
    clearTimeout(timer);
    child.off('exit', ended);
  });
}

export async function stopped(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

/** A destination of messages, with the URL of its report. */
export type Sink = { origin: string; port: number; reportUrl: string; stop(): Promise<void> };

export async function openSink(kind: 'http' | 'smtp', args: readonly string[] = []): Promise<Sink> {
  const child = fork(fileOf(`sinks/${kind}.ts`), args);
  const { port, reportPort } = await messageOf<{ port: number; reportPort: number }>(child);
  return {
    origin: `${kind}://127.0.0.1:${port}`,
    port,
    reportUrl: `http://127.0.0.1:${reportPort}/`,
    stop: () => stopped(child),
  };
}
