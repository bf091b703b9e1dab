import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { stopped } from './processes.ts';
import { encryptionKey } from './seeds/workspace.ts';

export type Product = {
  /** The URL of its API. */
  url: string;
  pid: number;
  /** Receives the messages to its parent process; only a watched product sends any. */
  onMessage(listen: (message: unknown) => void): void;
  /** Kills it at once: its database is no longer needed. */
  kill(): Promise<void>;
};

/** Cuebird as `npm start` runs it, web and worker in one process, on this database and with access to local addresses. */
export async function startProduct(
  databaseUrl: string,
  { watchedBy, settings: more = {} }: { watchedBy?: string; settings?: Record<string, string> } = {},
): Promise<Product> {
  const watch = watchedBy === undefined ? [] : ['--import', watchedBy];
  const child = spawn(process.execPath, [...watch, 'src/main.ts'], {
    cwd: new URL('..', import.meta.url),
    // Excludes the machine's own settings.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings, ...more, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const words: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    if (input === null) continue;
    createInterface({ input }).on('line', (line) => {
      words.push(line);
      const url = /Cuebird is ready at (\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  }
  const leave = () => child.kill('SIGKILL');
  process.once('exit', leave);
  child.once('exit', (code) => {
    process.off('exit', leave);
    reject(new Error(`Cuebird ended with ${code}: ${words.slice(-5).join('\n')}`));
  });
  return {
    url: await promise,
    pid: child.pid ?? 0,
    onMessage: (listen) => void child.on('message', listen),
    kill: () => stopped(child, 'SIGKILL'),
  };
}

const settings = {
  ENCRYPTION_KEY: encryptionKey,
  PORT: '0',
  SANDBOX: 'off',
  DEMO: 'off',
  EGRESS_ALLOW: '127.0.0.0/8',
  LOG_LEVEL: 'error',
};
