import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subsetFont from 'subset-font';

const latin = createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');

const between = (first: number, last: number) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at));

/** Letters of Western Europe and the punctuation of the texts; other characters are drawn in the system's typeface. */
const characters = `${between(0x20, 0x7e)}${between(0xa0, 0xff)}–—‘’‚“”„…€`;

/** Stores the application's typeface for pages that work without a script, at a third of its size, and returns its URL. */
export async function storeFont(web: string): Promise<string> {
  const font = await subsetFont(readFileSync(latin), characters, {
    targetFormat: 'woff2',
    variationAxes: { wght: { min: 400, max: 700 } },
  });
  const hash = createHash('sha256').update(font).digest('hex').slice(0, 8);
  const address = `/assets/inter-${hash}.woff2`;
  writeFileSync(join(web, address), font);
  return address;
}
