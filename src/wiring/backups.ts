import { resolve } from 'node:path';
import { backupPassphrase } from '#commands/backup-passphrase.ts';
import { raiseAlert, resolveFailedBackup } from '#features/alerts/alerts.service.ts';
import { type NightlyBackups, startNightlyBackups } from '#features/backups/nightly-backups.service.ts';
import { hasWebServer } from '#features/metrics/processes.service.ts';
import { writeBackupInThread } from './backup-thread.ts';
import type { Outbound } from './outbound.ts';
import type { Runtime } from './runtime.ts';

/** Starts the nightly backups: in the web server, which offers the files for download, or in a worker where there is none. */
export function openBackups(
  { clock, config, database, encryptionKey, log, ownerUrl, settings, stack, superseded }: Runtime,
  { outbound, url }: { outbound: Pick<Outbound, 'canSendMail' | 'sendMail'>; url: () => string },
): NightlyBackups {
  const sendMail = outbound.canSendMail ? outbound.sendMail : null;
  const backups = startNightlyBackups({
    pool: database.engine,
    ownerUrl,
    folder: resolve(config.DATA_DIR, 'backups'),
    isEncrypted: config.BACKUP_PASSPHRASE !== undefined || config.BACKUP_KEY_FILE !== undefined,
    isLeftToOthers: async () => !config.roles.includes('web') && (await hasWebServer(database.engine, clock.now())),
    clock,
    log,
    settings,
    alert: (detail) =>
      raiseAlert({ pool: database.engine, log, now: clock.now, url, sendMail }, { cause: 'backup_failed', detail }),
    succeeded: () => resolveFailedBackup(database.engine, clock.now()),
    write: async (file, { now, signal }) =>
      writeBackupInThread(
        { ownerUrl, encryptionKey, file, passphrase: await backupPassphrase(config), now: now.toString() },
        signal,
      ),
  });
  stack.add('the nightly backups', () => backups.stop());
  // Once a newer version runs, that one backs its database up.
  superseded.addEventListener('abort', () => void backups.stop());
  if (superseded.aborted) void backups.stop();
  return backups;
}
