import type { TestPerson } from '#testing/cuebird.ts';

export type EventStream = {
  status: number;
  headers: Headers;
  /** The lines of the next event without the empty one; null when the server has ended the stream. */
  next(): Promise<string | null>;
  close(): Promise<void>;
};

/** Opens `/api/stream` like a browser, or like a program with its API key. */
export async function openEventStream(
  url: string,
  { as, workspace }: { as: Pick<TestPerson, 'cookie'> | { key: string } | null; workspace: string },
): Promise<EventStream> {
  const response = await fetch(`${url}/api/stream?workspace=${workspace}`, {
    headers: as === null ? {} : 'key' in as ? { authorization: `Bearer ${as.key}` } : { cookie: as.cookie },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    status: response.status,
    headers: response.headers,
    async next() {
      while (!text.includes('\n\n')) {
        const part = await reader?.read();
        if (part === undefined || part.done) return null;
        text += part.value;
      }
      const end = text.indexOf('\n\n');
      const event = text.slice(0, end);
      text = text.slice(end + 2);
      return event;
    },
    close: async () => reader?.cancel(),
  };
}
