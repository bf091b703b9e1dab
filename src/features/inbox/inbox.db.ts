import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Pool } from 'pg';
import type { InboxMessage, InboxReport } from '#contract/inbox.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { type Listed, readLatest, readPage } from '#platform/page.ts';
import { patternOf } from '#platform/pattern.ts';

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
): Promise<Listed<InboxMessage>> {
  let query = db.selectFrom('sandbox_messages').where('workspace_id', '=', filter.workspaceId).select(columns);
  if (filter.channel !== 'all') query = query.where('channel', '=', filter.channel);
  if (filter.reply_to !== undefined) query = query.where('reply_to', '=', filter.reply_to);
  const pattern = patternOf(filter.search);
  if (pattern !== null) {
    query = query.where((or) =>
      or.or([or('subject', 'ilike', pattern), or('recipient', 'ilike', pattern), or('body_text', 'ilike', pattern)]),
    );
  }
  return readLatest(db, {
    ...filter,
    query,
    by: 'received_at',
    large: ['subject', 'text', 'headers', 'raw', 'report'],
  });
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

/** The fields of a message that a reply needs. */
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

/** Account mail belongs to no workspace; only the database role of sign-in may read it. */
export async function findAccountMail(
  auth: Pool,
  { after, limit }: { after: Position | null; limit: number },
): Promise<Listed<InboxMessage>> {
  const db = new Kysely({ dialect: new PostgresDialect({ pool: auth }) });
  const query = sql<AccountMailRow>`(
    select id, channel, sender, recipient, subject, body_text as text, body_html is not null as has_html, headers, raw_size,
           -- Text in microseconds: a Date would truncate the cursor to milliseconds.
           to_char(received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as received_at
      from sandbox_messages
     where workspace_id is null
       and (${after?.at ?? null}::timestamptz is null
            or (received_at, id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid))
     order by sandbox_messages.received_at desc, id desc
     limit ${limit + 1})`;
  const { rows, isMore } = await readPage(db, { query, limit, large: ['subject', 'text', 'headers'] });
  return { rows: rows.map((row) => ({ ...row, ...ofMail })), isMore };
}

const ofMail = { provider: null, raw: null, segments: null, reply_to: null, can_reply: false, report: null };

type AccountMailRow = Omit<InboxMessage, keyof typeof ofMail>;
