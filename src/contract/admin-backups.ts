import { z } from 'zod';
import { InstantText } from '#contract/common.ts';
import { get } from '#contract/route.ts';

/** How many of the nightly backups are kept: the newest ones. */
export const backupsKept = 7;

export const BackupFile = z.object({
  name: z.string(),
  made_at: InstantText,
  bytes: z.number().int(),
  is_encrypted: z.boolean(),
});
export type BackupFile = z.output<typeof BackupFile>;

export const Backups = z.object({
  /** The backups, newest first. An unfinished file is not listed: each was read back before it got its name. */
  data: z.array(BackupFile),
  /** Where the backups are on the server's machine. */
  folder: z.string(),
  /** When the next backup is made; null while nightly backups are off. */
  next_at: InstantText.nullable(),
  /** Whether the next backup is encrypted: a passphrase or a key file is configured. */
  will_be_encrypted: z.boolean(),
  /** Why the last backup failed; null after one that did not. */
  failure: z.object({ at: InstantText, message: z.string() }).nullable(),
});
export type Backups = z.output<typeof Backups>;

export const adminBackupRoutes = {
  listBackups: get('/api/admin/backups', {
    access: 'system_admin',
    summary: 'The nightly backups, newest first, with the time of the next one',
    answer: Backups,
  }),
  downloadBackup: get('/api/admin/backups/:name', {
    access: 'system_admin',
    summary: 'Download a backup: the whole database of the installation',
    // Any text is accepted: an unknown name answers 404.
    params: z.object({ name: z.string() }),
    needsReauthentication: true,
    answer: 'file',
  }),
};
