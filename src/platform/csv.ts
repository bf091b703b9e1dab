import Papa from 'papaparse';

/**
 * Where a spreadsheet may see the beginning of a cell: at a comma, or at a semicolon or tab if it is set to those, when it reads our quotes as text.
 */
const start = '(?<=^|[;\\t\\r\\n])';

/**
 * The beginning of a formula (owasp.org, "CSV Injection"). Some programs cut blanks before it. Apostrophes before it may be guards that were guarded
 * again.
 */
const formula = "[' \\u00a0]*[=+\\-@\\t\\r\\n＝＋－＠]";
/** A plain phone number is no formula, and stays as it is. */
const unguarded = new RegExp(`${start}(?!^\\+\\d+$)(?=${formula})`, 'g');
const guard = new RegExp(`${start}'(?=${formula})`, 'g');

/** Prefixes a formula with an apostrophe, which is no part of the value. */
const guarded = (cell: string) => cell.replace(unguarded, "'");

/** The value of a cell without the apostrophe of `guarded` cells. */
export const withoutGuard = (cell: string) => cell.replace(guard, '').trim();

/** Writes CSV by RFC 4180: commas between cells, and a line break after every line. */
export const writeCsv = (rows: readonly (readonly string[])[]) =>
  `${Papa.unparse(
    rows.map((row) => row.map(guarded)),
    { newline: '\r\n' },
  )}\r\n`;
