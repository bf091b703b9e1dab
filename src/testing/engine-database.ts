import type { Client, Pool } from 'pg';
import { type Database, openDatabase } from '#platform/database.ts';
import { createTestDatabase, emptyAgain, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';

export type EngineDatabase = { url: string; database: Database; owner: Client; drop(): Promise<void> };

/** What the last fixture of this worker gave back. */
let spare: EngineDatabase | null = null;

/** An empty database with the product's pools. Connections that served a fixture before know the catalogs, which saves most of a fixture's processor time. */
export async function takeEngineDatabase(): Promise<EngineDatabase> {
  const taken = spare;
  spare = null;
  return taken ?? openNew();
}

/** Keeps it for the next fixture, if nothing is under way on its pools and the test has changed nothing but rows; otherwise it is dropped. */
export async function giveBackEngineDatabase(used: EngineDatabase, { canReuse }: { canReuse: boolean }): Promise<void> {
  if (canReuse && spare === null && (await emptied(used).catch(() => false))) {
    spare = used;
    return;
  }
  await used.owner.end();
  await used.database.close();
  await used.drop();
}

async function openNew(): Promise<EngineDatabase> {
  const { url, drop } = await createTestDatabase();
  const owner = await connectOwner(url);
  await owner.query("set lock_timeout = '2s'");
  return { url, drop, owner, database: openDatabase(url, { encryptionKey: TEST_ENCRYPTION_KEY }) };
}

async function emptied({ owner, database }: EngineDatabase): Promise<boolean> {
  const pools = [database.appPool, database.engine, database.auth];
  if (!pools.every(isIdle)) return false;
  const open = pools.reduce((sum, { totalCount }) => sum + totalCount, 0);
  while (((await owner.query(END_OTHERS)).rowCount ?? 0) > 0);
  const { rows } = await owner.query<{ count: number }>(COUNT_OF_POOLS);
  // More of them belong to another process, or to other pools of the test.
  return rows[0]?.count === open && (await emptyAgain(owner)) && pools.every(isIdle);
}

const isIdle = ({ totalCount, idleCount, waitingCount, ended }: Pool) =>
  !ended && waitingCount === 0 && totalCount === idleCount;

const OF_POOLS = "application_name in ('cuebird app', 'cuebird engine', 'cuebird auth')";
const END_OTHERS = `
  select pg_terminate_backend(pid) from pg_stat_activity
   where datname = current_database() and pid <> pg_backend_pid() and not ${OF_POOLS}`;
const COUNT_OF_POOLS = `
  select count(*)::int as count from pg_stat_activity where datname = current_database() and ${OF_POOLS}`;
