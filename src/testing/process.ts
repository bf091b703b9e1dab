import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { postgresOf, signalIfThere, untilGone } from '#testing/processes.ts';

/** A separate data folder with the real processes that run on it. */
export type TestInstallation = {
  dataDir: string;
  /** Starts `node src/main.ts`, or another entry, with the sandbox, without the demo, and with access to local addresses. */
  start(options?: { env?: Record<string, string>; args?: string[]; entry?: string }): CuebirdProcess;
  /** The owner's URL of the embedded database. */
  databaseUrl(): Promise<string>;
  /** The process ids of the embedded PostgreSQL, its server first; empty when none runs. */
  postgres(): number[];
  /** Ends all running processes and removes the folder. */
  remove(): Promise<void>;
};

export type CuebirdProcess = {
  pid: number;
  /** Resolves with what the terminal printed; rejects when the process ends before that or takes longer than a minute. */
  ready: Promise<Printed>;
  ended: Promise<Ended>;
  /** All output so far, both streams in the order of arrival. */
  output(): string;
  /** Resolves with the nth matching line as soon as it is written; rejects when the process ends without it. */
  line(pattern: RegExp, nth?: number): Promise<string>;
  /** Sends a signal to the process group, like a terminal. */
  signal(name: NodeJS.Signals): void;
  /** Sends a message to an entry that listens, and resolves once it has confirmed it. */
  sendMessage(message: Record<string, unknown>): Promise<void>;
};

export type Printed = Record<'url' | 'demo' | 'inbox' | 'accountMail' | 'adminSetup', string>;
export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

const root = fileURLToPath(new URL('../..', import.meta.url));
const main = 'src/main.ts';
const patienceMs = 60_000;
const ends = ['exit', 'disconnect'] as const;

export async function createInstallation(): Promise<TestInstallation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cuebird-process-'));
  const children = new Set<ChildProcess>();
  /** Returns the ids of the processes that it kills. */
  const killAll = () => {
    // The id of a process that has ended may belong to another one now.
    const alive = [...children].flatMap(({ pid, exitCode, signalCode }) =>
      pid !== undefined && exitCode === null && signalCode === null ? [pid] : [],
    );
    const [server, ...backends] = postgresOf(dataDir);
    for (const pid of alive) signalIfThere(-pid, 'SIGKILL');
    if (server === undefined) return alive;
    // PostgreSQL's immediate shutdown does not save, but releases the shared memory.
    signalIfThere(server, 'SIGQUIT');
    return [...alive, server, ...backends];
  };
  const removeFiles = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  const leave = () => {
    killAll();
    removeFiles();
  };
  // An interrupted test run cleans up too: its workers notice the lost parent and end later.
  for (const end of ends) process.once(end, leave);
  return {
    dataDir,
    start({ env = {}, args = [], entry = main } = {}) {
      const child = spawn(process.execPath, ['--import', './scripts/node-version.js', entry, ...args], {
        cwd: root,
        // Excludes the machine's own settings, such as a DATABASE_URL.
        env: { ...machine(), ...settings(dataDir), ...env },
        stdio: ['ignore', 'pipe', 'pipe', ...(entry === main ? [] : ['ipc' as const])],
        detached: true,
      });
      children.add(child);
      return follow(child);
    },
    async databaseUrl() {
      const [port, password] = await Promise.all(
        ['postgres-port', 'postgres-password'].map((file) => readFile(join(dataDir, file), 'utf8')),
      );
      return `postgres://cuebird:${password}@127.0.0.1:${port?.trim()}/cuebird`;
    },
    postgres: () => postgresOf(dataDir),
    async remove() {
      for (const end of ends) process.off(end, leave);
      await Promise.all(killAll().map(untilGone));
      removeFiles();
    },
  };
}

function machine(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'SystemRoot'];
  return Object.fromEntries(names.flatMap((name) => [[name, process.env[name] ?? '']]).filter(([, value]) => value));
}

const settings = (dataDir: string) => ({
  DATA_DIR: dataDir,
  ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
  PORT: '0',
  SANDBOX: 'on',
  DEMO: 'off',
  EGRESS_ALLOW: '127.0.0.0/8',
});

function follow(child: ChildProcess): CuebirdProcess {
  const written = { stdout: '', stderr: '', all: '' };
  const watchers = new Set<() => void>();
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      written[stream] += text;
      written.all += text;
      for (const watch of watchers) watch();
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout: written.stdout, stderr: written.stderr }));
  });

  const line = (pattern: RegExp, nth = 1) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const watch = () => {
      // Excludes the last piece, which may be incomplete.
      const found = written.all
        .split('\n')
        .slice(0, -1)
        .filter((text) => pattern.test(text))[nth - 1];
      if (found !== undefined) resolve(found);
    };
    const giveUp = (why: string) => reject(new Error(`${why} without writing ${pattern}. It wrote:\n${written.all}`));
    const timer = setTimeout(() => giveUp(`Cuebird ran for ${patienceMs / 1000} s`), patienceMs);
    void ended.then(
      () => giveUp('Cuebird ended'),
      () => giveUp('Cuebird did not start'),
    );
    watchers.add(watch);
    watch();
    return promise.finally(() => {
      clearTimeout(timer);
      watchers.delete(watch);
    });
  };

  const ready = line(/Cuebird is ready at/).then(() => printedIn(written.stdout));
  // A test that expects a failed start waits for the end instead.
  ready.catch(() => {});
  if (child.pid === undefined) throw new Error('Node could not be started.');
  const { pid } = child;
  return {
    pid,
    ready,
    ended,
    output: () => written.all,
    line,
    signal: (name) => signalIfThere(-pid, name),
    sendMessage: (message) => sendMessage(child, message),
  };
}

let sent = 0;

function sendMessage(child: ChildProcess, message: Record<string, unknown>): Promise<void> {
  const id = (sent += 1);
  return new Promise((resolve, reject) => {
    const hear = (answer: unknown) => {
      if (answer !== id) return;
      child.off('message', hear).off('exit', leave);
      resolve();
    };
    const leave = () => reject(new Error('Cuebird ended before it did as it was told.'));
    child.on('message', hear).once('exit', leave);
    child.send({ ...message, id });
  });
}

function printedIn(text: string): Printed {
  const after = (label: string) => new RegExp(`${label}\\s+(http\\S+)`).exec(text)?.[1] ?? '';
  return {
    url: after('Cuebird is ready at'),
    demo: after('Open the demo'),
    inbox: after('Inbox'),
    accountMail: after('Account mail'),
    adminSetup: after('Become administrator'),
  };
}
