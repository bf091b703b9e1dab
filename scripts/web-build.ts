import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stampFile = join(root, 'dist', 'web.stamp');
const SOURCES = [
  'src/web',
  'src/pages',
  'docs',
  'src/contract',
  'src/domain',
  'vite.config.ts',
  'vite.pages.config.ts',
  'scripts/web-files.ts',
  'scripts/page-files.ts',
  'package-lock.json',
];

/** Builds the web into dist/web, unless the existing build has the same sources. */
export async function buildWebIfStale(log: (line: string) => void): Promise<void> {
  const stamp = await hashSources();
  const [built, ...files] = await Promise.all([
    readFile(stampFile, 'utf8').catch(() => null),
    ...['web/index.html', 'pages.json'].map((file) => stat(join(root, 'dist', file)).catch(() => null)),
  ]);
  if (built === stamp && !files.includes(null)) return;
  log('Building the web …');
  await buildWeb();
}

/** Builds the web into dist/web, and draws the pages that work without a script into dist/pages.json. @throws Error with Vite's output when it fails */
export async function buildWeb(): Promise<void> {
  const stamp = await hashSources();
  await runVite([]);
  const pages = ['--config', 'vite.pages.config.ts'];
  await runVite(pages);
  await runVite([...pages, '--ssr']);
  await writeFile(stampFile, stamp);
}

// File contents, because a checkout or a copy changes the modification times.
async function hashSources(): Promise<string> {
  const hash = createHash('sha256').update(process.versions.node);
  for (const source of SOURCES) {
    for (const file of await filesIn(join(root, source))) {
      if (file.includes('.test.') || file.includes('/decisions/')) continue;
      hash.update(file.slice(root.length)).update('\0');
      hash.update(await readFile(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

async function filesIn(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

// A separate process: Vite sets NODE_ENV in its process and keeps its memory.
async function runVite(options: readonly string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn', ...options], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.once('error', reject);
  child.once('close', (code) => {
    if (code === 0) resolve();
    else reject(new Error(`The web could not be built:\n${output.trim()}`));
  });
  return promise;
}
