import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { openDatabase } from '../../src/platform/database.ts';
import { encryptionKey } from '../seeds/workspace.ts';

/**
 * The upper bound, in a separate process: a Hono route that sends the SQL of one request for the reminders, over a connection of an
 * identical pool, and answers the rows as JSON. It has no session, no parsing and no rules.
 */
export type BareStart = { databaseUrl: string; statements: Statement[] };
export type Statement = { text: string; values: unknown[] };

process.once('message', ({ databaseUrl, statements }: BareStart) => {
  const pool = openDatabase(databaseUrl, { encryptionKey }).appPool;
  const app = new Hono();
  app.get('/api/reminders', async (c) => {
    const client = await pool.connect();
    let reminders: Record<string, unknown>[] = [];
    for (const { text, values } of statements) {
      const { rows } = await client.query<Record<string, unknown>>(text, values);
      if (text.includes('"reminders"')) reminders = rows;
    }
    client.release();
    return c.json({
      data: reminders.map(({ revision: _, at: __, cursor_id: ___, position: ____, is_over: _____, ...shown }) => ({
        ...shown,
        warnings: [],
      })),
      next_cursor: null,
    });
  });
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.({ port }));
});

process.on('disconnect', () => process.exit());
