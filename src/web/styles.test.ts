import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

describe('the stylesheets', () => {
  it('contain every class that a component uses', async () => {
    const missing: string[] = [];
    let count = 0;
    for await (const file of glob('src/web/**/*.tsx')) {
      const source = await readFile(file, 'utf8');
      for (const [, name = '', path = ''] of source.matchAll(/^import (\w+) from '([^']+\.module\.css)';/gm)) {
        const styles = await readFile(
          path.startsWith('#') ? join('src', path.slice(1)) : join(dirname(file), path),
          'utf8',
        );
        const defined = new Set([...styles.matchAll(/\.([A-Za-z]\w*)/g)].map(([, found]) => found));
        const used = new Set(
          [...source.matchAll(new RegExp(`(?<![-/\\w])${name}\\.(\\w+)`, 'g'))].map(([, found]) => found),
        );
        count += used.size;
        missing.push(...[...used.difference(defined)].map((one) => `${file}: ${one}`));
      }
    }
    expect(missing).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });
});
