import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopped } from './processes.ts';
import { until } from './until.ts';

export type Redis = { url: string; stop(): Promise<void> };

const server = 'redis-server';
const installer = 'apt-get';
const port = 6390;

/** A Redis without persistence, or the reason why none is available. */
export async function startRedis(say: (line: string) => void): Promise<Redis | { missing: string }> {
  if (!isInstalled()) {
    if (process.platform !== 'linux' || process.getuid?.() !== 0 || spawnSync(installer, ['--version']).status !== 0)
      return { missing: 'redis-server is not installed, and only root on Debian may install it' };
    say('Installing redis-server, for BullMQ');
    installRedis();
    if (!isInstalled()) return { missing: 'apt-get could not install redis-server' };
  }
  const folder = await mkdtemp(join(tmpdir(), 'cuebird-bench-redis-'));
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const child = spawn(server, args, { stdio: 'ignore' });
  const leave = () => child.kill();
  process.once('exit', leave);
  const isUp = async () => child.exitCode !== null || (await takesConnections());
  await until(isUp);
  const stop = async () => {
    process.off('exit', leave);
    await stopped(child);
    await rm(folder, { recursive: true, force: true });
  };
  if (child.exitCode === null) return { url: `redis://127.0.0.1:${port}`, stop };
  await stop();
  return { missing: `redis-server did not start on port ${port}` };
}

const isInstalled = () => spawnSync(server, ['--version']).status === 0;

function installRedis(): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) => spawnSync(installer, args, { env, stdio: 'ignore' }).status === 0;
  const install = ['install', '-y', '--no-install-recommends', server];
  if (!apt(...install) && apt('update')) apt(...install);
}

async function takesConnections(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1');
  socket.once('connect', () => resolve(true));
  socket.once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
