import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';

/**
 * Creates the data folder for this account only: it contains the database and the keys. An existing folder gets the
 * same mode where it belongs to this account and contains only Cuebird's files; a shared folder stays as it is, and
 * `warn` gets what to do.
 */
export async function secureDataDir(dataDir: string, warn: (text: string) => void): Promise<void> {
  const folder = resolve(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return;
  const { mode, uid } = await stat(folder);
  if ((mode & 0o077) === 0) return;
  const reason = await whyNotOurs(folder, uid);
  if (reason === null) {
    await chmod(folder, 0o700).catch(() => {});
    // Some file systems accept a mode but ignore it, so it is read back.
    if (((await stat(folder)).mode & 0o077) === 0) return;
  }
  warn(
    `Other accounts of this machine can open the data folder ${folder} (mode ${(mode & 0o777).toString(8)}), because ${reason ?? 'its file system keeps the mode that it has'}. ` +
      `Run "chmod 700 ${folder}", or set DATA_DIR to a folder of its own.`,
  );
}

/** Cuebird's files are recognized by name. A volume may also have `lost+found`, and other programs leave dot files. */
const ownFile = /^(?:cuebird\.lock|encryption\.key|backups$|postgres-|programs-|lost\+found$|\.)/;

async function whyNotOurs(folder: string, uid: number): Promise<string | null> {
  if (uid !== process.getuid?.()) return 'it belongs to another account';
  const others = (await readdir(folder)).filter((name) => !ownFile.test(name));
  return others.length === 0 ? null : `it also contains files that are not Cuebird's (${others[0]})`;
}
