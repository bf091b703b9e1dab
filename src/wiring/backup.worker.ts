import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { writeBackup } from '#commands/backup.ts';
import type { BackupInput } from './backup-thread.ts';

/** The entry point of the thread that writes one backup. */
const { now, ...input }: BackupInput = workerData;

// Requests have priority. Linux only: elsewhere it would be lowered for the whole process.
if (process.platform === 'linux') setPriority(0, 10);

const { bytes } = await writeBackup({ ...input, now: Temporal.Instant.from(now) });
parentPort?.postMessage(bytes);
