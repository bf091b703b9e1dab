import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, it } from 'vitest';
import { partsOf } from '#features/contacts/csv-size.ts';

const rowsOf = (text: string) => Papa.parse<string[]>(text, { newline: '\n', delimiter: ';' }).data;
const isNoBlankLine = (row: string[]) => row.some((cell) => cell !== '');

it('a file that is read in parts has the rows and line numbers of the whole', () => {
  const texts = fc.array(fc.constantFrom('a', 'bc', '"', '""', '";', ';"', '\n', ';', ' ', '"\n'), { maxLength: 40 });
  fc.assert(
    fc.property(texts, fc.nat(8), (letters, length) => {
      const text = letters.join('');
      const parts = [...partsOf(text, ';', length)];
      expect(parts.map((part) => part.text).join('')).toBe(text);
      const rows = parts.flatMap((part) => rowsOf(part.text)).filter(isNoBlankLine);
      expect(rows).toEqual(rowsOf(text).filter(isNoBlankLine));
      let line = 1;
      for (const part of parts) {
        expect(part.line).toBe(line);
        line += part.text.split('\n').length - 1;
      }
    }),
    { numRuns: 5_000 },
  );
});
