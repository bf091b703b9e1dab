import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
import type { ConsentKind, ConsentMethod, ConsentSource } from '#contract/consents.ts';
import type { Coverage, SuppressionReason } from '#contract/suppressions.ts';
import type { Db } from '#platform/database.ts';

type Scope = { workspaceId: string };

/** An address or a number, by its key, and what of its messages is meant. */
export type Covered = {
  channel: ChannelType;
  recipient: string;
  covers: Coverage;
  topicId: string | null;
};

export type NewEntry = Covered & {
  reason: SuppressionReason;
  endsAt: string | null;
  createdBy: string | null;
  createdAt: string;
};

/** Inserts entries of the suppression list. Returns the id of each; null where the list has the same one already. */
export async function insertEntries(
  db: Db,
  { workspaceId, entries }: Scope & { entries: readonly NewEntry[] },
): Promise<(string | null)[]> {
  if (entries.length === 0) return [];
  const added = await db
    .insertInto('suppressions')
    .values(
      entries.map(({ channel, recipient, covers, topicId, reason, endsAt, createdBy, createdAt }) => ({
        workspace_id: workspaceId,
        channel,
        recipient,
        covers,
        topic_id: topicId,
        reason,
        ends_at: endsAt,
        created_by: createdBy,
        created_at: createdAt,
      })),
    )
    .onConflict((known) => known.doNothing())
    .returning(['id', 'channel', 'recipient', 'covers', 'topic_id as topicId', 'ends_at as endsAt'])
    .execute();
  const ids = new Map(added.map((row) => [keyOf(row), row.id]));
  return entries.map((entry) => {
    const key = keyOf(entry);
    const id = ids.get(key) ?? null;
    // Named twice, it is added once.
    ids.delete(key);
    return id;
  });
}

// A pause stands beside another entry.
const keyOf = ({ channel, recipient, covers, topicId, endsAt }: Covered & { endsAt: string | null }) =>
  `${channel} ${covers} ${topicId ?? ''} ${endsAt === null} ${recipient}`;

export type Removal = {
  channel: ChannelType;
  recipients: readonly string[];
  reasons?: readonly SuppressionReason[];
  /** This one alone. */
  id?: string;
  /** Only what was added after this instant. */
  since?: string;
  /** Only what no member added. */
  isOfRecipient?: true;
};

/** `since`: when the entry was added. */
export type Removed = Covered & { reason: SuppressionReason; since: string };

/** Removes entries of the suppression list, and returns what they covered. */
export const deleteEntries = (
  db: Db,
  { workspaceId, channel, recipients, reasons, id, since, isOfRecipient }: Scope & Removal,
): Promise<Removed[]> =>
  db
    .deleteFrom('suppressions')
    .where('workspace_id', '=', workspaceId)
    .where('channel', '=', channel)
    .where('recipient', 'in', recipients)
    .$if(reasons !== undefined, (query) => query.where('reason', 'in', reasons ?? []))
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .$if(since !== undefined, (query) => query.where('created_at', '>', since ?? ''))
    .$if(isOfRecipient === true, (query) => query.where('created_by', 'is', null))
    .returning(['channel', 'recipient', 'covers', 'topic_id as topicId', 'reason', 'created_at as since'])
    .execute();

/** Pauses optional messages. Returns whether the pause ends as asked: one that is there gets longer, and shorter only where it was made after `since`. */
export async function insertPause(
  db: Db,
  {
    workspaceId,
    channel,
    recipient,
    endsAt,
    since,
    now,
  }: Scope & Pick<Covered, 'channel' | 'recipient'> & Record<'endsAt' | 'since' | 'now', string>,
): Promise<boolean> {
  const { rows } = await sql`
    insert into suppressions as s (workspace_id, channel, recipient, reason, covers, ends_at, created_at)
    values (${workspaceId}, ${channel}, ${recipient}, 'paused', 'optional', ${endsAt}, ${now})
        on conflict (workspace_id, channel, recipient, covers, topic_id, (ends_at is not null)) do update
       set ends_at = excluded.ends_at,
           created_at = case when s.ends_at <= excluded.created_at then excluded.created_at else s.created_at end
     where s.ends_at <= excluded.ends_at or s.created_at > ${since}
    returning 1`.execute(db);
  return rows.length > 0;
}

export type NewWord = Covered & {
  id: string;
  kind: ConsentKind;
  method: ConsentMethod;
  precedence: 0 | 1 | 2;
  text: string | null;
  source: ConsentSource;
  saidAt: string;
};

/** Appends words to the record of consents. Returns the ids of those that were not there. */
export async function insertWords(
  db: Db,
  { workspaceId, actorId, words, now }: Scope & { actorId: string | null; words: readonly NewWord[]; now: string },
): Promise<Set<string>> {
  if (words.length === 0) return new Set();
  await insertTexts(db, { workspaceId, now, texts: new Set(words.flatMap(({ text }) => text ?? [])) });
  const rows = words.map(({ text, topicId, saidAt, ...word }) => ({
    ...word,
    topic_id: topicId,
    text_id: text === null ? null : idOfText(text),
    said_at: saidAt,
  }));
  const { rows: added } = await sql<{ id: string }>`
    insert into consents (id, workspace_id, channel, recipient, covers, topic_id, kind, method, precedence, text_id, source, said_at, actor_id, created_at)
    select u.id, ${workspaceId}, u.channel, u.recipient, u.covers, u.topic_id, u.kind, u.method, u.precedence, u.text_id, u.source,
           u.said_at, ${actorId}::uuid, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
             as u (id uuid, channel text, recipient text, covers text, topic_id uuid, kind text, method text, precedence smallint, text_id uuid,
                   source jsonb, said_at timestamptz)
        on conflict (id) do nothing
    returning id`.execute(db);
  return new Set(added.map(({ id }) => id));
}

async function insertTexts(
  db: Db,
  { workspaceId, texts, now }: Scope & { texts: ReadonlySet<string>; now: string },
): Promise<void> {
  if (texts.size === 0) return;
  await db
    .insertInto('consent_texts')
    .values([...texts].map((text) => ({ workspace_id: workspaceId, id: idOfText(text), text, created_at: now })))
    .onConflict((known) => known.columns(['workspace_id', 'id']).doNothing())
    .execute();
}

const idOfText = (text: string): string => uuidOf(createHash('sha256').update(text).digest());

/** The id of a word that may be told again: the same one at the same time is the same word. */
export const idOfWord = ({ workspaceId, ...word }: Omit<NewWord, 'id' | 'source' | 'precedence'> & Scope): string =>
  uuidOf(
    createHash('sha256')
      .update(
        JSON.stringify([
          workspaceId,
          word.channel,
          word.recipient,
          word.covers,
          word.topicId,
          word.kind,
          word.method,
          word.text,
          word.saidAt,
        ]),
      )
      .digest(),
  );

/** The first 16 bytes as a UUID of version 8 (RFC 9562, section 5.8). */
function uuidOf(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Whether the newest word about this is already the same withdrawal: said again, it is none more. */
export async function isWithdrawn(
  db: Db,
  { workspaceId, channel, recipient, covers, topicId, method }: Scope & Covered & { method: ConsentMethod },
): Promise<boolean> {
  const { rows } = await sql<{ is_withdrawn: boolean }>`
    select c.kind = 'withdrawn' and c.method = ${method} as is_withdrawn
      from consents c
     where c.workspace_id = ${workspaceId} and c.channel = ${channel} and c.recipient = ${recipient} and c.kind in ('given', 'withdrawn')
       and (c.covers = 'everything' or (c.covers = 'optional' and ${covers}::text <> 'everything') or c.topic_id = ${topicId}::uuid)
     order by c.precedence, c.said_at desc, c.kind desc limit 1`.execute(db);
  return rows[0]?.is_withdrawn ?? false;
}

/** How often a recipient took back by a page what they had ended by one, since then. */
export async function countUndone(
  db: Db,
  { workspaceId, channel, recipient, since }: Scope & Pick<Covered, 'channel' | 'recipient'> & { since: string },
): Promise<number> {
  const { count } = await db
    .selectFrom('consents')
    .where('workspace_id', '=', workspaceId)
    .where('recipient', '=', recipient)
    .where('channel', '=', channel)
    .where('said_at', '>', since)
    .where('method', 'in', ['link', 'page'])
    .where('kind', 'in', ['lifted', 'given'])
    // One may give back several consents.
    .select((of) => of.fn.count<string>('said_at').distinct().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
