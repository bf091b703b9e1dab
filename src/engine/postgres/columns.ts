import type { ReasonParams } from '#contract/reason-params.ts';

/**
 * A batch's column as an array literal, for values that need no quoting in it (UUIDs, instants, numbers, fixed words).
 * The driver would escape every element of every column, which costs a claim more than reading its jobs.
 */
export const plainColumn = <Row>(
  rows: readonly Row[],
  read: (row: Row, at: number) => string | number | null,
): string => `{${rows.map((row, at) => read(row, at) ?? 'NULL').join(',')}}`;

/**
 * A batch's column as an array literal, for any texts. Escapes only where needed: the driver searches each text twice, and few have anything to
 * escape.
 */
export const textColumn = <Row>(rows: readonly Row[], read: (row: Row, at: number) => string | null): string =>
  `{${rows.map((row, at) => quoted(read(row, at))).join(',')}}`;

const quoted = (text: string | null) =>
  text === null ? 'NULL' : `"${/[\\"]/.test(text) ? text.replaceAll(/[\\"]/g, '\\$&') : text}"`;

/** A batch's column of the parameters of reasons, as JSON. */
export const paramsColumn = <Row>(rows: readonly Row[], read: (row: Row) => ReasonParams | null | undefined): string =>
  textColumn(rows, (row) => {
    const params = read(row) ?? null;
    return params === null ? null : JSON.stringify(params);
  });

const uuidOid = 2950;
const headBytes = 20;
/** In a binary array each element is its length in four bytes, then its value. */
const uuidBytes = 4 + 16;

/**
 * A batch's column of identifiers as a binary array (PostgreSQL's `array_recv`), which neither side has to parse as text.
 */
export function uuidColumn<Row>(rows: readonly Row[], read: (row: Row) => string): Buffer {
  const bytes = Buffer.allocUnsafe(headBytes + rows.length * uuidBytes);
  // The header: one dimension, no nulls, the element type, the number of elements, indexes from one.
  bytes.writeInt32BE(1, 0);
  bytes.writeInt32BE(0, 4);
  bytes.writeInt32BE(uuidOid, 8);
  bytes.writeInt32BE(rows.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = headBytes;
  for (const row of rows) {
    const id = read(row);
    bytes.writeInt32BE(16, at);
    const hex = id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24);
    if (bytes.write(hex, at + 4, 'hex') !== 16) throw new Error(`not an identifier: ${id}`);
    at += uuidBytes;
  }
  return bytes;
}
