import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { InboxMessage } from '#contract/inbox.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';

const columns = [
  'id',
  'channel',
  'sender',
  'recipient',
  'subject',
  'body_text as text',
  sql<boolean>`body_html is not null`.as('has_html'),
  'headers',
  'raw_size',
  'received_at',
] as const;

export function findMessages(
  db: Db,
  filter: {
    workspaceId: string;
    channel: 'email' | 'webhook' | 'all';
    search?: string;
    after: Position | null;
    limit: number;
  },
): Promise<InboxMessage[]> {
  let query = db
    .selectFrom('sandbox_messages')
    .where('workspace_id', '=', filter.workspaceId)
    .select(columns)
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit + 1);
  if (filter.channel !== 'all') query = query.where('channel', '=', filter.channel);
  if (filter.search !== undefined && filter.search !== '') {
    const pattern = `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where((or) =>
      or.or([or('subject', 'ilike', pattern), or('recipient', 'ilike', pattern), or('body_text', 'ilike', pattern)]),
    );
  }
  if (filter.after !== null) {
    const { at, id } = filter.after;
    query = query.where(sql<boolean>`(received_at, id) < (${at}::timestamptz, ${id}::uuid)`);
  }
  return query.execute();
}

export const findMessage = (
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<InboxMessage | undefined> =>
  db
    .selectFrom('sandbox_messages')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(columns)
    .executeTakeFirst();

export const findHtml = (db: Db, { workspaceId, id }: { workspaceId: string; id: string }) =>
  db
    .selectFrom('sandbox_messages')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select('body_html')
    .executeTakeFirst();

/** Account mail belongs to no workspace; sign-in's role is the only one that reads it. */
export async function findAccountMail(
  auth: Pool,
  { after, limit }: { after: Position | null; limit: number },
): Promise<InboxMessage[]> {
  const { rows } = await auth.query<Omit<InboxMessage, 'received_at'> & { received_at: Date }>(
    `select id, channel, sender, recipient, subject, body_text as text, body_html is not null as has_html, headers, raw_size, received_at
       from sandbox_messages
      where workspace_id is null and ($1::timestamptz is null or (received_at, id) < ($1, $2::uuid))
      order by received_at desc, id desc
      limit $3`,
    [after?.at ?? null, after?.id ?? null, limit + 1],
  );
  return rows.map((row) => ({ ...row, received_at: row.received_at.toISOString() }));
}
