import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { isWebPath } from '#contract/web-routes.ts';

const folder = new URL('public/', import.meta.url);
const manifest: {
  start_url: string;
  icons: { src: string; sizes: string; type: string; purpose?: string }[];
  shortcuts: { url: string }[];
} = JSON.parse(await readFile(new URL('manifest.json', folder), 'utf8'));

it('the manifest names pictures of the sizes that they have', async () => {
  const drawn = manifest.icons.filter(({ type }) => type === 'image/png');
  expect(drawn.map(({ sizes, purpose = 'any' }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ]);
  for (const { src, sizes } of drawn) {
    const bytes = await readFile(new URL(`.${src}`, folder));
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, src).toBe(sizes);
  }
});

it('the manifest leads to pages that there are', () => {
  for (const path of [manifest.start_url, ...manifest.shortcuts.map(({ url }) => url)])
    expect(isWebPath(path), path).toBe(true);
});

it('the service worker keeps nothing, and asks the API only whether the server runs and whose subscription it renews', async () => {
  const code = await readFile(new URL('sw.js', folder), 'utf8');
  expect(code).not.toMatch(/\bcaches\b|indexedDB/);
  expect([...code.matchAll(/'\/api\/[^']*'/g)].map(([path]) => path)).toEqual([
    "'/api/*'",
    "'/api/'",
    "'/api/health'",
    "'/api/workspaces'",
    "'/api/push-browsers'",
  ]);
});
