import { randomUUID } from 'node:crypto';
import { chown, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type ProcessLock =
  | { outcome: 'locked'; release: () => Promise<void> }
  /** The lock is held by another process; `pid` as that wrote it down, null when it cannot be read. */
  | { outcome: 'held'; pid: number | null };

// References keep locks from being garbage-collected.
const locks = new Set<DatabaseSync>();

/**
 * Takes a lock for the life of this process: the kernel releases it even after `kill -9`, so that it is never stale.
 * (Node has no file locks, SQLite has; a pid file alone would let two processes in at once.) `<path>.pid` names the
 * holder, for people.
 */
export async function lockForThisProcess(path: string): Promise<ProcessLock> {
  const pidFile = `${path}.pid`;
  const draft = `${path}.${randomUUID()}`;
  // Written first, so that a read-only folder is reported with the file system's own error.
  await writeFile(draft, `${process.pid}\n`);
  const lock = lockFile(path);
  if (lock === null) {
    await rm(draft);
    return { outcome: 'held', pid: Number(await readFile(pidFile, 'utf8').catch(() => '')) || null };
  }
  locks.add(lock);
  await rename(draft, pidFile);
  await leaveToOwner(path);
  return {
    outcome: 'locked',
    release: async () => {
      await rm(pidFile, { force: true });
      locks.delete(lock);
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

// Where root runs in an ordinary user's folder, the lock file becomes that user's, who could not lock it later otherwise.
async function leaveToOwner(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  await chown(path, uid, gid);
}
