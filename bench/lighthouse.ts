import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { z } from 'zod';
import { buildWebIfStale } from '../scripts/web-build.ts';
import { migrate } from '../src/platform/migrate.ts';
import { launchBrowser } from '../src/testing/browser.ts';
import { openBenchContext } from './context.ts';
import { startProduct } from './product.ts';
import { isMet, jsonLine, machineText, median, type Row, tableText } from './report.ts';
import { encryptionKey } from './seeds/workspace.ts';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, json: { type: 'boolean', default: false } },
});

const folder = new URL('lighthouse/', import.meta.url);
const say = (line: string) => console.error(line);

const Measured = z.object({
  scores: z.record(z.string(), z.number()),
  layoutShift: z.number(),
  largestPaintMs: z.number(),
  blockedMs: z.number(),
  failed: z.array(z.string()),
});
type Measured = z.output<typeof Measured>;

/** Installs Lighthouse, which only this folder uses, at the first run. */
function installLighthouse(): void {
  if (existsSync(new URL('node_modules/lighthouse', folder))) return;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm ci in bench/lighthouse failed.');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A browser of its own for each measurement: nothing is in its cache. */
async function measure(address: string): Promise<Measured> {
  const port = await freePort();
  const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
  try {
    const script = fileURLToPath(new URL('measure.js', folder));
    const { stdout } = await promisify(execFile)(process.execPath, [script, address, String(port)]);
    return Measured.parse(JSON.parse(stdout));
  } finally {
    await browser.close();
  }
}

const pages = [
  { name: 'landing page', path: '/' },
  { name: 'support', path: '/support' },
  { name: 'privacy', path: '/privacy' },
  { name: 'terms', path: '/terms' },
  { name: 'first page of the documentation', path: '/docs' },
  { name: 'getting started', path: '/docs/getting-started' },
  { name: 'the line in words', path: '/docs/phrases' },
  { name: 'channels', path: '/docs/channels' },
] as const;

const least = { is: 'at least', bound: 95 } as const;

function rowsOf(page: string, measured: readonly Measured[]): Row[] {
  const of = (name: string, unit: string, goal: Row['goal'], read: (one: Measured) => number): Row => ({
    name: `${page}: ${name}`,
    value: median(measured.map(read)),
    unit,
    against: null,
    ratio: null,
    goal,
  });
  const score = (id: string) => of(id, 'of 100', least, ({ scores }) => scores[id] ?? 0);
  return [
    ...['performance', 'accessibility', 'best-practices', 'seo'].map(score),
    of('cumulative layout shift', '', { is: 'at most', bound: 0 }, ({ layoutShift }) => layoutShift),
    of('largest contentful paint', 'ms', null, ({ largestPaintMs }) => largestPaintMs),
    of('total blocking time', 'ms', null, ({ blockedMs }) => blockedMs),
  ];
}

async function bench(): Promise<number> {
  installLighthouse();
  await buildWebIfStale(say);
  const context = await openBenchContext({ sizes: { n: 0, future: 0, rounds: 1 }, say });
  try {
    return await context.inDatabase({}, async (databaseUrl) => {
      await migrate(databaseUrl, { encryptionKey });
      const product = await startProduct(databaseUrl);
      try {
        const rows: Row[] = [];
        for (const { name, path } of pages) {
          const measured: Measured[] = [];
          for (let round = 0; round < Number(options.rounds); round += 1) {
            const one = await measure(`${product.url}${path}`);
            say(
              `${path} ${JSON.stringify(one.scores)}${one.failed.length > 0 ? `, below 90: ${one.failed.join(', ')}` : ''}`,
            );
            measured.push(one);
          }
          rows.push(...rowsOf(name, measured));
        }
        if (options.json) for (const one of rows) console.log(jsonLine(one));
        else console.log(`${await machineText(context.ownerUrl)}\n\n${tableText(rows)}`);
        return rows.every((one) => isMet(one) !== false) ? 0 : 1;
      } finally {
        await product.kill();
      }
    });
  } finally {
    await context.close();
  }
}

process.exitCode = await bench();
