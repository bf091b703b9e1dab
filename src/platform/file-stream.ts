type StreamedFile = {
  name: string;
  mediaType: string;
  /** The parts of the file; each is requested once the previous ones were sent. */
  parts: AsyncGenerator<string>;
};

/**
 * Streams a file of any length in constant memory. Where a part cannot be read, the connection is aborted, so that the
 * file does not look complete; where the client disconnects, no further part is read.
 */
export function fileResponse({ name, mediaType, parts }: StreamedFile): Response {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await parts.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await parts.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(stream, {
    headers: {
      'content-type': `${mediaType}; charset=utf-8`,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  });
}
