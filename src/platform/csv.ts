import Papa from 'papaparse';

/**
 * Where a spreadsheet may begin a cell: at a comma, and after a semicolon or tab where it is configured for those,
 * since it then treats our quotes as text.
 */
const start = '(?<=^|[;\\t\\r\\n])';

/** The first characters of a formula (owasp.org, "CSV Injection"); leading apostrophes are guards of a guard. */
const formula = "'*[=+\\-@\\t\\r\\n＝＋－＠]";
/** A plain phone number is no formula, and stays as it is. */
const unguarded = new RegExp(`${start}(?!^\\+\\d+$)(?=${formula})`, 'g');
const guard = new RegExp(`${start}'(?=${formula})`, 'g');

/** Prefixes a formula with an apostrophe, which is no part of the value. */
const guarded = (cell: string) => cell.replace(unguarded, "'");

/** The value of a cell without the apostrophe of `guarded` cells. */
export const withoutGuard = (cell: string) => cell.replace(guard, '').trim();

/** RFC 4180: commas between cells, and a line break after every line. */
export const writeCsv = (rows: readonly (readonly string[])[]) =>
  `${Papa.unparse(
    rows.map((row) => row.map(guarded)),
    { newline: '\r\n' },
  )}\r\n`;
