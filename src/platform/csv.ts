import Papa from 'papaparse';

/** With which a spreadsheet takes a cell for a formula (owasp.org, "CSV Injection"). */
const formula = '[=+\\-@\\t\\r\\n＝＋－＠]';
const isFormula = new RegExp(`^${formula}`);
const isGuarded = new RegExp(`^'(?=${formula})`);

/** What a spreadsheet would take for a formula is written behind an apostrophe, which is no part of the value. */
const guarded = (cell: string) => (isFormula.test(cell) && !/^\+\d+$/.test(cell) ? `'${cell}` : cell);

/** The value of a cell that was written behind an apostrophe. */
export const withoutGuard = (cell: string) => cell.trim().replace(isGuarded, '');

/** RFC 4180: a comma between cells, and every line ends. */
export const writeCsv = (rows: readonly (readonly string[])[]) =>
  `${Papa.unparse(
    rows.map((row) => row.map(guarded)),
    { newline: '\r\n' },
  )}\r\n`;
