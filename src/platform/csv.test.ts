import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { withoutGuard, writeCsv } from '#platform/csv.ts';
import { sample } from '#testing/sample.ts';

const formula = /^[ \u00a0]*[=+\-@\t\r\n＝＋－＠]/;

/** As a spreadsheet that parts cells by this delimiter finds them. */
const cellsBy = (csv: string, delimiter: string) => Papa.parse<string[]>(csv, { delimiter }).data.flat();

describe('a cell of an export', () => {
  it.each([
    ['=cmd()', "'=cmd()"],
    ['x;=cmd()', "x;'=cmd()"],
    ['x\t=cmd()', "x\t'=cmd()"],
    ['x\n=cmd()', "x\n'=cmd()"],
    ['a;-1;@x', "a;'-1;'@x"],
    ["'=x", "''=x"],
    ['\t=x', "'\t'=x"],
    [' =cmd()', "' =cmd()"],
    ['\u00a0 @x', "'\u00a0 @x"],
    ['x; =cmd()', "x;' =cmd()"],
    ["' =x", "'' =x"],
    [' +491701234567', "' +491701234567"],
    ['a = 1', 'a = 1'],
    ['+491701234567', '+491701234567'],
    ['x;+491701234567', "x;'+491701234567"],
    ['x;+4917=1', "x;'+4917=1"],
    ["it's = 1", "it's = 1"],
  ])('%j is written as %j, and read again as it was', (cell, written) => {
    const [found] = cellsBy(writeCsv([[cell]]).trimEnd(), ',');
    expect(found).toBe(written);
    expect(withoutGuard(written)).toBe(cell.trim());
  });

  it('is no formula whichever of commas, semicolons and tabs parts the cells', () => {
    const cell = fc
      .array(fc.constantFrom('=', '+', '-', '@', ';', ',', '\t', '\r', '\n', '"', "'", 'a', '1', '＝', ' ', '\u00a0'), {
        maxLength: 12,
      })
      .map((letters) => letters.join(''));
    const property = fc.property(fc.array(cell, { minLength: 1, maxLength: 4 }), (row) => {
      const csv = writeCsv([row]);
      const dangerous = [',', ';', '\t'].flatMap((delimiter) =>
        cellsBy(csv, delimiter).filter(
          (found) => formula.test(found.replace(/^\s+$/, '')) && !/^\+\d+(?:$|["\s,])/.test(found),
        ),
      );
      expect(dangerous).toEqual([]);
      expect(cellsBy(csv, ',').slice(0, row.length).map(withoutGuard)).toEqual(row.map((one) => one.trim()));
    });
    for (const seed of sample.partSeeds('cells', 20_261_200)) fc.assert(property, { seed, numRuns: 2_000 });
  });
});
