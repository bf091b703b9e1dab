import { Client } from 'pg';

/**
 * Resolves with the first result of `check` that is not null: `check` runs at once and after each change notice.
 * @param url the owner's URL of the database
 */
export async function untilFound<T>(url: string, check: () => Promise<T | null | undefined>): Promise<T> {
  const client = new Client({ connectionString: url });
  // After a failed test, the database is dropped while this connection is open.
  client.on('error', () => {});
  await client.connect();
  try {
    let wake = () => {};
    let isChanged = false;
    client.on('notification', () => {
      isChanged = true;
      wake();
    });
    await client.query('listen cuebird_changes');
    for (;;) {
      isChanged = false;
      const found = await check();
      if (found !== null && found !== undefined) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (isChanged) resolve();
      });
    }
  } finally {
    await client.end();
  }
}
