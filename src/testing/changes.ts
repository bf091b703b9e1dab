import { Client } from 'pg';

/**
 * Resolves with what `check` finds: it is asked at once, and again after every change that the product announces, until
 * it returns something.
 * @param url the owner's address of the database
 */
export async function untilFound<T>(url: string, check: () => Promise<T | null | undefined>): Promise<T> {
  const client = new Client({ connectionString: url });
  // When a test has failed, its database goes away under this.
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
