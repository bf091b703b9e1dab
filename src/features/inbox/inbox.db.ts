import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { InboxMessage, InboxReport } from '#contract/inbox.ts';
import type { ChannelType } from '#contract/reminders.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';

const columns = [
  'id',
  'channel',
  'provider',
  'sender',
  'recipient',
  'subject',
  'body_text as text',
  sql<boolean>`body_html is not null`.as('has_html'),
  'headers',
  'body_raw as raw',
  'segments',
  'reply_to',
  sql<boolean>`provider is not null and reply_to is null and channel in ('sms', 'whatsapp')`.as('can_reply'),
  sql<InboxReport | null>`case when report_status is not null then json_build_object('status', report_status, 'answer', report_answer) end`.as(
    'report',
  ),
  'raw_size',
  'received_at',
] as const;

export function findMessages(
  db: Db,
  filter: {
    workspaceId: string;
    channel: ChannelType | 'all';
    search?: string;
    reply_to?: string;
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
  if (filter.reply_to !== undefined) query = query.where('reply_to', '=', filter.reply_to);
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

/** What a reply needs to know of the message that it answers. */
export const findMessageToAnswer = (db: Db, { workspaceId, id }: { workspaceId: string; id: string }) =>
  db
    .selectFrom('sandbox_messages')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select([
      'id',
      'channel',
      'provider',
      'sender',
      'recipient',
      'body_text',
      'body_raw',
      'segments',
      'callback_url',
      'reply_to',
    ])
    .executeTakeFirst();

/** Account mail belongs to no workspace; sign-in's role is the only one that reads it. */
export async function findAccountMail(
  auth: Pool,
  { after, limit }: { after: Position | null; limit: number },
): Promise<InboxMessage[]> {
  const { rows } = await auth.query<AccountMailRow>(
    `select id, channel, sender, recipient, subject, body_text as text, body_html is not null as has_html, headers, raw_size, received_at
       from sandbox_messages
      where workspace_id is null and ($1::timestamptz is null or (received_at, id) < ($1, $2::uuid))
      order by received_at desc, id desc
      limit $3`,
    [after?.at ?? null, after?.id ?? null, limit + 1],
  );
  return rows.map((row) => ({ ...row, ...ofMail, received_at: row.received_at.toISOString() }));
}

const ofMail = { provider: null, raw: null, segments: null, reply_to: null, can_reply: false, report: null };

type AccountMailRow = Omit<InboxMessage, keyof typeof ofMail | 'received_at'> & { received_at: Date };
