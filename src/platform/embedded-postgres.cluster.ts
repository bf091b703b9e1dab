import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Account, runToEnd } from '#platform/embedded-postgres.account.ts';
import { EmbeddedPostgresError } from '#platform/embedded-postgres.error.ts';
import type { Installation } from '#platform/embedded-postgres.installation.ts';
import { isRunning, processCommand } from '#platform/process-status.ts';

/** The superuser and owner of everything in the embedded server. */
export const OWNER = 'cuebird';

/**
 * Creates the cluster unless it exists; a cluster is either complete or absent.
 * @returns the owner's password
 */
export async function createCluster(
  { account, binaries, cluster }: Installation,
  { dataDir, isEphemeral }: { dataDir: string; isEphemeral: boolean },
): Promise<string> {
  const passwordFile = join(dataDir, 'postgres-password');
  if (await stat(join(cluster, 'PG_VERSION')).catch(() => null)) return readPassword(passwordFile, cluster);
  const password = randomBytes(24).toString('base64url');
  const draft = `${cluster}.new`;
  const draftPassword = `${cluster}.password`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeSecret(draftPassword, password, account);
  if (account.runAs === 'other') await chown(draft, account.uid, account.gid);
  const format = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-locale'];
  const access = ['-U', OWNER, `--pwfile=${draftPassword}`, '--auth=scram-sha-256'];
  const args = [
    '-D',
    draft,
    ...access,
    ...format,
    '--no-instructions',
    ...(isEphemeral ? ['--no-sync', '-c', 'scram_iterations=1'] : []),
  ];
  const ended = await runToEnd(account, { file: binaries.initdb, args, cwd: dirname(binaries.initdb) });
  await rm(draftPassword, { force: true });
  if (ended.code !== 0)
    throw new EmbeddedPostgresError(`PostgreSQL could not create its files: ${lastErrorLine(ended.output)}`);
  await writeSecret(passwordFile, password, { runAs: 'self' });
  await rm(cluster, { recursive: true, force: true });
  await rename(draft, cluster);
  return password;
}

/** Stops a server that a killed Cuebird left running, and removes a pid file that names another program's process. */
export async function stopOrphan(installation: Installation): Promise<void> {
  const pidFile = join(installation.cluster, 'postmaster.pid');
  const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!(pid > 0) || !(await isRunning(pid))) return;
  const command = await processCommand(pid);
  if (command === null || command.includes(installation.cluster)) return stopServer(installation);
  // PostgreSQL treats a pid file with its parent's pid as stale, and still checks the old shared memory.
  await writeFile(pidFile, [String(process.pid), ...lines.slice(1)].join('\n'));
}

/** Ends all sessions and stops the server after a checkpoint; after a minute it is killed. */
export async function stopServer({ account, binaries, cluster }: Installation): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    const args = ['stop', '-D', cluster, '-m', mode, '-w', '-t', '60'];
    const ended = await runToEnd(account, { file: binaries.pgCtl, args, cwd: dirname(binaries.pgCtl) });
    if (ended.code === 0 || !(await stat(join(cluster, 'postmaster.pid')).catch(() => null))) return;
  }
  throw new EmbeddedPostgresError(`PostgreSQL in ${cluster} does not stop.`);
}

/** The last relevant line of PostgreSQL's output. */
export function lastErrorLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.findLast((line) => /error:|FATAL:|PANIC:|could not/.test(line)) ?? lines.at(-1);
  return telling?.trim() ?? 'no output';
}

async function readPassword(file: string, cluster: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new EmbeddedPostgresError(`Cannot read ${file}, the password of the database in ${cluster}.`);
  }
}

async function writeSecret(file: string, secret: string, account: Account): Promise<void> {
  await writeFile(file, secret, { mode: 0o600 });
  await chmod(file, 0o600);
  if (account.runAs === 'other') await chown(file, account.uid, account.gid);
}
