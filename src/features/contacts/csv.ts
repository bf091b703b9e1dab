import Papa from 'papaparse';
import { columnsIn, excessOf } from '#features/contacts/csv-size.ts';
import { withoutGuard } from '#platform/csv.ts';
import { Invalid } from '#platform/errors.ts';

export type CsvRow = {
  /** The line of the file on which the row begins, counted from 1. */
  line: number;
  cells: string[];
  /** Why the row cannot be read; null when it can. */
  problem: string | null;
};

/**
 * Reads CSV (RFC 4180) with commas, semicolons or tabs, with or without a byte order mark. Blank lines are skipped. The first row is the header.
 * Throws Invalid for more columns or lines than a file may have.
 */
export function readCsv(text: string): { delimiter: string; rows: CsvRow[] } {
  // One kind of line end: the parser's guess would read a file with several as a single line.
  const plain = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const rows: CsvRow[] = [];
  const delimiter = delimiterOf(plain);
  const excess = excessOf(plain, delimiter);
  if (excess !== null) throw new Invalid([{ path: 'csv', message: excess }]);
  let line = 1;
  let read = 0;
  Papa.parse<string[]>(plain, {
    newline: '\n',
    delimiter,
    step({ data, errors, meta }) {
      const cells = data.map(withoutGuard);
      const broken = errors.find(({ type }) => type === 'Quotes');
      const problem = broken === undefined ? null : quoteProblem;
      if (problem !== null || cells.some((cell) => cell !== '')) rows.push({ line, cells, problem });
      line += linesIn(plain, { from: read, to: meta.cursor });
      read = meta.cursor;
    },
  });
  return { delimiter, rows };
}

/** The delimiter that splits the first line into the most values. */
function delimiterOf(text: string): string {
  let best = { delimiter: ',', columns: columnsIn(text, ',') };
  for (const delimiter of [';', '\t']) {
    const columns = columnsIn(text, delimiter);
    if (columns > best.columns) best = { delimiter, columns };
  }
  return best.delimiter;
}

const quoteProblem = 'A quotation mark is not closed, or is in the middle of a value';

function linesIn(text: string, { from, to }: { from: number; to: number }): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
