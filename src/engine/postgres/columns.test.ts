import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainColumn, textColumn, uuidColumn } from '#engine/postgres/columns.ts';
import { createTestDatabase } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';

describe('the column of a batch', () => {
  let test: Awaited<ReturnType<typeof createTestDatabase>>;
  let owner: Client;
  beforeAll(async () => {
    test = await createTestDatabase();
    owner = await connectOwner(test.url);
  });
  afterAll(async () => {
    await owner.end();
    await test.drop();
  });

  const read = async (column: string | Buffer, type: string) =>
    (await owner.query(`select array(select value::text from unnest($1::${type}[]) as value) as found`, [column]))
      .rows[0].found;

  it('brings any texts to PostgreSQL as they are', async () => {
    const texts = [
      null,
      '',
      'NULL',
      ' blank ',
      'a,b',
      '{a}',
      '"quoted"',
      '\\',
      '\\"',
      'C:\\new\\"x"',
      "it's",
      'two\nlines\r\t',
      '“Zoë” 🐦',
      '$& $1',
    ];
    expect(
      await read(
        textColumn(texts, (text) => text),
        'text',
      ),
    ).toEqual(texts);
    expect(
      await read(
        textColumn([], () => null),
        'text',
      ),
    ).toEqual([]);
  });

  it('brings identifiers and plain values', async () => {
    const ids = ['01a215b5-1e5d-713d-a52e-37aae3cf4cf0', 'ffffffff-ffff-4fff-bfff-ffffffffffff'];
    expect(
      await read(
        uuidColumn(ids, (id) => id),
        'uuid',
      ),
    ).toEqual(ids);
    expect(
      await read(
        plainColumn([1, null, 3], (number) => number),
        'int',
      ),
    ).toEqual(['1', null, '3']);
  });

  it('refuses what is no identifier', () => {
    expect(() => uuidColumn(['01a215b5-1e5d-713d-a52e-37aae3cf4cfz'], (id) => id)).toThrow('not an identifier');
  });
});
