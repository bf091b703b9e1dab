import { randomUUID } from 'node:crypto';
import { chown, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type ProcessLock =
  | { outcome: 'locked'; release: () => Promise<void> }
  /** `pid` as its holder wrote it down, null when that cannot be read. */
  | { outcome: 'held'; pid: number | null };

// Whoever forgets its lock must not lose it to the garbage collector.
const held = new Set<DatabaseSync>();

/**
 * Takes a lock for as long as this process lives: the kernel frees it with the process, by `kill -9` too, so that it can
 * never be stale. (Node has no file locks of its own, SQLite has; a file that names a pid lets two through at once.)
 * `<path>.pid` says who has it, for people.
 */
export async function lockForThisProcess(path: string): Promise<ProcessLock> {
  const pidFile = `${path}.pid`;
  const draft = `${path}.${randomUUID()}`;
  // Written first, so that a folder that cannot be written says so in the file system's own words.
  await writeFile(draft, `${process.pid}\n`);
  const lock = lockFile(path);
  if (lock === null) {
    await rm(draft);
    return { outcome: 'held', pid: Number(await readFile(pidFile, 'utf8').catch(() => '')) || null };
  }
  held.add(lock);
  await rename(draft, pidFile);
  await leaveToOwner(path);
  return {
    outcome: 'locked',
    release: async () => {
      await rm(pidFile, { force: true });
      held.delete(lock);
      if (lock.isOpen) lock.close();
    },
  };
}

function lockFile(path: string): DatabaseSync | null {
  const database = new DatabaseSync(path);
  try {
    database.exec('begin exclusive');
    return database;
  } catch (error) {
    database.close();
    const isBusy = error instanceof Error && 'errcode' in error && error.errcode === 5;
    if (isBusy) return null;
    throw error;
  }
}

// Root, in an ordinary user's folder, must not lock that user out afterwards.
async function leaveToOwner(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  await chown(path, uid, gid);
}
