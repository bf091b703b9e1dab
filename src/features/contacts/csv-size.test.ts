import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { contactLimits } from '#contract/contacts.ts';
import { columnsIn, excessOf } from '#features/contacts/csv-size.ts';
import { sample } from '#testing/sample.ts';

describe('the size of a CSV file', () => {
  it('counts the columns of the first line like the parser, for valid and invalid quotes', () => {
    const text = fc.array(fc.constantFrom('a', '"', ',', ' ', '\n', ';'), { maxLength: 24 }).map((all) => all.join(''));
    const property = fc.property(text, (csv) => {
      fc.pre(csv !== '');
      const [first] = Papa.parse<string[]>(csv, { newline: '\n', delimiter: ',', preview: 1 }).data;
      expect(columnsIn(csv, { delimiter: ',', lines: 1 })).toBe(first?.length);
    });
    for (const seed of sample.partSeeds('first lines', 20_261_200)) fc.assert(property, { seed, numRuns: 2_000 });
  });

  const { importColumns, importLines, importRows } = contactLimits;
  const wide = (columns: number) => 'a,'.repeat(columns - 1).concat('a');

  it.each([
    [`${wide(importColumns)}\n`.repeat(3), null],
    [wide(importColumns + 1), 'Line 1 has more than 200 columns'],
    [`Name,"two\nlines"\n${wide(1_900_000 / 2)}`, 'Line 3 has more than 200 columns'],
    [`Name,note\nAnna,"${','.repeat(1_000)}"`, null],
    ['\n'.repeat(importLines - 1), null],
    ['\n'.repeat(importLines), 'The file has more than 50000 lines, blank ones included'],
    [`a,"${'"a"b'.repeat(importRows)}`, 'The file has more than 10000 misplaced quotation marks'],
  ])('is checked against the limits: %#', (csv, excess) => {
    expect(excessOf(csv, ',')).toBe(excess);
  });
});
