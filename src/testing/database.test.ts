import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from './database.ts';

describe('a test database', () => {
  it('is migrated, and nothing of it is seen in another one', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await query(one.url, 'create table only_here (id int)');
    const seen = `select to_regclass('only_here') is not null as here, to_regclass('reminders') is not null as migrated`;
    expect(await query(one.url, seen)).toEqual([{ here: true, migrated: true }]);
    expect(await query(other.url, seen)).toEqual([{ here: false, migrated: true }]);
    await Promise.all([one.drop(), other.drop()]);
    await expect(query(one.url, seen)).rejects.toThrow(/does not exist/);
  });
});

async function query(url: string, sql: string) {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
