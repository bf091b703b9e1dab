import type { Pool } from 'pg';
import type { StoreMessages } from '#platform/sandbox/intake.ts';

/** How many messages of a workspace the Inbox keeps. */
const kept = 5_000;

/** Writes what the sandbox received, and drops the oldest of a workspace now and then. */
export const createMessageStore =
  (engine: Pool): StoreMessages =>
  async (messages) => {
    const client = await engine.connect();
    let isBroken = true;
    try {
      await client.query('begin');
      await client.query({
        name: 'store-sandbox-messages',
        text: `
        insert into sandbox_messages (workspace_id, channel, sender, recipient, subject, body_text, body_html, headers, raw_size, received_at)
        select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::jsonb[], $9::int[], $10::timestamptz[])`,
        values: [
          messages.map((message) => message.workspace_id),
          messages.map((message) => message.channel),
          messages.map((message) => message.sender),
          messages.map((message) => message.recipient),
          messages.map((message) => message.subject),
          messages.map((message) => message.text),
          messages.map((message) => message.html),
          messages.map((message) => JSON.stringify(message.headers)),
          messages.map((message) => message.raw_size),
          messages.map((message) => message.received_at),
        ],
      });
      const workspaces = [...new Set(messages.flatMap(({ workspace_id: id }) => (id === null ? [] : [id])))];
      const changes = workspaces.map((workspace) => JSON.stringify({ workspace, tables: ['inbox'] }));
      await client.query("select pg_notify('cuebird_changes', u.payload) from unnest($1::text[]) as u (payload)", [
        changes,
      ]);
      await client.query('commit');
      isBroken = false;
    } finally {
      client.release(isBroken);
    }
  };

/** Keeps the Inbox from growing without end; called on start. */
export async function trimInbox(engine: Pool): Promise<void> {
  await engine.query(
    `delete from sandbox_messages
      where id in (
        select id from (select id, row_number() over (partition by workspace_id order by received_at desc, id desc) as place from sandbox_messages) ranked
         where place > $1)`,
    [kept],
  );
}
