import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createReader, endOfRows } from '#commands/backup-file.ts';

const line = fc.string({ unit: fc.constantFrom('a', '\\', '.', 'N', 't', 'é') }).filter((text) => text !== '\\.');

it('a backup is read alike, into whatever pieces it falls on the way', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(line, { maxLength: 6 }), { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      async (tables, sizes) => {
        const text = tables
          .map((rows) => `{"n":${rows.length}}\n${rows.map((row) => `${row}\n`).join('')}${endOfRows}`)
          .join('');
        const reader = createReader(pieces(Buffer.from(text), sizes));
        for (const rows of tables) {
          expect(await reader.json(z.object({ n: z.number() }))).toEqual({ n: rows.length });
          const read: Buffer[] = [];
          for await (const chunk of reader.rows()) read.push(Buffer.from(chunk));
          expect(Buffer.concat(read).toString()).toBe(rows.map((row) => `${row}\n`).join(''));
        }
      },
    ),
    { numRuns: 500 },
  );
});

async function* pieces(whole: Buffer, sizes: readonly number[]): AsyncIterable<Buffer> {
  let at = 0;
  for (let round = 0; at < whole.length; round += 1) {
    const size = sizes[round % sizes.length] ?? 1;
    yield whole.subarray(at, at + size);
    at += size;
  }
}
