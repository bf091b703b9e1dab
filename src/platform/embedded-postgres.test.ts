import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedPostgresError, startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { isRunning } from '#platform/process-status.ts';
import { codeForUser } from '#testing/code-for-user.ts';

const isRoot = process.getuid?.() === 0;
const module = 'embedded-postgres.ts';

let before: string;
let home: string;
let dataDir: string;
let cleanups: (() => Promise<unknown>)[];

beforeAll(async () => {
  before = await mkdtemp(join(tmpdir(), 'cuebird-before-'));
  const server = await startEmbeddedPostgres({ dataDir: before, isEphemeral: true });
  await server.stop();
  await rm(join(before, 'postgres-port'));
});

afterAll(() => removeData(before));

/** Gives the data folder the files of an earlier start, where they are in it: to make them takes a second and more. */
async function startedBefore(): Promise<void> {
  const isElsewhere = await stat(join(before, 'postgres-location')).catch(() => null);
  if (isElsewhere === null) await cp(before, dataDir, { recursive: true });
}

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'cuebird-test-'));
  dataDir = join(home, '.cuebird');
  cleanups = [];
});

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  await removeData(dataDir);
  await rm(home, { recursive: true, force: true });
});

/** With what was put outside, where another account had to reach it. */
async function removeData(folder: string): Promise<void> {
  const name = `cuebird-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`;
  for (const parent of ['/var/lib', '/usr/local/var', tmpdir()])
    await rm(join(parent, name), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}

describe('the embedded PostgreSQL', () => {
  it('starts, keeps what was written, and starts again on the same port', async () => {
    const first = await start();
    await query(first.url, 'create table kept (word text)');
    await query(first.url, `insert into kept values ('Grüße')`);
    await first.stop();
    const second = await start();
    expect(await query(second.url, 'select word from kept')).toEqual([{ word: 'Grüße' }]);
    expect(second.port).toBe(first.port);
  });

  it('is version 18, compares letters of every alphabet and lives in UTC', async () => {
    await startedBefore();
    const { url } = await start();
    const rows = await query(
      url,
      `select lower('MÜLLER') = 'müller' as german, upper('ñ') = 'Ñ' as spanish, current_setting('TimeZone') as zone,
              current_setting('server_version_num')::int / 10000 as major, uuidv7() is not null as has_uuidv7`,
    );
    expect(rows).toEqual([{ german: true, spanish: true, zone: 'UTC', major: 18, has_uuidv7: true }]);
  });

  it('lets nobody in without the password, which only the owner of the data folder can read', async () => {
    const { url } = await start();
    const guess = new URL(url);
    guess.password = 'guess';
    await expect(query(guess.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, 'postgres-18'))).mode & 0o777).toBe(0o700);
  });

  it('closes a data folder that was open to others before', async () => {
    await mkdir(dataDir);
    await chmod(dataDir, 0o755);
    await start();
    expect((await stat(dataDir)).mode & 0o077).toBe(0);
  });

  it('takes another port when its last one is taken', async () => {
    await startedBefore();
    const first = await start();
    await first.stop();
    const squatter = createServer().listen(first.port, '127.0.0.1');
    await once(squatter, 'listening');
    cleanups.push(async () => squatter.close());
    const second = await start();
    expect(second.port).not.toBe(first.port);
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('refuses a second start on a data folder in use, and starts once it is free', async () => {
    await startedBefore();
    const first = await start();
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
      new EmbeddedPostgresError(
        `Cuebird is already running on ${dataDir} (process ${process.pid}). Stop it first or set another DATA_DIR.`,
      ),
    );
    await first.stop();
    await expect(start()).resolves.toHaveProperty('port');
  });

  it('names the process that holds the data folder', async () => {
    await startedBefore();
    const other = await startInProcess();
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(`(process ${other.child.pid})`);
  });

  it('takes over after kill -9 of its process and stops the server left behind', async () => {
    await startedBefore();
    const killed = await startInProcess();
    await query(killed.url, 'create table survived (id int)');
    const orphan = await postmasterPid();
    await kill(killed.child);
    expect(await isRunning(orphan)).toBe(true);
    const next = await start();
    expect(await query(next.url, `select to_regclass('survived') is not null as found`)).toEqual([{ found: true }]);
    expect(await postmasterPid()).not.toBe(orphan);
    expect(await isRunning(orphan)).toBe(false);
  });

  it('comes back on its port when its server is killed, with what was committed, and stops then', async () => {
    await startedBefore();
    const said: string[] = [];
    const { promise: isBack, resolve: comeBack } = Promise.withResolvers<void>();
    const log = (line: string) => {
      said.push(line);
      if (said.filter((one) => one.includes('ready to accept connections')).length === 2) comeBack();
    };
    const warned: string[] = [];
    const server = await startEmbeddedPostgres({ dataDir, log, isEphemeral: true, warn: (text) => warned.push(text) });
    cleanups.push(() => server.stop());
    await query(server.url, "set synchronous_commit to on; create table kept as select 'Grüße' as word");
    process.kill(await postmasterPid(), 'SIGKILL');
    await isBack;
    expect(await query(server.url, 'select word from kept')).toEqual([{ word: 'Grüße' }]);
    expect(warned[0]).toBe('PostgreSQL stopped unexpectedly. Starting it again.');
    const pid = await postmasterPid();
    await server.stop();
    expect(await isRunning(pid)).toBe(false);
  });

  it('logs errors without the rows and statements that they are about', async () => {
    await startedBefore();
    const said: string[] = [];
    const server = await startEmbeddedPostgres({ dataDir, log: (line) => said.push(line), isEphemeral: true });
    cleanups.push(() => server.stop());
    await query(
      server.url,
      "create table people (email text unique check (email <> 'nobody')); insert into people values ('ann@example.com')",
    );
    await expect(query(server.url, "insert into people\nvalues ('ann@example.com')")).rejects.toThrow('duplicate key');
    await expect(query(server.url, "insert into people values ('nobody')")).rejects.toThrow('check constraint');
    await expect(query(server.url, 'select 1 / 0')).rejects.toThrow('division');
    await expect.poll(() => said.filter((line) => line.startsWith('ERROR:'))).toHaveLength(3);
    expect(said.join('\n')).not.toMatch(/ann@example|nobody|insert into/);
  });

  it('stops while it cannot start again', async () => {
    await startedBefore();
    const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
    let warnings = 0;
    const warn = () => {
      warnings += 1;
      if (warnings === 3) fail();
    };
    const server = await startEmbeddedPostgres({ dataDir, isEphemeral: true, warn });
    await rename(join(dataDir, 'postgres-18', 'global'), join(dataDir, 'global'));
    process.kill(await postmasterPid(), 'SIGKILL');
    await failed;
    await server.stop();
    await rename(join(dataDir, 'global'), join(dataDir, 'postgres-18', 'global'));
    expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts although its pid file names a dead process, and leaves alone a stranger that was given its pid', async () => {
    await startedBefore();
    const first = await start();
    const pidFile = await readFile(join(dataDir, 'postgres-18', 'postmaster.pid'), 'utf8');
    await first.stop();
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(stranger, 'spawn');
    cleanups.push(() => kill(stranger));
    for (const pid of [4_190_001, stranger.pid]) {
      await writeFile(join(dataDir, 'postgres-18', 'postmaster.pid'), pidFile.replace(/^\d+/, String(pid)));
      const next = await start();
      expect(await query(next.url, 'select 1 as one')).toEqual([{ one: 1 }]);
      await next.stop();
    }
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  it('stops with a process that ends without stopping it', async () => {
    await startedBefore();
    const leaving = await startInProcess();
    const pid = await postmasterPid();
    leaving.child.stdin?.end();
    await once(leaving.child, 'exit');
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('outlives an interrupt from the terminal until its process stops it', async () => {
    await startedBefore();
    const { child, url } = await startInProcess({ program: `process.on('SIGINT', () => console.log('interrupted'));` });
    const said = once(child.stdout ?? child, 'data');
    process.kill(-(child.pid ?? 0), 'SIGINT');
    await said;
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('says in one line that the data folder cannot be made', async () => {
    await writeFile(join(home, 'file'), '');
    await expect(startEmbeddedPostgres({ dataDir: join(home, 'file', 'data') })).rejects.toThrow(
      new EmbeddedPostgresError(
        `Cannot write to the data folder ${join(home, 'file', 'data')} (a part of the path is a file). Set DATA_DIR to a writable folder.`,
      ),
    );
  });

  it.runIf(isRoot)('runs for root below a folder that only root may enter', async () => {
    await chmod(home, 0o700);
    const { url } = await start();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it.runIf(isRoot)('runs as another user, in the data folder, where user namespaces are forbidden', async () => {
    await chmod(home, 0o755);
    const { url } = await startInProcess({ path: dirname(process.execPath) });
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await stat(join(dataDir, 'postgres-18'))).uid).not.toBe(0);
  });

  it.runIf(isRoot)(
    'lives outside a root-only data folder where user namespaces are forbidden, and is found again',
    async () => {
      await chmod(home, 0o700);
      const first = await startInProcess({ path: dirname(process.execPath) });
      const outside = (await readFile(join(dataDir, 'postgres-location'), 'utf8')).trim();
      expect((await stat(join(outside, 'postgres-18'))).uid).not.toBe(0);
      await query(first.url, 'create table found_again (id int)');
      await kill(first.child);
      const { url } = await start();
      expect(await query(url, `select to_regclass('found_again') is not null as found`)).toEqual([{ found: true }]);
    },
  );

  it.runIf(isRoot)('runs for an ordinary user, and then for root on the same files', async () => {
    await chmod(home, 0o777);
    const first = await startInProcess({ uid: 65534 });
    await kill(first.child);
    const { url } = await start();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await stat(join(dataDir, 'postgres-18', 'PG_VERSION'))).uid).toBe(65534);
  });

  it.runIf(isRoot)('says in one line that an ordinary user may not write the data folder', async () => {
    await chmod(home, 0o755);
    await expect(startInProcess({ uid: 65534 })).rejects.toThrow(
      `Cannot write to the data folder ${dataDir} (permission denied). Set DATA_DIR to a writable folder.`,
    );
  });

  it.runIf(isRoot && process.platform === 'linux')('says in one line that the disk is full', async (context) => {
    await mkdir(dataDir);
    const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', dataDir]);
    if (mounted !== 0) return context.skip('this machine does not let root mount a small disk');
    cleanups.push(() => run('umount', [dataDir]));
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
      new EmbeddedPostgresError(`The disk is full: there is no room for the database in ${dataDir}.`),
    );
  });
});

async function start() {
  const server = await startEmbeddedPostgres({ dataDir, isEphemeral: true });
  cleanups.push(() => server.stop());
  return server;
}

async function startInProcess(options: { program?: string; path?: string; uid?: number } = {}) {
  const code =
    options.uid === undefined
      ? { node: process.execPath, module: fileURLToPath(new URL(module, import.meta.url)) }
      : await codeForUser(options.uid, { module, copyTo: join(home, 'code') });
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(pathToFileURL(code.module).href)};
    ${options.program ?? ''}
    process.stdin.on('end', () => process.exit()).resume();
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, isEphemeral: true });
    console.log(server.url);`;
  const child = spawn(code.node, ['--input-type=module', '-e', program], {
    env: { ...process.env, PATH: options.path ?? process.env.PATH },
    // Packages that the program names are looked for from here; a user may not be able to enter our own folder.
    cwd: options.uid === undefined ? undefined : home,
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  cleanups.push(() => stopInProcess(child));
  const { promise, resolve, reject } = Promise.withResolvers<{ child: ChildProcess; url: string }>();
  createInterface({ input: child.stdout }).once('line', (url) => resolve({ child, url }));
  child.once('close', () => reject(new Error(complaint)));
  return promise;
}

// What a killed process left behind is stopped by starting there once more.
async function stopInProcess(child: ChildProcess) {
  await kill(child);
  await startEmbeddedPostgres({ dataDir, isEphemeral: true }).then(
    (server) => server.stop(),
    () => undefined,
  );
}

async function kill(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function postmasterPid(): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres-18', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

async function query(url: string, sql: string) {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function run(file: string, args: string[]) {
  const [code] = await once(spawn(file, args, { stdio: 'ignore' }), 'exit');
  return code;
}
