import { expect, it } from 'vitest';
import { csvResponse } from '#platform/csv-stream.ts';

/** Pages of one line each, without end; `asked` counts them, `ended` once it was let go. */
function endless() {
  const seen = { asked: 0 };
  const ended = Promise.withResolvers<void>();
  async function* pages() {
    try {
      for (;;) {
        seen.asked += 1;
        yield [[`line ${seen.asked}`]];
      }
    } finally {
      ended.resolve();
    }
  }
  return { seen, ended: ended.promise, pages: pages() };
}

const readerOf = (response: Response) => response.body!.pipeThrough(new TextDecoderStream()).getReader();

it('a file is read from its source as fast as somebody takes it, and no further once nobody does', async () => {
  const { seen, ended, pages } = endless();
  const reader = readerOf(csvResponse({ name: 'a.csv', head: ['Line'], pages }));
  for (let lines = 0; lines < 20; lines += 1) await reader.read();
  expect(seen.asked).toBeLessThan(25);
  await reader.cancel();
  await ended;
});

it('a file whose source fails breaks off with the failure', async () => {
  async function* pages() {
    yield [['one']];
    throw new Error('the database is gone');
  }
  await expect(csvResponse({ name: 'a.csv', head: ['Line'], pages: pages() }).text()).rejects.toThrow(
    'the database is gone',
  );
});

it('pages without lines are passed over', async () => {
  async function* pages() {
    yield [];
    yield [['=1']];
    yield [];
  }
  const text = await csvResponse({ name: 'a.csv', head: ['Line'], pages: pages() }).text();
  expect(text).toBe("Line\r\n'=1\r\n");
});
