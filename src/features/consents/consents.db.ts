import { sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
import {
  consentChannels,
  type Consent,
  type ConsentCount,
  type ConsentKind,
  type ConsentMethod,
} from '#contract/consents.ts';
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

/** What was said about messages without a topic, and apart from that about topics, is read once for all numbers. */
export async function countConsents(db: Db, { workspaceId }: Scope): Promise<ConsentCount[]> {
  const ofTopic = { workspace: 'c.workspace_id', channel: 'c.channel', key: 'c.recipient', topic: 'c.topic_id' };
  const { rows } = await sql<ConsentCount>`
    with general as (
      select distinct on (c.channel, c.recipient) c.channel, c.recipient, c.kind
        from consents c
       where c.workspace_id = ${workspaceId} and c.channel = any (${[...consentChannels]}::text[]) and c.covers in ('everything', 'optional')
         and c.kind in ('given', 'withdrawn')
       order by c.channel, c.recipient, c.precedence, c.said_at desc, c.kind desc
    ), topical as (
      select distinct c.channel, c.recipient
        from consents c
       where c.workspace_id = ${workspaceId} and c.channel = any (${[...consentChannels]}::text[]) and c.covers = 'topic' and c.kind = 'given'
         and ${sql.raw(newestConsent(ofTopic))} = 'given'
    ), number as (
      select of.channel, g.kind is not distinct from 'given' as has_agreed, t.recipient is not null as has_topics,
             exists (select from suppressions s
                      where s.workspace_id = p.workspace_id and s.channel = of.channel and s.recipient = p.phone and s.covers = 'everything') as is_suppressed
        from contacts p
       cross join unnest(${[...consentChannels]}::text[]) as of (channel)
        left join general g on g.channel = of.channel and g.recipient = p.phone
        left join topical t on t.channel = of.channel and t.recipient = p.phone
       where p.workspace_id = ${workspaceId} and p.phone is not null
    )
    select of.channel, count(n.channel)::int as numbers, (count(*) filter (where n.has_agreed))::int as agreed,
           (count(*) filter (where n.has_topics and not n.has_agreed))::int as to_topics,
           (count(*) filter (where not n.has_agreed and not n.has_topics and not n.is_suppressed))::int as silent
      from unnest(${[...consentChannels]}::text[]) with ordinality as of (channel, at)
      left join number n on n.channel = of.channel
     group by of.channel, of.at
     order by of.at`.execute(db);
  return rows;
}
