import { glob, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

it('screens, pages, messages and docs write “timezone” as one word', async () => {
  const otherwise: string[] = [];
  let count = 0;
  for await (const file of glob(['src/**/*.{ts,tsx}', 'docs/*.md', 'README.md'])) {
    if (file.endsWith('.test.ts')) continue;
    count += 1;
    // SQL has words of its own.
    for (const line of (await readFile(file, 'utf8')).split('\n'))
      if (/\btime[ -]zone/i.test(line) && !/\bat time zone\b/.test(line) && !line.startsWith('| Timezone |'))
        otherwise.push(`${file}: ${line.trim()}`);
  }
  expect(otherwise).toEqual([]);
  expect(count).toBeGreaterThan(500);
});
