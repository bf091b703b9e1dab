/**
 * A batch's column as an array literal, for values that need no quoting in it (UUIDs, instants, numbers, fixed words).
 * The driver would escape every element of every column, which costs a claim more than reading its jobs.
 */
export const plainColumn = <Row>(rows: readonly Row[], read: (row: Row) => string | number | null): string =>
  `{${rows.map((row) => read(row) ?? 'NULL').join(',')}}`;
