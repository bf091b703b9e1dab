import type { Pool, PoolClient } from 'pg';

/** `work` begins and commits itself. If it throws, the connection is closed, because its state is unknown. */
export async function inOneTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    const result = await work(client);
    isBroken = false;
    return result;
  } finally {
    client.release(isBroken);
  }
}
