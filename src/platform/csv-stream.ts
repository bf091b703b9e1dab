import { writeCsv } from '#platform/csv.ts';
import { fileResponse } from '#platform/file-stream.ts';

type CsvFile = {
  name: string;
  head: readonly string[];
  /** The lines, in chunks; each is requested once the previous ones were sent. */
  pages: AsyncIterable<readonly (readonly string[])[]>;
};

/** The columns of a CSV file by their titles, each with its cell of a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => string | number | null>>;

export const csvLine = <Row>(columns: CsvColumns<Row>, row: Row): string[] =>
  Object.values(columns).map((cellOf) => String(cellOf(row) ?? ''));

/** Streams a CSV file, as `fileResponse` does. */
export const csvResponse = ({ name, head, pages }: CsvFile): Response =>
  fileResponse({ name, mediaType: 'text/csv', parts: partsOf(head, pages) });

async function* partsOf(head: CsvFile['head'], pages: CsvFile['pages']): AsyncGenerator<string> {
  // The byte order mark tells Excel that this is UTF-8.
  yield `\uFEFF${writeCsv([head])}`;
  for await (const lines of pages) if (lines.length > 0) yield writeCsv(lines);
}

/** A list as CSV with a line for each row, page after page. */
export const csvOfPages = <Row>(columns: CsvColumns<Row>, read: ReadPage<Row>): Omit<CsvFile, 'name'> => ({
  head: Object.keys(columns),
  pages: linesOfPages(read, (row) => [csvLine(columns, row)]),
});

type ReadPage<Row> = (cursor: string | undefined) => Promise<{ data: readonly Row[]; next_cursor: string | null }>;

/** The lines of a list, page after page: each row has one or more. */
export async function* linesOfPages<Row>(
  read: ReadPage<Row>,
  linesOf: (row: Row) => string[][],
): AsyncGenerator<string[][]> {
  for (let cursor: string | undefined | null; cursor !== null; ) {
    const page = await read(cursor);
    yield page.data.flatMap(linesOf);
    cursor = page.next_cursor;
  }
}
