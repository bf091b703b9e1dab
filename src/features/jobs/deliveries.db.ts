import { sql } from 'kysely';
import { type RecipientGroup, recipientGroups } from '#contract/job-states.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { rankOf, statusesIn } from '#domain/recipient-groups.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { readPage } from '#platform/page.ts';
import { containing } from '#platform/pattern.ts';

/** `after.at` is the rank of the last row where problems come first; it is not used otherwise. */
type DeliveryFilter = {
  jobId: string;
  group?: RecipientGroup;
  search?: string;
  order?: 'newest' | 'problems_first';
  /** One person: a contact's id, or an address or number. */
  contact?: string;
  recipient?: string;
  after: Position | null;
  limit: number;
};

/** The rank of a delivery in the order where problems come first. */
const rank = sql<number>`case ${sql.join(
  recipientGroups.map(
    (group, at) =>
      sql`when status in (${sql.join(statusesIn[group].map((status) => sql.lit(status)))}) then ${sql.lit(at)}`,
  ),
  sql` `,
)} end`;

/** A condition that finds the text in names, addresses and numbers. */
const namedLike = (text: string) => {
  const pattern = containing(text);
  return sql<boolean>`(folded(recipient) like folded(${pattern}) or folded(coalesce(recipient_name, '')) like folded(${pattern}))`;
};

const deliveryColumns = [
  'id',
  'job_id',
  'channel',
  'recipient',
  'recipient_name',
  'contact_id',
  'through',
  'by_preference',
  'status',
  'attempts',
  'reason',
  'reason_code',
  'reason_params',
  'channel_id',
  'provider',
  'provider_id',
  'provider_answer',
  'scheduled_for',
  'first_attempt_at',
  'last_attempt_at',
  'next_attempt_at',
  'completed_at',
  'answered_at',
  'attempt_history',
  'content_hash',
  'created_at',
] as const;

// The timeline repeats values of the history, so its size counts twice.
const largeInDelivery = ['recipient', 'reason', 'provider_answer', 'attempt_history', 'attempt_history'] as const;

export function findDeliveries(db: Db, filter: DeliveryFilter & { workspaceId: string }) {
  let query = db
    .selectFrom('deliveries')
    .where('workspace_id', '=', filter.workspaceId)
    .where('job_id', '=', filter.jobId)
    .select(deliveryColumns)
    .limit(filter.limit + 1);
  if (filter.order === 'problems_first') query = query.orderBy(rank);
  // By id, which increases with time: the order of first attempts.
  query = query.orderBy('id', 'desc');
  if (filter.group !== undefined) query = query.where('status', 'in', [...statusesIn[filter.group]]);
  if (filter.search !== undefined && filter.search !== '') query = query.where(namedLike(filter.search));
  if (filter.contact !== undefined) query = query.where('contact_id', '=', filter.contact);
  if (filter.recipient !== undefined) query = query.where('recipient', '=', filter.recipient);
  if (filter.after !== null) {
    const { at, id } = filter.after;
    query =
      filter.order === 'problems_first'
        ? query.where(sql<boolean>`(${rank} > ${Number(at)} or ${rank} = ${Number(at)} and id < ${id})`)
        : query.where('id', '<', id);
  }
  return readPage(db, { query, limit: filter.limit, large: largeInDelivery });
}

/** A contact, and its addresses in each spelling that the ledger may have. */
export type Addressee = { contactId: string; addresses: readonly string[] };

/** The deliveries to a person with their jobs, newest first. */
export function findDeliveriesToPerson(
  db: Db,
  {
    workspaceId,
    contactId,
    addresses,
    channel,
    after,
    limit,
  }: Addressee & {
    workspaceId: string;
    channel?: ChannelType;
    after: Position | null;
    limit: number;
  },
) {
  const found = sql<{ id: string; job_id: string; scheduled_for: string; channel: ChannelType; recipient: string }>`
    deliveries_to_person(${contactId}, ${addresses}::text[], ${after?.id ?? null}, ${channel ?? null}, ${limit + 1})`;
  const row = db
    .selectFrom('deliveries as d')
    .where('d.workspace_id', '=', workspaceId)
    .whereRef('d.job_id', '=', sql.ref('f.job_id'))
    .whereRef('d.scheduled_for', '=', sql.ref('f.scheduled_for'))
    .whereRef('d.channel', '=', sql.ref('f.channel'))
    .whereRef('d.recipient', '=', sql.ref('f.recipient'))
    .select(deliveryColumns)
    // OFFSET 0 keeps the subquery separate, so that each row is looked up by its key.
    .offset(0);
  const query = db
    .selectFrom(found.as('f'))
    .innerJoinLateral(row.as('d'), (join) => join.onTrue())
    .innerJoin('jobs as j', 'j.id', 'd.job_id')
    .where('j.workspace_id', '=', workspaceId)
    .selectAll('d')
    .select(['j.name as job_name', 'j.type as job_type', 'j.reminder_id'])
    .orderBy('d.id', 'desc');
  return readPage(db, { query, limit, large: largeInDelivery });
}

type RunningAttempt = {
  id: string;
  channel: ChannelType;
  recipient: string;
  recipient_name: string | null;
  began_at: string;
};

/** First attempts of a running job, which have no row in the ledger until they end, in the order of the ledger. */
export async function findRunningAttempts(
  db: Db,
  { jobId, group, search, order, contact, recipient, after, limit }: DeliveryFilter,
): Promise<RunningAttempt[]> {
  // An attempt without a row is to a recipient who is no contact.
  if ((group !== undefined && group !== 'waiting') || contact !== undefined) return [];
  const isAhead = after === null || (order === 'problems_first' && Number(after.at) < rankOf('sending'));
  if (!isAhead && order === 'problems_first' && Number(after.at) > rankOf('sending')) return [];
  const { rows } = await sql<RunningAttempt>`
    select id, channel, recipient, recipient_name, began_at from running_attempts(${jobId})
     where (${isAhead} or id < ${after?.id ?? null}::uuid)
       and ${recipient === undefined ? sql`true` : sql`recipient = ${recipient}`}
       and ${search === undefined || search === '' ? sql`true` : namedLike(search)}
     order by id desc
     limit ${limit + 1}`.execute(db);
  return rows;
}
