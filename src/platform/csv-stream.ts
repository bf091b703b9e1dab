import { writeCsv } from '#platform/csv.ts';

type CsvFile = {
  name: string;
  head: readonly string[];
  /** Lines in chunks; a chunk is requested once the previous ones were sent. */
  pages: AsyncIterator<readonly (readonly string[])[]>;
};

/**
 * Streams a file of any length in constant memory. Where a page cannot be read, the connection is aborted, so that the
 * part does not look complete; where the client disconnects, no further page is read.
 */
export function csvResponse({ name, head, pages }: CsvFile): Response {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>(
    {
      // The byte order mark tells Excel that this is UTF-8.
      start: (controller) => controller.enqueue(encoder.encode(`\uFEFF${writeCsv([head])}`)),
      async pull(controller) {
        // A pull that enqueues nothing is not called again.
        for (;;) {
          const { value: lines, done } = await pages.next();
          if (done === true) return controller.close();
          if (lines.length > 0) return controller.enqueue(encoder.encode(writeCsv(lines)));
        }
      },
      async cancel() {
        await pages.return?.();
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(stream, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  });
}
