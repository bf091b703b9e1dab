import { consentChannels } from '#contract/consent-channels.ts';
import { sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
import { type Consent, type ConsentCount, type ConsentKind, type ConsentMethod } from '#contract/consents.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { newestConsent } from '#platform/newest-consent.ts';
import { type Listed, readLatest } from '#platform/page.ts';

type Scope = { workspaceId: string };
type Paged = { after: Position | null; limit: number };

const selectConsents = (db: Db, { workspaceId }: Scope) =>
  db
    .selectFrom('consents as c')
    .leftJoin('topics as t', (join) =>
      join.onRef('t.workspace_id', '=', 'c.workspace_id').onRef('t.id', '=', 'c.topic_id'),
    )
    .leftJoin('consent_texts as x', (join) =>
      join.onRef('x.workspace_id', '=', 'c.workspace_id').onRef('x.id', '=', 'c.text_id'),
    )
    .where('c.workspace_id', '=', workspaceId)
    .select([
      'c.id',
      'c.workspace_id',
      'c.channel',
      'c.recipient',
      'c.kind',
      'c.covers',
      'c.topic_id',
      't.name as topic_name',
      'c.method',
      'x.text',
      'c.source',
      'c.said_at',
      sql<Consent['by']>`json_build_object('kind', c.actor_kind, 'name', c.actor_name)`.as('by'),
      'c.client_address',
      'c.created_at',
    ]);

const large = ['recipient', 'text', 'source'] as const;

/** A page of the record of consents, what was written down last first. */
export function findConsents(
  db: Db,
  filter: Scope & Paged & { channel?: ChannelType; recipient?: string; kind?: ConsentKind; method?: ConsentMethod },
): Promise<Listed<Consent>> {
  let query = selectConsents(db, filter);
  if (filter.channel !== undefined) query = query.where('c.channel', '=', filter.channel);
  if (filter.recipient !== undefined) query = query.where('c.recipient', '=', filter.recipient);
  if (filter.kind !== undefined) query = query.where('c.kind', '=', filter.kind);
  if (filter.method !== undefined) query = query.where('c.method', '=', filter.method);
  return readLatest(db, { ...filter, query, by: 'c.created_at', large });
}

/** All that an address or number said over a channel, newest first. */
export const findWords = (
  db: Db,
  { channel, recipient, limit, ...scope }: Scope & { channel: ChannelType; recipient: string; limit: number },
): Promise<Consent[]> =>
  selectConsents(db, scope)
    .where('c.channel', '=', channel)
    .where('c.recipient', '=', recipient)
    .orderBy('c.said_at', 'desc')
    .orderBy('c.id', 'desc')
    .limit(limit)
    .execute();

export const findSender = async (db: Db, { workspaceId }: Scope): Promise<string> =>
  (await db.selectFrom('workspaces').where('id', '=', workspaceId).select('company_name').executeTakeFirstOrThrow())
    .company_name;

/** A page of what these recipients said, given by their keys, newest first. */
export const findConsentsOf = (
  db: Db,
  { recipients, ...page }: Scope & Paged & { recipients: readonly string[] },
): Promise<Listed<Consent>> =>
  readLatest(db, {
    ...page,
    // A contact may have neither address nor number: a list in SQL has at least one.
    query: selectConsents(db, page).where(sql<boolean>`c.recipient = any (${[...recipients]}::text[])`),
    by: 'c.said_at',
    large,
  });

/** Each number is looked up by the index: joined to all words, a planner without statistics would compare every number with every word. */
export async function countConsents(db: Db, { workspaceId }: Scope): Promise<ConsentCount[]> {
  const toAny = { workspace: 'p.workspace_id', channel: 'of.channel', key: 'p.phone', topic: 'null::uuid' };
  const ofTopic = { workspace: 'c.workspace_id', channel: 'c.channel', key: 'c.recipient', topic: 'c.topic_id' };
  const { rows } = await sql<ConsentCount>`
    with number as (
      select of.channel, agreed.has_agreed, not agreed.has_agreed and topical.has_topics as has_topics,
             exists (select from suppressions s
                      where s.workspace_id = p.workspace_id and s.channel = of.channel and s.recipient = p.phone and s.covers = 'everything') as is_suppressed
        from contacts p
       cross join unnest(${[...consentChannels]}::text[]) as of (channel)
       cross join lateral (select ${sql.raw(newestConsent(toAny))} is not distinct from 'given' as has_agreed offset 0) agreed
       cross join lateral (
         select case when agreed.has_agreed then false
                     else exists (select from consents c
                                   where c.workspace_id = p.workspace_id and c.channel = of.channel and c.recipient = p.phone
                                     and c.covers = 'topic' and c.kind = 'given' and ${sql.raw(newestConsent(ofTopic))} = 'given') end as has_topics) topical
       where p.workspace_id = ${workspaceId} and p.phone is not null
    )
    select of.channel, count(n.channel)::int as numbers, (count(*) filter (where n.has_agreed))::int as agreed,
           (count(*) filter (where n.has_topics))::int as to_topics,
           (count(*) filter (where not n.has_agreed and not n.has_topics and not n.is_suppressed))::int as silent
      from unnest(${[...consentChannels]}::text[]) with ordinality as of (channel, at)
      left join number n on n.channel = of.channel
     group by of.channel, of.at
     order by of.at`.execute(db);
  return rows;
}
