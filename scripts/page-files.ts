import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import type { drawPages, Sources } from '../src/pages/render.tsx';
import { storeFont } from './page-font.ts';

const root = join(import.meta.dirname, '..');
const scriptsFile = join(root, 'dist/page-scripts.json');

/** Notes the names of the scripts, which contain a hash of their content. */
export const pageScripts = (): Plugin => ({
  name: 'cuebird-page-scripts',
  generateBundle(_, bundle) {
    const entries = Object.values(bundle).filter((one) => one.type === 'chunk' && one.isEntry);
    const scripts = Object.fromEntries(entries.map(({ name, fileName }) => [name, `/${fileName}`]));
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(scriptsFile, JSON.stringify(scripts));
  },
});

/** Draws the pages into `dist/pages.json`, from the build of `render.tsx` and the files of `docs/`. */
export const drawnPages = (): Plugin => ({
  name: 'cuebird-drawn-pages',
  async writeBundle({ dir = '' }, bundle) {
    const entry = Object.values(bundle).find((one) => one.type === 'chunk' && one.isEntry);
    const build: { drawPages: typeof drawPages } = await import(pathToFileURL(join(dir, entry?.fileName ?? '')).href);
    const scripts: Sources['scripts'] = JSON.parse(readFileSync(scriptsFile, 'utf8'));
    const pages = await build.drawPages({
      scripts,
      font: await storeFont(join(root, 'dist/web')),
      read: (file) => readFileSync(join(root, 'docs', file), 'utf8'),
      storeIndex,
    });
    writeFileSync(join(root, 'dist/pages.json'), JSON.stringify(pages));
  },
});

const storeIndex: Sources['storeIndex'] = (entries) => {
  const text = JSON.stringify(entries);
  const address = `/assets/docs-search-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.json`;
  writeFileSync(join(root, 'dist/web', address), text);
  return address;
};
