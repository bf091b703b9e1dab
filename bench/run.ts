import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type BenchContext, openBenchContext, type Sizes } from './context.ts';
import { fileOf } from './processes.ts';
import { type Findings, isMet, jsonLine, machineText, type Row, tableText } from './report.ts';
import { agenda } from './rows/agenda.ts';
import { api } from './rows/api.ts';
import { audiences } from './rows/audiences.ts';
import { burst } from './rows/burst.ts';
import { costs } from './rows/costs.ts';
import { demos } from './rows/demos.ts';
import { fairness } from './rows/fairness.ts';
import { future } from './rows/future.ts';
import { hostile } from './rows/hostile.ts';
import { lateness } from './rows/lateness.ts';
import { mail } from './rows/mail.ts';
import { webhooks } from './rows/webhooks.ts';
import { workers } from './rows/workers.ts';

/** In the default order: first what slow commits disturb most, last what writes most to the disk. */
const parts: Record<string, (context: BenchContext) => Promise<Findings>> = {
  fairness,
  lateness,
  burst,
  webhooks,
  costs,
  workers,
  mail,
  audiences,
  api,
  agenda,
  hostile,
  demos,
  future,
};

const { values: options } = parseArgs({
  options: {
    n: { type: 'string', default: '100000' },
    future: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: Object.keys(parts).join(',') },
    json: { type: 'boolean', default: false },
  },
});

async function bench(sizes: Sizes, only: readonly string[]): Promise<number> {
  const unknown = only.filter((name) => !(name in parts));
  if (unknown.length > 0) throw new Error(`--only knows ${Object.keys(parts).join(', ')}, not ${unknown.join(', ')}`);
  installPeers();
  const context = await openBenchContext({ sizes, say: (line) => console.error(line) });
  const rows: Row[] = [];
  const problems: string[] = [];
  try {
    if (!options.json) console.log(`${await machineText(context.ownerUrl)}\n`);
    for (const name of only) {
      const found = await findingsOf(name, context);
      rows.push(...found.rows);
      problems.push(...found.problems);
      if (options.json) for (const row of found.rows) console.log(jsonLine(row));
      else console.log(`${name}\n${found.text}\n`);
    }
    if (!options.json) console.log(tableText(rows));
    for (const problem of problems) console.error(problem);
    return problems.length === 0 && rows.every((row) => isMet(row) !== false) ? 0 : 1;
  } finally {
    await context.close();
  }
}

/** A failed part does not stop the others. */
async function findingsOf(name: string, context: BenchContext): Promise<Findings> {
  const startedAt = performance.now();
  try {
    return (await parts[name]?.(context)) ?? { rows: [], problems: [], text: '' };
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { rows: [], problems: [`${name} broke off: ${reason}`], text: 'broke off' };
  } finally {
    context.say(`${name} took ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }
}

/** Installs the peers' packages, which only this folder uses, at the first run. */
function installPeers(): void {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(fileOf('package.json'), 'utf8'),
  );
  if (Object.keys(dependencies).every((name) => existsSync(fileOf(`node_modules/${name}`)))) return;
  // `npm ci` fails when a registry lacks an optional package of another platform.
  const { status } = spawnSync('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: fileOf('.'),
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm install in bench/ failed.');
}

const sizes = { n: Number(options.n), future: Number(options.future), rounds: Number(options.rounds) };
process.exitCode = await bench(sizes, options.only.split(','));
