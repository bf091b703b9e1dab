import type { Pool } from 'pg';
import { inTransaction } from '#platform/transaction.ts';
import type { SandboxMessage, StoreMessages } from '#sandbox/intake.ts';
import type { NoteReport } from '#sandbox/reporter.ts';

/** The number of messages of a workspace that the Inbox keeps, and their bytes as they arrived; the newest is kept however large. */
export const inboxLimits = { messages: 5_000, bytes: 64 * 1024 * 1024 } as const;

/** After how many messages, or bytes, of a workspace its oldest are deleted. */
const trimmedAfter = { messages: 500, bytes: 8 * 1024 * 1024 } as const;

/** Stores what the sandbox received, and after some messages of a workspace deletes its oldest. */
export function createMessageStore(engine: Pool): StoreMessages {
  const since = new Map<string, { messages: number; bytes: number }>();

  /** The workspaces that have had enough since they were trimmed. */
  function dueAfter(messages: readonly SandboxMessage[]): string[] {
    for (const { workspace_id: id, raw_size: bytes } of messages) {
      if (id === null) continue;
      const before = since.get(id) ?? { messages: 0, bytes: 0 };
      since.set(id, { messages: before.messages + 1, bytes: before.bytes + bytes });
    }
    const due = [...since].filter(
      ([, { messages: count, bytes }]) => count >= trimmedAfter.messages || bytes >= trimmedAfter.bytes,
    );
    for (const [id] of due) since.delete(id);
    return due.map(([id]) => id);
  }

  return (messages) =>
    inTransaction(engine, async (client) => {
      await client.query({
        name: 'store-sandbox-messages',
        text: `
        insert into sandbox_messages (id, workspace_id, channel, provider, sender, recipient, subject, body_text, body_html,
          headers, body_raw, segments, callback_url, reply_to, raw_size, received_at)
        select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
          $10::jsonb[], $11::text[], $12::int[], $13::text[], $14::uuid[], $15::int[], $16::timestamptz[])`,
        values: [
          messages.map((message) => message.id),
          messages.map((message) => message.workspace_id),
          messages.map((message) => message.channel),
          messages.map((message) => message.provider),
          messages.map((message) => message.sender),
          messages.map((message) => message.recipient),
          messages.map((message) => message.subject),
          messages.map((message) => message.text),
          messages.map((message) => message.html),
          messages.map((message) => JSON.stringify(message.headers)),
          messages.map((message) => message.raw),
          messages.map((message) => message.segments),
          messages.map((message) => message.callback_url),
          messages.map((message) => message.reply_to),
          messages.map((message) => message.raw_size),
          messages.map((message) => message.received_at),
        ],
      });
      const workspaces = [...new Set(messages.flatMap(({ workspace_id: id }) => (id === null ? [] : [id])))];
      const due = dueAfter(messages);
      if (due.length > 0) await client.query(deleteBeyond, [due, inboxLimits.messages, inboxLimits.bytes]);
      await client.query(notify, [workspaces.map(inboxChange)]);
    });
}

/** Deletes what is beyond the newest messages of these workspaces, or all where there are none. */
const deleteBeyond = `
  delete from sandbox_messages
   where id in (
     select id
       from (select id, row_number() over newest as position, sum(raw_size) over newest as bytes
               from sandbox_messages
              where $1::uuid[] is null or workspace_id = any ($1)
             window newest as (partition by workspace_id order by received_at desc, id desc)) ranked
      where position > $2 or position > 1 and bytes > $3)`;

/** Stores a report that the sandbox sent, with Cuebird's answer. */
export const createReportNotes =
  (engine: Pool): NoteReport =>
  async ({ workspaceId, id, report }) => {
    await engine.query(
      'update sandbox_messages set report_status = $3, report_answer = $4 where workspace_id = $1 and id = $2',
      [workspaceId, id, report.status, report.answer],
    );
    await engine.query(notify, [[inboxChange(workspaceId)]]);
  };

const notify = "select pg_notify('cuebird_changes', u.payload) from unnest($1::text[]) as u (payload)";
const inboxChange = (workspace: string) => JSON.stringify({ workspace, tables: ['inbox'] });

/** Deletes the messages above the limits, of all workspaces; called on start. */
export async function trimInbox(engine: Pool): Promise<void> {
  await engine.query(deleteBeyond, [null, inboxLimits.messages, inboxLimits.bytes]);
}
