import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether a process runs. A zombie does not: in a container it may never be reaped. */
export async function isRunning(pid: number): Promise<boolean> {
  if (!exists(pid)) return false;
  if (process.platform === 'win32') return true;
  // In proc(5), the state follows the closing bracket of the command.
  const stat = process.platform === 'linux' ? await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '') : null;
  const state = stat === null ? await ps(pid, 'state=') : stat.slice(stat.lastIndexOf(')') + 2);
  return state !== null && /^[^ZX]/.test(state);
}

/** The command line of a running process; null when it cannot be read. */
export async function processCommand(pid: number): Promise<string | null> {
  if (process.platform === 'win32') return null;
  if (process.platform !== 'linux') return ps(pid, 'args=');
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return line.replaceAll('\0', ' ').trim() || null;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process runs, under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function ps(pid: number, column: string): Promise<string | null> {
  const answer = await run('ps', ['-o', column, '-p', String(pid)]).catch(() => null);
  return answer?.stdout.trim() || null;
}
