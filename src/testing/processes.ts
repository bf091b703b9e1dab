import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isRunning } from '#platform/process-status.ts';

/** The process ids of the embedded PostgreSQL of a data folder, its server first; empty when none runs. */
export function postgresOf(dataDir: string): number[] {
  const home = read(join(dataDir, 'postgres-location')).trim() || dataDir;
  for (const name of names(home)) {
    const pid = Number(read(join(home, name, 'postmaster.pid')).split('\n')[0]);
    // The file remains after the server is killed, and its id may belong to another process now.
    const isOurs = process.platform !== 'linux' || read(`/proc/${pid}/cmdline`).includes(home);
    if (pid > 0 && isOurs) return [pid, ...childrenOf(pid)];
  }
  return [];
}

/** The child processes on Linux; empty on other systems. */
const childrenOf = (pid: number): number[] =>
  names('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => read(`/proc/${name}/stat`).split(') ').at(-1)?.split(' ')[1] === String(pid))
    .map(Number);

/** @param target a process id, or a negative process group id */
export function signalIfThere(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // The process has ended.
  }
}

export async function untilGone(pid: number): Promise<void> {
  while (await isRunning(pid)) await wait(20);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
