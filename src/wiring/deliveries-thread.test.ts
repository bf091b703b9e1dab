import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '#platform/config.ts';
import { ownMigrations } from '#platform/migrate.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { startDeliveriesThread } from '#wiring/deliveries-thread.ts';

describe('the delivery thread', () => {
  it('reports why it cannot start', async () => {
    const config = parseConfig({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', LOG_LEVEL: 'silent' }, []);
    const runtime = {
      config,
      ownerUrl: 'postgres://nobody@127.0.0.1:1/none',
      encryptionKey: TEST_ENCRYPTION_KEY,
      olderKeys: [],
      migrations: ownMigrations.href,
    };
    const start = startDeliveriesThread(
      {
        runtime,
        processId: randomUUIDv7(),
        url: 'http://localhost',
        inbox: null,
        sandboxPorts: null,
        printedWorkspace: null,
        limits: undefined,
      },
      { say: () => {}, onRecording: () => {}, onFull: () => {} },
    );
    await expect(start).rejects.toThrow('ECONNREFUSED');
  });
});
