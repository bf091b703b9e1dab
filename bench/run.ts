import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres.ts';
import { names } from './contender.ts';
import type { Result } from './race.ts';
import { jsonLines, machineText, problemsOf, rowsOf, tableText } from './report.ts';

const rounds = 3;

const { values: options } = parseArgs({
  options: { n: { type: 'string', default: '20000' }, json: { type: 'boolean', default: false } },
});

async function bench(n: number): Promise<number> {
  installPeers();
  const dataDir = await mkdtemp(join(tmpdir(), 'cuebird-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  const sink = fork(fileOf('sink.ts'));
  try {
    const sinkUrl = `http://127.0.0.1:${(await messageOf<{ port: number }>(sink)).port}/hook`;
    const results = new Map<string, Result[]>(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      // Each round begins with another one, so that nobody always runs on a machine that the same neighbour left warm.
      for (const name of [...names.slice(round % names.length), ...names.slice(0, round % names.length)]) {
        const result = await race({ name, n, ownerUrl: postgres.url, sinkUrl });
        results.get(name)?.push(result);
        if (!options.json)
          console.error(`round ${round + 1}, ${name}: ${Math.round((n / result.ms) * 1000)} per second`);
      }
    }
    const rows = rowsOf(results, n);
    const problems = problemsOf(results, n);
    if (options.json) console.log(jsonLines(rows));
    else console.log(`${await machineText(postgres.url)}\n\n${tableText(rows, { results, n })}`);
    for (const problem of problems) console.error(problem);
    return problems.length === 0 && rows.every((row) => row.met !== false) ? 0 : 1;
  } finally {
    sink.kill();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** One contender, in a database and a process that live for this run only. */
async function race(run: { name: string; n: number; ownerUrl: string; sinkUrl: string }): Promise<Result> {
  const database = 'bench_race';
  const databaseUrl = Object.assign(new URL(run.ownerUrl), { pathname: `/${database}` }).href;
  const owner = new Client({ connectionString: run.ownerUrl });
  await owner.connect();
  try {
    await owner.query(`create database ${database}`);
    const args = [run.name, String(run.n), databaseUrl, run.sinkUrl];
    // The heap that `npm start` gives Cuebird, for everybody.
    const child = fork(fileOf('race.ts'), args, { execArgv: ['--max-semi-space-size=64'] });
    const result = await messageOf<Result>(child);
    if (child.exitCode === null) await once(child, 'exit');
    return result;
  } finally {
    await owner.query(`drop database if exists ${database} with (force)`);
    await owner.end();
  }
}

async function messageOf<T>(child: ChildProcess): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  child.once('message', (message: T) => resolve(message));
  child.once('exit', (code) => reject(new Error(`${child.spawnargs.at(1)} ended with ${code}`)));
  return promise;
}

/** The peers are packages of this folder alone; they come when they are first needed. */
function installPeers(): void {
  if (existsSync(fileOf('node_modules/graphile-worker'))) return;
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: fileOf('.'),
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm ci in bench/ failed.');
}

function fileOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

process.exitCode = await bench(Number(options.n));
