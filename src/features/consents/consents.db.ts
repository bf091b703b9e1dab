import { sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Consent, ConsentKind, ConsentMethod } from '#contract/consents.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
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

/** A page of the ledger, what was written down last first. */
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
