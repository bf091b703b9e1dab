import Papa from 'papaparse';
import { contactLimits } from '#contract/contacts.ts';
import { columnsIn, excessOf, partsOf } from '#features/contacts/csv-size.ts';
import { withoutGuard } from '#platform/csv.ts';
import { Invalid } from '#platform/errors.ts';
import { serveOthers } from '#platform/in-slices.ts';

export type CsvRow = {
  /** The line of the file on which the row begins, counted from 1. */
  line: number;
  cells: string[];
  /** Why the row cannot be read; null when it can. */
  problem: string | null;
};

/** Within how many lines the names of the columns stand: spreadsheets have a title above them. */
export const titleLines = 10;

/**
 * Reads CSV (RFC 4180) with commas, semicolons or tabs, with or without a byte order mark. Blank lines are skipped.
 * Parsed in parts, between which others are served. Throws Invalid for more columns or lines than a file may have.
 */
export async function readCsv(text: string): Promise<{ delimiter: string; rows: CsvRow[] }> {
  const rows: CsvRow[] = [];
  await serveOthers();
  assertFewBreaks(text);
  // One kind of line end: the parser's guess would read a file with several as a single line.
  const plain = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  await serveOthers();
  const delimiter = delimiterOf(plain);
  await serveOthers();
  const excess = excessOf(plain, delimiter);
  if (excess !== null) throw new Invalid([{ path: 'csv', message: excess }]);
  for (const part of partsOf(plain, delimiter)) {
    await serveOthers();
    rows.push(...rowsIn(part, delimiter));
  }
  return { delimiter, rows };
}

/** Each line break is replaced, so that millions are refused before. */
function assertFewBreaks(text: string): void {
  let breaks = 0;
  for (let at = 0; at < text.length && breaks <= mostBreaks; at += 1) {
    const code = text.charCodeAt(at);
    if (code === lineFeed || code === carriageReturn) breaks += 1;
  }
  if (breaks > mostBreaks)
    throw new Invalid([
      { path: 'csv', message: `The file has more than ${contactLimits.importLines} lines, blank ones included` },
    ]);
}

/** Also those within cells count, and two for each line of Windows. */
const mostBreaks = 8 * contactLimits.importLines;
const [lineFeed, carriageReturn] = [0x0a, 0x0d];

function rowsIn(part: { text: string; line: number }, delimiter: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let { line } = part;
  let read = 0;
  Papa.parse<string[]>(part.text, {
    newline: '\n',
    delimiter,
    step({ data, errors, meta }) {
      const cells = data.map(withoutGuard);
      const broken = errors.find(({ type }) => type === 'Quotes');
      const problem = broken === undefined ? null : quoteProblem;
      if (problem !== null || cells.some((cell) => cell !== '')) rows.push({ line, cells, problem });
      line += linesIn(part.text, { from: read, to: meta.cursor });
      read = meta.cursor;
    },
  });
  return rows;
}

/**
 * The delimiter that splits the first line into the most values. If none does, because that line is a title, the one that does so for the first
 * `titleLines` lines.
 */
function delimiterOf(text: string): string {
  for (const lines of [1, titleLines]) {
    let best = { delimiter: ',', columns: columnsIn(text, { delimiter: ',', lines }) };
    for (const delimiter of [';', '\t']) {
      const columns = columnsIn(text, { delimiter, lines });
      if (columns > best.columns) best = { delimiter, columns };
    }
    if (best.columns > 1) return best.delimiter;
  }
  return ',';
}

const quoteProblem = 'A quotation mark is not closed, or is in the middle of a value';

function linesIn(text: string, { from, to }: { from: number; to: number }): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
