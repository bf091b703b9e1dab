import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupFile } from '#contract/admin-backups.ts';

/** The name of a finished backup. Its time has no colons, which some file systems refuse. An unfinished one ends in `.part`. */
const whole = /^cuebird-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup(\.age)?$/;
const draft = /^cuebird-.*\.backup(?:\.age)?\.part$/;

export const backupName = (at: Temporal.Instant, { isEncrypted }: { isEncrypted: boolean }): string =>
  `cuebird-${at.round('second').toString().replaceAll(':', '-')}.backup${isEncrypted ? '.age' : ''}`;

/** The finished backups of the folder, newest first; none where there is no folder. */
export async function backupsIn(folder: string): Promise<BackupFile[]> {
  const found: BackupFile[] = [];
  for (const name of await namesIn(folder)) {
    const [, day, hour, minute, second, encrypted] = whole.exec(name) ?? [];
    if (day === undefined) continue;
    const file = await stat(join(folder, name)).catch(() => null);
    // The file was removed meanwhile, or it is a folder.
    if (file?.isFile() !== true) continue;
    const madeAt = `${day}T${hour}:${minute}:${second}Z`;
    found.push({ name, made_at: madeAt, bytes: file.size, is_encrypted: encrypted !== undefined });
  }
  return found.toSorted((a, b) => (a.name < b.name ? 1 : -1));
}

/** Creates the folder for this account only. */
export const createFolder = (folder: string) => mkdir(folder, { recursive: true, mode: 0o700 });

/** Removes unfinished files that a killed process has left. */
export async function removeDrafts(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) if (draft.test(name)) await rm(join(folder, name), { force: true });
}

export async function removeOlder(folder: string, { kept }: { kept: number }): Promise<void> {
  for (const { name } of (await backupsIn(folder)).slice(kept)) await rm(join(folder, name), { force: true });
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
