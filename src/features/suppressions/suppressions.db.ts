import { sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
import { suppressibleChannels, type Suppression, type SuppressionReason } from '#contract/suppressions.ts';
import { recipientKey } from '#domain/recipients.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { type Listed, readLatest } from '#platform/page.ts';
import { containing } from '#platform/pattern.ts';

type Scope = { workspaceId: string };

const selectSuppressions = (db: Db, { workspaceId }: Scope) =>
  db
    .selectFrom('suppressions as s')
    .leftJoin('profiles as p', 'p.id', 's.created_by')
    .where('s.workspace_id', '=', workspaceId)
    .select([
      's.id',
      's.workspace_id',
      's.channel',
      's.recipient',
      's.reason',
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
    channel?: ChannelType;
    reason?: SuppressionReason;
    search?: string;
    after: Position | null;
    limit: number;
  },
): Promise<Listed<Suppression>> {
  let query = selectSuppressions(db, filter);
  if (filter.channel !== undefined) query = query.where('s.channel', '=', filter.channel);
  if (filter.reason !== undefined) query = query.where('s.reason', '=', filter.reason);
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
  { workspaceId, recipients }: Scope & { recipients: readonly string[] },
): Promise<Suppression[]> =>
  recipients.length === 0
    ? Promise.resolve([])
    : selectSuppressions(db, { workspaceId })
        .where('s.channel', 'in', [...suppressibleChannels])
        .where('s.recipient', 'in', [...recipients])
        .orderBy('s.created_at', 'desc')
        .orderBy('s.id', 'desc')
        .execute();

export const findSuppression = (db: Db, { workspaceId, id }: Scope & { id: string }) =>
  selectSuppressions(db, { workspaceId }).where('s.id', '=', id).executeTakeFirst();

/** Inserts an entry by hand, and returns its id; null where the recipient is on the list already, which keeps its reason. */
export async function insertSuppression(
  db: Db,
  { workspaceId, channel, recipient, createdBy, now }: Scope & NewSuppression,
): Promise<string | null> {
  const added = await db
    .insertInto('suppressions')
    .values({ workspace_id: workspaceId, channel, recipient, reason: 'manual', created_by: createdBy, created_at: now })
    .onConflict((known) => known.columns(['workspace_id', 'channel', 'recipient']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added?.id ?? null;
}

type NewSuppression = { channel: ChannelType; recipient: string; createdBy: string | null; now: string };

export const deleteSuppression = (db: Db, { workspaceId, id }: Scope & { id: string }) =>
  db.deleteFrom('suppressions').where('workspace_id', '=', workspaceId).where('id', '=', id).execute();

/** Whether the workspace has suppressed anybody. */
export const hasAny = async (db: Db, { workspaceId }: Scope): Promise<boolean> =>
  (await db
    .selectFrom('suppressions')
    .where('workspace_id', '=', workspaceId)
    .select('id')
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Which of these recipients are suppressed, by channel and key, with the reason. */
export async function findSuppressed(
  db: Db,
  {
    workspaceId,
    channels,
    recipients,
  }: Scope & { channels: readonly ChannelType[] /** With their keys as `recipient`. */; recipients: readonly string[] },
): Promise<Pick<Suppression, 'channel' | 'recipient' | 'reason'>[]> {
  const { rows } = await sql<Pick<Suppression, 'channel' | 'recipient' | 'reason'>>`
    select s.channel, s.recipient, s.reason
      from unnest(${channels}::text[], ${recipients}::text[]) as u (channel, recipient)
      join suppressions s on s.workspace_id = ${workspaceId} and s.channel = u.channel and s.recipient = u.recipient`.execute(
    db,
  );
  return rows;
}
