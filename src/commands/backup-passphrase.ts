import { readFile } from 'node:fs/promises';
import { CommandFailed } from '#commands/command-failed.ts';
import type { Config } from '#platform/config.ts';

const shortest = 16;

/**
 * The passphrase of backups: BACKUP_PASSPHRASE, or the text of BACKUP_KEY_FILE without blank space around it; null where neither is set. Throws a
 * CommandFailed for a file that cannot be read or has fewer than 16 characters.
 */
export async function backupPassphrase({
  BACKUP_PASSPHRASE: passphrase,
  BACKUP_KEY_FILE: file,
}: Pick<Config, 'BACKUP_PASSPHRASE' | 'BACKUP_KEY_FILE'>): Promise<string | null> {
  if (passphrase !== undefined) return passphrase;
  if (file === undefined) return null;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandFailed(
      `BACKUP_KEY_FILE cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  if (text.trim().length >= shortest) return text.trim();
  throw new CommandFailed(`BACKUP_KEY_FILE=${file} holds less than ${shortest} characters.`);
}
