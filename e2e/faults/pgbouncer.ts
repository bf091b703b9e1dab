import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { listening } from '#testing/tcp-server.ts';
import { createServer } from 'node:net';

const run = promisify(execFile);

/** PgBouncer of Debian in front of a database. */
export type PgBouncer = {
  /** The server's URL with the address of the pooler. */
  through(url: string): string;
  /** Resolves once another one serves in its place. */
  killAndRestart(): Promise<void>;
  stop(): Promise<void>;
};

/** @param options.url of the database, as its superuser */
export async function startPgBouncer({
  url,
  mode,
}: {
  url: string;
  mode: 'session' | 'transaction';
}): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'cuebird-pgbouncer-'));
  await chmod(folder, 0o755);
  const program = await findProgram(folder);
  const target = new URL(url);
  const probe = createServer();
  const { port } = await listening(probe, () => probe.listen(0, '127.0.0.1'));
  probe.close();
  await once(probe, 'close');
  await writeFile(join(folder, 'users'), `"${target.username}" "${target.password}"\n`);
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${target.hostname} port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users')}
auth_user = ${target.username}
auth_query = select usename, passwd from pg_shadow where usename = $1
pool_mode = ${mode}
default_pool_size = 50
max_client_conn = 500
`,
  );
  let child = await launch();

  async function launch(): Promise<ChildProcess> {
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const started = spawn(program.file, [...user, join(folder, 'pgbouncer.ini')], {
      env: { ...process.env, LD_LIBRARY_PATH: program.libraries },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const { promise, resolve, reject } = Promise.withResolvers<ChildProcess>();
    let output = '';
    createInterface({ input: started.stderr }).on('line', (line) => {
      output += `${line}\n`;
      if (line.includes('process up')) resolve(started);
    });
    started.once('error', reject);
    started.once('close', () => reject(new Error(`PgBouncer ended:\n${output}`)));
    return promise;
  }

  async function kill(): Promise<void> {
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  }

  return {
    through: (of) => Object.assign(new URL(of), { hostname: '127.0.0.1', port: String(port) }).href,
    async killAndRestart() {
      await kill();
      child = await launch();
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The installed program, or that of Debian's packages, unpacked into the folder. */
async function findProgram(folder: string): Promise<{ file: string; libraries: string }> {
  const installed = await run('sh', ['-c', 'command -v pgbouncer']).catch(() => null);
  if (installed !== null) return { file: installed.stdout.trim(), libraries: '' };
  try {
    await run('apt-get', ['download', 'pgbouncer', 'libc-ares2', 'libevent-2.1-7'], { cwd: folder });
    await run('sh', ['-c', 'for package in *.deb; do dpkg-deb -x "$package" . || exit 1; done'], { cwd: folder });
  } catch (error) {
    throw new Error('Install pgbouncer, or run this on Debian, whose package it downloads.', { cause: error });
  }
  return { file: join(folder, 'usr/sbin/pgbouncer'), libraries: join(folder, 'usr/lib/x86_64-linux-gnu') };
}
