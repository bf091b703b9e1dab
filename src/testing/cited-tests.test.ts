import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const read = (page: string) => readFile(`docs/${page}`, 'utf8');
const pages = {
  'delivery-guarantees.md': await read('delivery-guarantees.md'),
  'plans.md': await read('plans.md'),
  'security.md': await read('security.md'),
};

/** As `file`, or `file`: “sentence”, “another”. */
const cited = Object.entries(pages).flatMap(([page, text]) =>
  [...text.matchAll(/`((?:src|e2e|simulation)\/[^`]+\.test\.ts)`(?:: ((?:“[^”]+”(?:, )?)+))?/g)].flatMap(
    ([, file = '', sentences = '“”']) =>
      [...sentences.matchAll(/“([^”]*)”/g)].map(([, sentence = '']) => ({ page, file, sentence })),
  ),
);

describe('the pages that cite tests', () => {
  it.each(cited)('$page cites an existing one: $sentence ($file)', async ({ file, sentence }) => {
    expect(await readFile(file, 'utf8')).toContain(sentence);
  });

  it('cite one for every guarantee of delivery', () => {
    const promises = pages['delivery-guarantees.md']
      .split('\n')
      .filter((line) => line.startsWith('- ') && !line.startsWith('- *'));
    expect(promises.length).toBeGreaterThan(20);
    expect(promises.filter((line) => !line.includes('.test.ts`: “'))).toEqual([]);
  });

  it('answer each requirement of the security standard once', () => {
    const answered = [
      ...pages['security.md'].matchAll(/^\| (\d+\.\d+\.\d+[^|]*) \| [^|]+ \| (?:yes|part|no|—|host) \|/gm),
    ]
      .flatMap(([, numbers = '']) => numbers.split(', '))
      .map((number) => number.split(' – ')[0]);
    expect(answered.length).toBeGreaterThan(120);
    expect(answered.filter((number, at) => answered.indexOf(number) < at)).toEqual([]);
  });
});
