import { readdir, readFile } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const built = new URL('../dist/web/', import.meta.url);
const assets = new URL('assets/', built);

/** Everything before the dashboard is on screen. A dialog, and shapes that only its screen reads, load when they are asked for. */
const mostBytes = 247_000;

it('the dashboard loads with less than 247 kB of compressed JavaScript', async () => {
  const files = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const page = await readFile(new URL('index.html', built), 'utf8');
  const needed = new Set([
    ...[...page.matchAll(/assets\/([\w.-]+\.js)/g)].map(([, name = '']) => name),
    ...files.filter((name) => /^(Themed|SignedInLayout|DashboardScreen)-/.test(name)),
  ]);
  let bytes = 0;
  for (const name of needed) {
    const code = await readFile(new URL(name, assets), 'utf8');
    bytes += gzipSync(code, { level: 9 }).length;
    // Imports that are called, `import("…")`, are loaded later.
    for (const [, imported = ''] of code.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) needed.add(imported);
  }
  expect(needed.size).toBeGreaterThan(10);
  expect(bytes).toBeLessThan(mostBytes);
});

it('the page of a screen names its files, which lie there compressed', async () => {
  const screens: unknown = JSON.parse(await readFile(new URL('screens.json', built), 'utf8'));
  expect(screens).toMatchObject({
    '/dashboard': { needsSession: true },
    '/reminders/$id/edit': { needsSession: true },
    '/admin/workspace/$workspaceId/manage': { needsSession: true },
    '/auth': { needsSession: false },
  });
  const all = await readdir(assets);
  const named = [...JSON.stringify(screens).matchAll(/assets\/([\w.-]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !all.includes(name))).toEqual([]);
  const files = all.filter((name) => /^(DashboardScreen|shared)-.*\.js$/.test(name));
  expect(JSON.stringify(screens)).toContain(files.find((name) => name.startsWith('DashboardScreen')));
  for (const name of files) {
    const code = await readFile(new URL(name, assets));
    expect(brotliDecompressSync(await readFile(new URL(`${name}.br`, assets))).equals(code)).toBe(true);
    expect(gunzipSync(await readFile(new URL(`${name}.gz`, assets))).equals(code)).toBe(true);
  }
});
