import { type SpawnOptions, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** The account that PostgreSQL runs as: it refuses to run as root, so that root needs another one. */
export type Account =
  | { runAs: 'self' }
  /** Root runs PostgreSQL in a user namespace, where it appears as an ordinary user: files stay root's. */
  | { runAs: 'mapped'; uid: number; gid: number }
  | { runAs: 'other'; uid: number; gid: number };

/** @param ownerOfCluster who owns the files of the database, null while there are none */
export async function chooseAccount(options: {
  ownerOfCluster: { uid: number; gid: number } | null;
  postgres: string;
}): Promise<Account> {
  if (process.getuid?.() !== 0) return { runAs: 'self' };
  const { ownerOfCluster } = options;
  // An ordinary user started it before, and root does now: the files stay that user's, and so does the server.
  if (ownerOfCluster !== null && ownerOfCluster.uid !== 0) return { runAs: 'other', ...ownerOfCluster };
  const user = await findUnprivilegedUser();
  const mapped: Account = { runAs: 'mapped', ...user };
  return (await canRun(mapped, options.postgres)) ? mapped : { runAs: 'other', ...user };
}

export async function canRun(account: Account, postgres: string): Promise<boolean> {
  const ended = await runToEnd(account, { file: postgres, args: ['--version'], cwd: '/' }).catch(() => null);
  return ended?.code === 0;
}

export async function canEnter(account: Account, folder: string): Promise<boolean> {
  const ended = await runToEnd(account, { file: '/bin/sh', args: ['-c', 'cd "$0"', folder], cwd: '/' });
  return ended.code === 0;
}

export type Command = { file: string; args: string[]; cwd: string };

/** Runs a program and waits for its end; `output` is all it wrote. */
export function runToEnd(account: Account, command: Command): Promise<{ code: number | null; output: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number | null; output: string }>();
  const child = spawn(...spawnArguments(account, command), { ...spawnOptions(account, command), stdio: 'pipe' });
  let output = '';
  child.stdin.end();
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.once('error', reject);
  child.once('close', (code) => resolve({ code, output }));
  return promise;
}

export function spawnArguments(account: Account, { file, args }: Command): [string, string[]] {
  if (account.runAs !== 'mapped') return [file, args];
  return ['unshare', ['--user', `--map-user=${account.uid}`, `--map-group=${account.gid}`, '--', file, ...args]];
}

export function spawnOptions(account: Account, { cwd }: Command): SpawnOptions {
  const identity = account.runAs === 'other' ? { uid: account.uid, gid: account.gid } : {};
  // The environment without the person's PG* variables and language, which must not affect this server.
  const env = { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, LC_ALL: 'C', TZ: 'UTC' };
  return { cwd, env, ...identity };
}

// initdb looks up its user's name, so the id must exist in the system's list of users.
async function findUnprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody', 'daemon']) {
    const [, , uid, gid] = lines.find((fields) => fields[0] === name) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return { uid: 65534, gid: 65534 };
}
