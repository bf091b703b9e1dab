/**
 * A batch's column as an array literal. For values that need no quoting in it (uuids, instants, numbers, our own words):
 * the driver would escape every element of every column, which costs a claim more than to read its jobs.
 */
export const plainColumn = <Row>(rows: readonly Row[], read: (row: Row) => string | number | null): string =>
  `{${rows.map((row) => read(row) ?? 'NULL').join(',')}}`;
