import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertSessionsKept } from '#platform/session-check.ts';
import { createBlankDatabase } from '#testing/database.ts';
import { createInstallation } from '#testing/process.ts';
import { connectOwner } from '#testing/owner.ts';
import { startTransactionPooler, type TransactionPooler } from '#testing/transaction-pooler.ts';

describe('a database behind a pooler in transaction mode', () => {
  let database: Awaited<ReturnType<typeof createBlankDatabase>>;
  let pooler: TransactionPooler;
  beforeAll(async () => {
    database = await createBlankDatabase();
    pooler = await startTransactionPooler(database.url);
  });
  afterAll(async () => {
    await pooler.close();
    await database.drop();
  });

  it('loses settings between transactions, while the server itself keeps them', async () => {
    await expect(assertSessionsKept(pooler.through(database.url))).rejects.toThrow(/pool_mode = session/);
    await expect(assertSessionsKept(database.url)).resolves.toBeUndefined();
  });

  it.each([
    ['the start', []],
    ['a pause', ['pause']],
    ['a rotation of the key', ['rotate-key']],
  ])('ends %s with one sentence, before anything is written', async (_, args) => {
    const installation = await createInstallation();
    const process = installation.start({ env: { DATABASE_URL: pooler.through(database.url) }, args });
    expect(await process.ended).toMatchObject({
      code: 1,
      stderr:
        'DATABASE_URL: it leads to a pooler in transaction mode, where settings, prepared statements and notifications are lost between transactions. Name the server itself, or have the pooler keep sessions (PgBouncer: pool_mode = session).\n',
    });
    await installation.remove();
    const owner = await connectOwner(database.url);
    const { rowCount } = await owner.query("select from pg_tables where schemaname = 'public'");
    expect(rowCount).toBe(0);
    await owner.end();
  });
});
