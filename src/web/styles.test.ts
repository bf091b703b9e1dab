import { glob, readdir, readFile } from 'node:fs/promises';
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

  it('of Mantine are loaded by each file that uses a component which is not in every bundle', async () => {
    const folder = 'node_modules/@mantine/core/styles';
    const all = new Set((await readdir(folder)).map((file) => file.split('.', 1)[0]));
    const everywhere = stylesIn(await readFile('src/web/app/mantine.ts', 'utf8'));
    const missing: string[] = [];
    for await (const file of glob('src/web/**/*.tsx')) {
      const source = await readFile(file, 'utf8');
      const [, names = ''] = /^import \{([^}]*)\} from '@mantine\/core';/m.exec(source) ?? [];
      const used = names.split(',').flatMap((name) => [name.trim(), ...(parts[name.trim()] ?? [])]);
      const loaded = stylesIn(source).union(everywhere);
      missing.push(...used.filter((name) => all.has(name) && !loaded.has(name)).map((name) => `${file}: ${name}`));
    }
    expect(missing).toEqual([]);
    expect(everywhere.size).toBeGreaterThan(20);
  });
});

const stylesIn = (source: string) =>
  new Set([...source.matchAll(/'@mantine\/core\/styles\/(\w+)\.layer\.css'/g)].map(([, name = '']) => name));

/** Components that are drawn with others, which the file does not name. */
const parts: Record<string, readonly string[]> = {
  MultiSelect: ['Pill', 'PillsInput'],
  SegmentedControl: ['FloatingIndicator'],
  TagsInput: ['Pill', 'PillsInput'],
};
