import { sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
import type { ConsentMethod } from '#contract/consents.ts';
import type { Covered } from '#features/consents/choices.db.ts';
import type { Word } from '#domain/newest-consent.ts';
import type { Db } from '#platform/database.ts';
import { newestConsent } from '#platform/newest-consent.ts';

type Scope = { workspaceId: string };

export async function findConsentChannels(db: Db, { workspaceId }: Scope): Promise<unknown> {
  const { channels } = await db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(sql<unknown>`settings -> 'consentFor'`.as('channels'))
    .executeTakeFirstOrThrow();
  return channels;
}

/** Whether a consent to a message about the topic is on record for each of these recipients, given by channel and key. */
export async function areConsented(
  db: Db,
  {
    workspaceId,
    channels,
    recipients,
    topicId,
  }: Scope & { channels: readonly ChannelType[]; recipients: readonly string[]; topicId: string | null },
): Promise<boolean[]> {
  const { rows } = await sql<{ is_given: boolean }>`
    select ${sql.raw(newestConsent({ workspace: 'u.workspace_id', channel: 'u.channel', key: 'u.key', topic: 'u.topic_id' }))} is not distinct from 'given' as is_given
      from (select ${workspaceId}::uuid as workspace_id, ${topicId}::uuid as topic_id, u.*
              from unnest(${channels}::text[], ${recipients}::text[]) with ordinality as u (channel, key, n)) u
     order by u.n`.execute(db);
  return rows.map(({ is_given: isGiven }) => isGiven);
}

/** A withdrawal that is taken back: these words of its coverage since then. */
type Ended = Pick<Covered, 'covers' | 'topicId'> & { methods: readonly ConsentMethod[]; since: string };

export type NewestWord = Word & { id: string; channel: ChannelType; recipient: string; text: string | null };

/** For each of these recipients and each channel the newest word of each kind of coverage: at most one for each topic, and two more. Without what was `ended`. */
export async function findNewestWords(
  db: Db,
  { workspaceId, recipients, ended = null }: Scope & { recipients: readonly string[]; ended?: Ended | null },
): Promise<NewestWord[]> {
  const { rows } = await sql<NewestWord>`
    select distinct on (c.channel, c.recipient, c.covers, c.topic_id)
           c.id, c.channel, c.recipient, c.covers, c.topic_id, c.kind, c.precedence, c.said_at, x.text
      from consents c
      left join consent_texts x on x.workspace_id = c.workspace_id and x.id = c.text_id
     where c.workspace_id = ${workspaceId} and c.recipient = any (${recipients}::text[]) and c.kind in ('given', 'withdrawn')
       and not (c.kind = 'withdrawn' and c.method = any (${ended?.methods ?? []}::text[]) and c.covers = ${ended?.covers ?? null}
                and c.topic_id is not distinct from ${ended?.topicId ?? null}::uuid and c.said_at >= ${ended?.since ?? null}::timestamptz) is true
     order by c.channel, c.recipient, c.covers, c.topic_id, c.precedence, c.said_at desc, c.kind desc`.execute(db);
  return rows;
}
