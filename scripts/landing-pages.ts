import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

const folder = join(import.meta.dirname, '../dist/landing');
const scriptFile = join(folder, 'script.txt');

/** Notes the name of the script, which contains a hash of its content. */
export const landingScript = (): Plugin => ({
  name: 'cuebird-landing-script',
  generateBundle(_, bundle) {
    const entry = Object.values(bundle).find((one) => one.type === 'chunk' && one.isEntry);
    mkdirSync(folder, { recursive: true });
    writeFileSync(scriptFile, `/${entry?.fileName ?? this.error('there is no script')}`);
  },
});

/** Draws the page for both kinds of visitor. */
export const landingPages = (): Plugin => ({
  name: 'cuebird-landing-pages',
  async writeBundle({ dir = '' }, bundle) {
    const entry = Object.values(bundle).find((one) => one.type === 'chunk' && one.isEntry);
    const { drawLanding }: Drawing = await import(pathToFileURL(join(dir, entry?.fileName ?? '')).href);
    const script = readFileSync(scriptFile, 'utf8');
    for (const isSignedIn of [true, false]) {
      const page = await drawLanding({ isSignedIn, script });
      writeFileSync(join(folder, isSignedIn ? 'signed-in.html' : 'signed-out.html'), page);
    }
  },
});

type Drawing = { drawLanding: (of: { isSignedIn: boolean; script: string }) => Promise<string> };
