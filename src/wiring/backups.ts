import { resolve } from 'node:path';
import { type NightlyBackups, startNightlyBackups } from '#features/backups/nightly-backups.service.ts';
import { systemClock } from '#platform/clock.ts';
import { writeBackupInThread } from './backup-thread.ts';
import type { Runtime } from './runtime.ts';

/** Starts the nightly backups. They belong to processes with a web server, which offers their files. */
export function openBackups({
  config,
  database,
  encryptionKey,
  log,
  ownerUrl,
  settings,
  stack,
  superseded,
}: Runtime): NightlyBackups {
  const backups = startNightlyBackups({
    pool: database.engine,
    ownerUrl,
    folder: resolve(config.DATA_DIR, 'backups'),
    isEncrypted: false,
    clock: systemClock,
    log,
    settings,
    write: (file, { now, signal }) =>
      writeBackupInThread({ ownerUrl, encryptionKey, file, now: now.toString() }, signal),
  });
  stack.add('the nightly backups', () => backups.stop());
  // The newer version backs its database up.
  superseded.addEventListener('abort', () => void backups.stop());
  if (superseded.aborted) void backups.stop();
  return backups;
}
