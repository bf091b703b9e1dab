import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { stopped } from './processes.ts';
import { encryptionKey } from './seeds/workspace.ts';

export type Product = {
  /** Where its API is. */
  url: string;
  /** The next message that it sends to its parent; only the watched one sends any. */
  onMessage(listen: (message: unknown) => void): void;
  /** Ends it at once: its database is not needed any more. */
  kill(): Promise<void>;
};

/** Cuebird as `npm start` runs it, web and worker in one process, on this database. It may reach this machine. */
export async function startProduct(databaseUrl: string, { watchedBy }: { watchedBy?: string } = {}): Promise<Product> {
  const watch = watchedBy === undefined ? [] : ['--import', watchedBy];
  const child = spawn(process.execPath, ['--max-semi-space-size=64', ...watch, 'src/main.ts'], {
    cwd: new URL('..', import.meta.url),
    // Nothing of the machine's own settings may reach it.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings, DATABASE_URL: databaseUrl },
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
