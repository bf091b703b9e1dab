import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Db } from '#platform/database.ts';

type Named = { workspaceId: string; channel: string; provider: string; name: string };

/** Ids in any other form are not stored as keys. */
const isName = (name: string) => /^[\x21-\x7e]{1,255}$/.test(name);

export async function isReceived(db: Db, { workspaceId, channel, provider, name }: Named): Promise<boolean> {
  const { rows } = await sql`
    select from received_reports
     where workspace_id = ${workspaceId} and channel = ${channel} and provider = ${provider} and name = ${name}`.execute(
    db,
  );
  return rows.length > 0;
}

type Kept = Named & {
  kind: 'stopped' | 'resumed' | 'failed';
  sender: string | null;
  /** When it was sent, by the provider's clock. */
  sentAt: Temporal.Instant | null;
  now: string;
};

/** Stores a report's id. Returns whether it is new. */
export async function rememberReport(db: Db, of: Kept): Promise<boolean> {
  if (!isName(of.name)) return true;
  const { rows } = await sql`
    insert into received_reports (workspace_id, channel, provider, name, kind, sender, sent_at, received_at)
    values (${of.workspaceId}, ${of.channel}, ${of.provider}, ${of.name}, ${of.kind}, ${of.sender},
            least(${of.sentAt?.toString() ?? null}::timestamptz, ${of.now}::timestamptz), ${of.now})
    on conflict do nothing
    returning 1`.execute(db);
  return rows.length > 0;
}

type Said = Omit<Kept, 'name' | 'kind' | 'sender'> & {
  channel: ChannelType;
  name: string | null;
  kind: 'stopped' | 'resumed';
  sender: string;
};

/**
 * For how long ids are remembered. Older replies are refused, because they could be repetitions. Twilio signs no time, so that age alone cannot
 * refuse one.
 */
const rememberedDays = 400;

/**
 * Stores a reply. Returns whether it counts: it is new, and the sender wrote nothing of the other kind after it, as far as the provider reports
 * times. In doubt the opt-out wins.
 */
export async function isNews(db: Db, { name, ...said }: Said): Promise<boolean> {
  const { workspaceId, channel, kind, sender, sentAt, now } = said;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${workspaceId} ${channel} ${sender}`}, 20))`.execute(db);
  const known = name !== null && isName(name) ? name : null;
  if (known === null && kind === 'resumed') return false;
  if (!(await rememberReport(db, { ...said, name: known ?? `unnamed:${randomUUID()}` }))) return false;
  if (sentAt === null) return true;
  const moment = Temporal.Instant.from(now);
  const written = Temporal.Instant.compare(sentAt, moment) < 0 ? sentAt : moment;
  const isForgotten = Temporal.Instant.compare(written, moment.subtract({ hours: 24 * rememberedDays })) < 0;
  const later = await lastOf(db, { workspaceId, channel, sender, kind: kind === 'stopped' ? 'resumed' : 'stopped' });
  const order = later === null ? 1 : Temporal.Instant.compare(written, later);
  return kind === 'stopped' ? order >= 0 : order > 0 && !isForgotten;
}

/** When the sender last wrote a reply of this kind. */
async function lastOf(
  db: Db,
  { workspaceId, channel, sender, kind }: Pick<Said, 'workspaceId' | 'channel' | 'sender' | 'kind'>,
): Promise<Temporal.Instant | null> {
  const { rows } = await sql<{ at: string | null }>`
    select max(sent_at) as at from received_reports
     where workspace_id = ${workspaceId} and channel = ${channel} and sender = ${sender} and kind = ${kind}`.execute(
    db,
  );
  const at = rows[0]?.at ?? null;
  return at === null ? null : Temporal.Instant.from(at);
}
