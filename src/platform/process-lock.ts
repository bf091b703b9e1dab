import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { processIdentity } from '#platform/process-identity.ts';

export type ProcessLock = { outcome: 'locked'; release: () => Promise<void> } | { outcome: 'held'; pid: number };

/**
 * Takes a lock file for as long as this process lives. A lock whose process has died, by `kill -9` or with the machine,
 * is taken over: the file names its holder's pid and that process's start.
 */
export async function lockForThisProcess(path: string): Promise<ProcessLock> {
  const mine = `${process.pid} ${await processIdentity(process.pid)}\n`;
  const draft = `${path}.${randomUUID()}`;
  // Linking a finished file is atomic: nobody ever reads a lock that is half written.
  await writeFile(draft, mine, { mode: 0o644 });
  try {
    while (!(await linked(draft, path))) {
      const holder = await readIfThere(path);
      if (holder === null) continue;
      const pid = await livingHolder(holder);
      if (pid !== null) return { outcome: 'held', pid };
      await removeStale(path, holder);
    }
  } finally {
    await rm(draft, { force: true });
  }
  return {
    outcome: 'locked',
    release: async () => {
      if ((await readIfThere(path)) === mine) await rm(path, { force: true });
    },
  };
}

async function linked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function livingHolder(holder: string): Promise<number | null> {
  const [pidText = '', identity] = holder.trim().split(/ (.*)/s);
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return (await processIdentity(pid)) === identity ? pid : null;
}

// Two starts may find the same dead holder: the slower one must not throw away the lock the faster one has just taken.
async function removeStale(path: string, stale: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  if ((await readFile(aside, 'utf8')) !== stale) await linked(aside, path);
  await rm(aside, { force: true });
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
