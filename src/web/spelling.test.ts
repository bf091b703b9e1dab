import { glob, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

type Spelling = {
  wanted: string;
  /** What is written otherwise. */
  otherwise: RegExp;
  /** Lines that read what others write, or have a word of SQL. */
  allowed: RegExp;
};

const spellings: Spelling[] = [
  { wanted: 'timezone', otherwise: /\btime[ -]zone/i, allowed: /\bat time zone\b|^\| Timezone \|/ },
  {
    wanted: 'email',
    otherwise: /\b[eE]-mail/,
    allowed: /\['email', 'e-mail'|\['e-mail', 'email'\]|account e-mail email/,
  },
];

it.each(spellings)('screens, pages, messages and docs write “$wanted” as one word', async ({ otherwise, allowed }) => {
  const found: string[] = [];
  let count = 0;
  for await (const file of glob(['src/**/*.{ts,tsx}', 'docs/*.md', 'README.md'])) {
    if (file.endsWith('.test.ts')) continue;
    count += 1;
    for (const line of (await readFile(file, 'utf8')).split('\n'))
      if (otherwise.test(line) && !allowed.test(line)) found.push(`${file}: ${line.trim()}`);
  }
  expect(found).toEqual([]);
  expect(count).toBeGreaterThan(500);
});
