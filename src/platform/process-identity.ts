import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Names one life of a process: the same pid, given to another process later, gets another name.
 * @returns null when no such process lives (a zombie counts as dead: nobody may ever reap it in a container).
 */
export async function processIdentity(pid: number): Promise<string | null> {
  if (!isAlive(pid)) return null;
  if (process.platform === 'linux') return linuxIdentity(pid);
  if (process.platform === 'win32') return 'alive';
  return posixIdentity(pid);
}

/** The command line of a living process; null when there is none or it cannot be read. */
export async function processCommand(pid: number): Promise<string | null> {
  if (process.platform === 'win32') return null;
  if (process.platform === 'linux') {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return line === '' ? null : line.replaceAll('\0', ' ').trim();
  }
  return ps(pid, 'args=');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

// proc(5): after the command's closing bracket come the state (field 3) and, as field 22, the start in ticks since boot.
async function linuxIdentity(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return `${boot.trim()}:${fields[19]}`;
}

async function posixIdentity(pid: number): Promise<string | null> {
  const state = await ps(pid, 'state=');
  return state === null || state.startsWith('Z') ? null : ps(pid, 'lstart=');
}

async function ps(pid: number, column: string): Promise<string | null> {
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  const answer = await run('ps', ['-o', column, '-p', String(pid)], { env }).catch(() => null);
  return answer?.stdout.trim() || null;
}
