import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const sampleBackup = 'cuebird-2026-11-20T02-00-00Z.backup';

/** A file in the place of a nightly backup. Nobody restores it. */
export async function insertBackup(
  dataDir: string,
  { name = sampleBackup, text = 'rows of every table' } = {},
): Promise<void> {
  await mkdir(join(dataDir, 'backups'), { recursive: true });
  await writeFile(join(dataDir, 'backups', name), text);
}
