import { sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
import {
  type Coverage,
  suppressibleChannels,
  type Suppression,
  type SuppressionReason,
} from '#contract/suppressions.ts';
import { recipientKey } from '#domain/recipients.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { isDuplicate } from '#platform/is-duplicate.ts';
import { type Listed, readLatest } from '#platform/page.ts';
import { containing } from '#platform/pattern.ts';

type Scope = { workspaceId: string };

/** Those that cover anything: a pause that has ended does not, until it is deleted. */
const selectSuppressions = (db: Db, { workspaceId, now }: Scope & { now: string }) =>
  db
    .selectFrom('suppressions as s')
    .leftJoin('profiles as p', 'p.id', 's.created_by')
    .leftJoin('topics as t', (join) =>
      join.onRef('t.workspace_id', '=', 's.workspace_id').onRef('t.id', '=', 's.topic_id'),
    )
    .where('s.workspace_id', '=', workspaceId)
    .where((or) => or.or([or('s.ends_at', 'is', null), or('s.ends_at', '>', now)]))
    .select([
      's.id',
      's.workspace_id',
      's.channel',
      's.recipient',
      's.reason',
      's.covers',
      's.topic_id',
      's.ends_at',
      't.name as topic_name',
      's.created_by',
      's.created_at',
      'p.full_name as created_by_name',
      // Two lookups by key: no index serves a condition with OR.
      sql<string | null>`coalesce(
        (select c.name from contacts c where c.workspace_id = s.workspace_id and c.email_key = s.recipient),
        (select c.name from contacts c where c.workspace_id = s.workspace_id and c.phone = s.recipient))`.as(
        'contact_name',
      ),
    ]);

/** A page of suppressions, newest first. */
export function findSuppressions(
  db: Db,
  filter: Scope & {
    now: string;
    channel?: ChannelType;
    reason?: SuppressionReason;
    covers?: Coverage;
    topic_id?: string;
    search?: string;
    after: Position | null;
    limit: number;
  },
): Promise<Listed<Suppression>> {
  let query = selectSuppressions(db, filter);
  if (filter.channel !== undefined) query = query.where('s.channel', '=', filter.channel);
  if (filter.reason !== undefined) query = query.where('s.reason', '=', filter.reason);
  if (filter.covers !== undefined) query = query.where('s.covers', '=', filter.covers);
  if (filter.topic_id !== undefined) query = query.where('s.topic_id', '=', filter.topic_id);
  const search = (filter.search ?? '').trim();
  if (search !== '') {
    const pattern = containing(search);
    const digits = search.replaceAll(/[\s().\-/]/g, '').replace(/^(\+|00|0)/, '');
    const isNumber = /^\d{3,}$/.test(digits);
    query = query.where((or) =>
      or.or([
        or('s.recipient', 'ilike', pattern),
        or('s.recipient', '=', recipientKey(search)),
        ...(isNumber ? [or('s.recipient', 'like', `%${digits}%`)] : []),
        // One subquery for each key: a single condition for both would read all contacts for every row.
        sql<boolean>`exists (select from contacts c where c.workspace_id = s.workspace_id and c.email_key = s.recipient
          and c.search_text like folded(${pattern}))`,
        sql<boolean>`exists (select from contacts c where c.workspace_id = s.workspace_id and c.phone = s.recipient
          and c.search_text like folded(${pattern}))`,
      ]),
    );
  }
  return readLatest(db, { ...filter, query, by: 's.created_at', large: ['recipient', 'contact_name'] });
}

/** The entries for these recipients, given by their keys. */
export const findSuppressionsOf = (
  db: Db,
  { recipients, ...scope }: Scope & { now: string; recipients: readonly string[] },
): Promise<Suppression[]> =>
  recipients.length === 0
    ? Promise.resolve([])
    : selectSuppressions(db, scope)
        .where('s.channel', 'in', [...suppressibleChannels])
        .where('s.recipient', 'in', [...recipients])
        .orderBy('s.created_at', 'desc')
        .orderBy('s.id', 'desc')
        .execute();

export const findSuppression = (db: Db, { id, ...scope }: Scope & { now: string; id: string }) =>
  selectSuppressions(db, scope).where('s.id', '=', id).executeTakeFirst();

/** Whether the list has an entry for everything of a recipient who is listed as one of these. */
export const isSuppressed = async (
  db: Db,
  { workspaceId, channel, recipients }: Scope & { channel: ChannelType; recipients: readonly string[] },
): Promise<boolean> =>
  (await db
    .selectFrom('suppressions')
    .where('workspace_id', '=', workspaceId)
    .where('channel', '=', channel)
    .where('recipient', 'in', recipients)
    .where('covers', '=', 'everything')
    .select('id')
    .executeTakeFirst()) !== undefined;

/** Narrows an entry for everything. `exists`: the recipient has another one that covers just this. `not_allowed`: it covers less, or nobody may narrow it. */
export async function narrowEntry(
  db: Db,
  { workspaceId, id, covers, topicId }: Scope & { id: string; covers: Coverage; topicId: string | null },
): Promise<'narrowed' | 'exists' | 'not_allowed'> {
  try {
    const { numUpdatedRows } = await db
      .updateTable('suppressions')
      .set({ covers, topic_id: topicId })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('covers', '=', 'everything')
      .where('reason', 'in', ['unsubscribed', 'manual'])
      .executeTakeFirst();
    return numUpdatedRows > 0n ? 'narrowed' : 'not_allowed';
  } catch (error) {
    // The other entry may come at the same moment.
    if (isDuplicate(error)) return 'exists';
    throw error;
  }
}

/** Whether the workspace has suppressed anybody. */
export const hasAny = async (db: Db, { workspaceId }: Scope): Promise<boolean> =>
  (await db
    .selectFrom('suppressions')
    .where('workspace_id', '=', workspaceId)
    .select('id')
    .limit(1)
    .executeTakeFirst()) !== undefined;

export type ListEntry = Pick<Suppression, 'channel' | 'recipient' | 'reason' | 'covers' | 'topic_id' | 'ends_at'>;

/** The entries for these recipients, by channel and key. */
export async function findListed(
  db: Db,
  {
    workspaceId,
    channels,
    recipients,
  }: Scope & { channels: readonly ChannelType[] /** With their keys as `recipient`. */; recipients: readonly string[] },
): Promise<ListEntry[]> {
  const { rows } = await sql<ListEntry>`
    select s.channel, s.recipient, s.reason, s.covers, s.topic_id, s.ends_at
      from unnest(${channels}::text[], ${recipients}::text[]) as u (channel, recipient)
      join suppressions s on s.workspace_id = ${workspaceId} and s.channel = u.channel and s.recipient = u.recipient`.execute(
    db,
  );
  return rows;
}
