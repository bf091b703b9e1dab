import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const page = await readFile('docs/delivery-guarantees.md', 'utf8');

/** `file`: “sentence”, “another”. */
const shown = [...page.matchAll(/`([^`]+\.test\.ts)`: ((?:“[^”]+”(?:, )?)+)/g)].flatMap(
  ([, file = '', sentences = '']) =>
    [...sentences.matchAll(/“([^”]+)”/g)].map(([, sentence = '']) => ({ file, sentence })),
);

describe('the page of delivery guarantees', () => {
  it.each(shown)('cites an existing test: $sentence ($file)', async ({ file, sentence }) => {
    expect(await readFile(file, 'utf8')).toContain(sentence);
  });

  it('cites a test for every guarantee', () => {
    const promises = page.split('\n').filter((line) => line.startsWith('- ') && !line.startsWith('- *'));
    expect(promises.length).toBeGreaterThan(20);
    expect(promises.filter((line) => !line.includes('.test.ts`: “'))).toEqual([]);
  });
});
