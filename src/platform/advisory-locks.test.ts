import { expect, it } from 'vitest';
import { advisoryLocks } from '#platform/advisory-locks.ts';
import { connectOwner } from '#testing/owner.ts';
import { openTables } from '#testing/tables.ts';

it('a new month of the ledger begins beside a backup, and beside all other work that has a lock', async () => {
  const { monthPartitions, ...others } = advisoryLocks;
  expect(new Set([monthPartitions, ...Object.values(others)]).size).toBe(Object.keys(advisoryLocks).length);
  const { owner, url, close } = await openTables();
  const working = await connectOwner(url);
  for (const one of Object.values(others)) await working.query('select pg_advisory_lock($1)', [one]);
  const { rows } = await owner.query<{ is_made: boolean }>(
    "select make_month_partition('deliveries', '2041-01-01') as is_made",
  );
  expect(rows).toEqual([{ is_made: true }]);
  await working.end();
  await close();
});
