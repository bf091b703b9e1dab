import { Worker } from 'node:worker_threads';
import { z } from 'zod';

/** Plain data, as it is passed to another thread. */
export type BackupInput = {
  ownerUrl: string;
  encryptionKey: string;
  file: string;
  /** The passphrase that encrypts the file; null for none. */
  passphrase: string | null;
  /** An ISO instant. */
  now: string;
};

/** Writes a backup in a thread of its own: checksums and compression of a large database would delay requests. */
export function writeBackupInThread(input: BackupInput, signal: AbortSignal): Promise<{ bytes: number }> {
  const thread = new Worker(new URL('backup.worker.ts', import.meta.url), { workerData: input });
  const end = () => void thread.terminate();
  signal.addEventListener('abort', end, { once: true });
  return new Promise<{ bytes: number }>((resolve, reject) => {
    thread.once('message', (bytes) => resolve({ bytes: z.number().parse(bytes) }));
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the backup was stopped')));
  }).finally(() => signal.removeEventListener('abort', end));
}
