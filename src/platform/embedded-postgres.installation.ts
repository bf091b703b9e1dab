import { createHash } from 'node:crypto';
import { chmod, lchown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, canEnter, canRun, chooseAccount } from '#platform/embedded-postgres.account.ts';
import { type Binaries, copyBinaries, findBinaries } from '#platform/embedded-postgres.binaries.ts';
import { EmbeddedPostgresError } from '#platform/embedded-postgres.error.ts';

/** The account, programs and files of PostgreSQL. */
export type Installation = { account: Account; binaries: Binaries; cluster: string };

const CLUSTER = 'postgres-18';
const POINTER = 'postgres-location';

/**
 * Decides where the cluster is: in the data folder, unless PostgreSQL must run as a user who cannot enter it. Then it
 * is elsewhere, and the file `postgres-location` in the data folder names the place for every later start.
 */
export async function prepareInstallation(dataDir: string, distribution: string): Promise<Installation> {
  const packaged = await findBinaries(distribution);
  const pointed = (await readFile(join(dataDir, POINTER), 'utf8').catch(() => '')).trim();
  const known = join(pointed || dataDir, CLUSTER);
  const ownerOfCluster = await stat(known).catch(() => null);
  if (pointed !== '' && ownerOfCluster === null) {
    throw new EmbeddedPostgresError(`The database folder ${known}, named in ${join(dataDir, POINTER)}, is gone.`);
  }
  const account = await chooseAccount({
    ownerOfCluster: ownerOfCluster && { uid: ownerOfCluster.uid, gid: ownerOfCluster.gid },
    postgres: packaged.postgres,
  });
  if (account.runAs !== 'other') return { account, binaries: packaged, cluster: known };
  return installForOther(account, { dataDir, pointed, packaged });
}

/** Gives a folder and all below it to the account that PostgreSQL runs as. */
async function giveTo(account: Account, folder: string): Promise<void> {
  if (account.runAs !== 'other') return;
  if ((await stat(folder)).uid === account.uid) return;
  for (const entry of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, entry), account.uid, account.gid);
  }
  // The folder itself comes last, so that an interrupted change of owner is done again.
  await lchown(folder, account.uid, account.gid);
}

async function installForOther(
  account: Account,
  { dataDir, pointed, packaged }: { dataDir: string; pointed: string; packaged: Binaries },
): Promise<Installation> {
  // Other accounts may traverse to their own folder, without listing or reading on the way.
  if (pointed === '') await chmod(dataDir, 0o711);
  const canLiveInside = pointed === '' && (await canEnter(account, dataDir));
  const canRunFromModules = await canRun(account, packaged.postgres);
  const outside = pointed || (canLiveInside && canRunFromModules ? null : await findOutside(account, dataDir));
  const binaries =
    canRunFromModules || outside === null ? packaged : await copyOnce(account, { packaged, folder: outside });
  const home = canLiveInside || outside === null ? dataDir : outside;
  if (home !== dataDir && pointed === '') await writePointer(dataDir, home);
  await mkdir(home, { recursive: true, mode: 0o711 });
  const cluster = join(home, CLUSTER);
  if (await exists(cluster)) await giveTo(account, cluster);
  return { account, binaries, cluster };
}

async function writePointer(dataDir: string, home: string): Promise<void> {
  // The folder is created before the pointer: a pointer to nothing looks like a lost database.
  await mkdir(join(home, CLUSTER), { recursive: true, mode: 0o711 });
  await writeFile(join(dataDir, POINTER), `${home}\n`);
}

async function copyOnce(account: Account, options: { packaged: Binaries; folder: string }): Promise<Binaries> {
  const copied = await copyBinaries(options.packaged, join(options.folder, `programs-${options.packaged.version}`));
  await giveTo(account, copied.folder);
  return copied;
}

async function findOutside(account: Account, dataDir: string): Promise<string> {
  const name = `cuebird-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
  for (const parent of ['/var/lib', '/usr/local/var', tmpdir()]) {
    if (!(await exists(parent)) || !(await canEnter(account, parent))) continue;
    await mkdir(join(parent, name), { recursive: true, mode: 0o711 });
    return join(parent, name);
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and there is no folder that another user could enter. Run as an ordinary user, or set DATABASE_URL.',
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
