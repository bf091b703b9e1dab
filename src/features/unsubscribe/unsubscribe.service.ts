import { type Kysely, sql } from 'kysely';
import { type ChannelType, isAddressed } from '#contract/channel-types.ts';
import type { PreferableChannel } from '#contract/contacts.ts';
import type { ReceivingHours } from '#contract/receiving-hours.ts';
import type { Billing } from '#contract/plans.ts';
import { TimeZone } from '#contract/schedules.ts';
import type { TopicReason } from '#contract/topics.ts';
import { dayInWords } from '#domain/day-in-words.ts';
import { isInForce } from '#domain/may-be-sent.ts';
import { recipientKey } from '#domain/recipients.ts';
import { type Brand, brandOf } from '#domain/white-label.ts';
import { assertMayUndo, pauseMessages, recordChoices, takeBack } from '#features/consents/choices.service.ts';
import { erasedAmong, listedKeys } from '#features/erasures/erased-keys.service.ts';
import { endReport, getsReport } from '#features/monthly-reports/report-link.service.ts';
import { removeWish, setWish, type Wish, wishesOf, zoneOfAddress } from '#features/preferences/preferences.service.ts';
import { type OwnPage, ownPageOf, choosePreferred } from '#features/unsubscribe/own-page.service.ts';
import type { LinkTarget, UnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { findTopicState, optionalTopics, requiredTopics } from '#features/topics/topics.service.ts';
import { type Db, inTenant } from '#platform/database.ts';
import { Invalid, NotFound, RateLimited } from '#platform/errors.ts';
import { spendInNetworks } from '#platform/network-limit.ts';
import type { WindowLimit } from '#platform/rate-limit.ts';
import type { Schema } from '#platform/schema.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type UnsubscribePorts = {
  db: Kysely<Schema>;
  /** Counts what an address sends. */
  counts: Kysely<Schema>;
  hasLimits: boolean;
  tokens: UnsubscribeTokens;
  secrets: SecretBox;
  now: () => Temporal.Instant;
  billing: Billing;
};

/** What the address of a link does not get: `by` says whether a link has said so, `since` is a day in the zone of the workspace, and `undo` is set while this link may take it back. */
type Left = { by: 'link' | 'others'; since: string; undo: string | null };

export type LinkTopic = { id: string; name: string; left: Left | null };

/** What holds for a link now. */
export type LinkState = {
  /** The workspace that sends the messages. */
  company: string;
  /** What the page shows in place of Cuebird's logo; null where the plan does not include that. */
  brand: Brand | null;
  recipient: string;
} & (
  | { stops: 'monthly_report'; isEnded: boolean }
  | {
      stops: 'messages';
      channel: ChannelType;
      /** Whether the recipient asked for this link: it `works` for so many minutes more, `is_over` where it did, and is that of a message otherwise. */
      requested: { minutesLeft: number } | 'over' | null;
      /** The topic of the message that the link came with; null where that has none. */
      topic: LinkTopic | null;
      /** The other topics that people can leave: those that can be chosen, and those that this address has left. */
      others: LinkTopic[];
      /** Set where the address gets nothing optional, or nothing at all: the widest entry. */
      all: (Left & { covers: 'everything' | 'optional' }) | null;
      /** The pause that is in force; `until` is the day on which messages begin again. */
      pause: { until: string; undo: string | null } | null;
      /** The days until which messages can be paused, the first and the last. */
      pausableUntil: { first: string; last: string };
      /** What the recipient cannot leave, and why. */
      required: { name: string; why: TopicReason }[];
      /** The zone in which times are shown. */
      zone: string;
      /** The hours in which messages come; `isFixed`: this link makes them narrower alone. Null where they come at any time. */
      wish: (Wish & { isFixed: boolean }) | null;
      /** The zone of the person, as far as it is known. */
      ownZone: string;
      /** What only a link shows that the recipient has asked for. */
      own: OwnPage | null;
    }
);

/** What a person asks for on the page. */
export type LinkAct =
  | { kind: 'leave'; topicId: string }
  | { kind: 'leave_all' }
  | { kind: 'undo'; id: string }
  | { kind: 'pause'; until: string }
  | { kind: 'prefer'; channel: PreferableChannel | null }
  | { kind: 'hours'; hours: ReceivingHours | null };

/** What a link stops. Throws NotFound when this installation did not create it, or the workspace is deleted. @param options.before where a page of what was sent begins */
export const readLink = (
  ports: UnsubscribePorts,
  { token, before }: { token: string; before: string | null },
): Promise<LinkState> => withLink(ports, { token, isReadOnly: true, work: stateOf(ports, before) });

/** Whose name the page has in place of Cuebird's. Throws as `readLink` does. */
export const senderOf = (ports: UnsubscribePorts, token: string): Promise<Brand | null> =>
  withLink(ports, { token, isReadOnly: true, work: async (_, { company }) => brandOf(company, ports) });

/** By one click of a mail program: the recipient leaves the link's topic, or all optional ones. Repeating it changes nothing. */
export const unsubscribe = (
  ports: UnsubscribePorts,
  { token, clientAddress }: { token: string; clientAddress: string },
): Promise<void> =>
  withLink(ports, {
    token,
    clientAddress,
    async work(db, { of }) {
      if (of.stops === 'monthly_report') return endReport(db, { ...of, now: ports.now() });
      if (await isErased(db, { of, ports })) return;
      const topic = await topicOf(db, of);
      return leave(db, { of, topicId: topic?.id ?? null, now: ports.now() });
    },
  });

/** Does what a person asks for on the page. Repeating it changes nothing. Throws RateLimited, NotFound and Invalid. */
export async function actByLink(
  ports: UnsubscribePorts,
  { token, act, clientAddress }: { token: string; act: LinkAct; clientAddress: string },
): Promise<void> {
  if (ports.hasLimits) {
    const spent = await spendInNetworks(ports.counts, {
      kind: 'links',
      clientAddress,
      limit: ofNetwork,
      now: ports.now(),
    });
    if (spent.isRefused) throw new RateLimited('Too many changes came from your network.', spent);
  }
  const now = ports.now();
  await withLink(ports, {
    token,
    clientAddress,
    async work(db, { of, company }) {
      // A monthly report that was ended stays so: an owner or admin sets it up again.
      if (of.stops === 'monthly_report') return act.kind === 'leave_all' ? endReport(db, { ...of, now }) : undefined;
      if (await isErased(db, { of, ports })) return;
      if (act.kind === 'leave_all') return leave(db, { of, topicId: null, now });
      if (act.kind === 'undo') return undo(db, { of, id: act.id, now });
      if (act.kind === 'prefer') {
        if (!isFresh(of, now)) throw needsOwnLink('prefer');
        return choosePreferred(db, { of, channel: act.channel, now });
      }
      if (act.kind === 'hours') return chooseHours(db, { of, hours: act.hours, now });
      if (act.kind === 'pause') return pauseUntil(db, { of, until: act.until, zone: company.zone, now });
      const topic = await findTopicState({ db, workspaceId: of.workspaceId }, act.topicId);
      if (topic?.kind !== 'optional')
        throw new Invalid([{ path: 'leave', message: 'There is no such topic any more' }]);
      return leave(db, { of, topicId: topic.id, now });
    },
  });
}

/** Many people of one office may share an address. */
const ofNetwork: WindowLimit = { bucket: 'links.network', most: 200, seconds: 3_600 };

/**
 * For so long the link of a message takes back what a link has done: who has clicked by mistake notices it then. Links are forwarded, and the older "no" of a person is
 * not undone by whoever holds one.
 */
const undoHours = 24;

export type OfMessages = Extract<LinkTarget, { stops: 'messages' }>;

/** Whether the recipient has asked for the link, within the hour: it was sent to them alone, so the person who has it reads what is sent there. */
export const isFresh = ({ freshUntil }: OfMessages, now: Temporal.Instant): boolean =>
  freshUntil !== undefined && Temporal.Instant.compare(now, freshUntil) < 0;

/** The refusal of what only a fresh link does. */
export const needsOwnLink = (path: string) =>
  new Invalid([{ path, message: 'This link no longer does that. Have another one sent to you' }]);

const ever = '-infinity';

/** Whether nothing is sent to the address of a link, because it was erased: then nothing is stored of it again either. */
export async function isErased(
  db: Db,
  {
    of: { workspaceId, channel, recipient },
    ports: { secrets },
  }: { of: Pick<OfMessages, 'workspaceId' | 'channel' | 'recipient'>; ports: UnsubscribePorts },
): Promise<boolean> {
  const keys = [recipientKey(recipient)];
  return (await erasedAmong({ db, workspaceId, secrets }, { channel, keys })).size > 0;
}

type Acting = { of: OfMessages; now: Temporal.Instant };

const recordingOf = (db: Db, { of: { workspaceId }, now }: Acting) => ({
  db,
  workspaceId,
  actor: null,
  now: now.toString(),
});

/** For at most so many days messages are paused: whoever wants none for longer leaves them. */
const longestPauseDays = 366;

/** The days until which messages can be paused now. */
function pausableDays({ now, zone }: { now: Temporal.Instant; zone: string }) {
  const today = now.toZonedDateTimeISO(zone).toPlainDate();
  return { first: today.add({ days: 1 }), last: today.add({ days: longestPauseDays }) };
}

/** Pauses optional messages until a day begins in the zone of the workspace: that of the recipient is not known. */
async function pauseUntil(db: Db, { of, until, zone, now }: Acting & { until: string; zone: string }): Promise<void> {
  const { first, last } = pausableDays({ now, zone });
  const day = Temporal.PlainDate.from(until);
  if (Temporal.PlainDate.compare(day, first) < 0 || Temporal.PlainDate.compare(day, last) > 0)
    throw new Invalid([
      {
        path: 'pause_until',
        message: `Choose a day from ${dayInWords(first.toString())} to ${dayInWords(last.toString())}`,
      },
    ]);
  const endsAt = day.toZonedDateTime(zone).toInstant().toString();
  const since = isFresh(of, now) ? ever : now.subtract({ hours: undoHours }).toString();
  const address = { channel: of.channel, recipient: recipientKey(of.recipient) };
  if (!(await pauseMessages(recordingOf(db, { of, now }), { ...address, endsAt, since })))
    throw new Invalid([
      {
        path: 'pause_until',
        message:
          'Messages are paused for longer already. To get them sooner, have a link sent to you, or ask the sender',
      },
    ]);
}

/** Chooses in which hours messages come; null for any time. The link of a message makes an older choice narrower alone. */
async function chooseHours(db: Db, { of, hours, now }: Acting & { hours: ReceivingHours | null }): Promise<void> {
  if (!isAddressed(of.channel) || of.channel === 'webhook')
    throw new Invalid([{ path: 'hours', message: 'Messages to this address have no hours of their own' }]);
  const scope = { db, workspaceId: of.workspaceId };
  const since = now.subtract({ hours: undoHours }).toString();
  const asking = { address: recipientKey(of.recipient), isFresh: isFresh(of, now), since, now };
  const isDone = hours === null ? await removeWish(scope, asking) : await setWish(scope, { ...asking, hours });
  if (!isDone && hours !== null)
    throw new Invalid([
      {
        path: 'hours',
        message: 'The hours were chosen more than a day ago. To get messages at other times, have a link sent to you',
      },
    ]);
}

/** @param options.topicId null for all optional topics */
async function leave(db: Db, { topicId, ...acting }: Acting & { topicId: string | null }): Promise<void> {
  const { channel, recipient } = acting.of;
  await recordChoices(recordingOf(db, acting), [
    {
      channel,
      recipient: recipientKey(recipient),
      covers: topicId === null ? 'optional' : 'topic',
      topicId,
      entry: { reason: 'unsubscribed', createdBy: null },
      said: { kind: 'withdrawn', method: 'link' },
    },
  ]);
}

async function undo(db: Db, { id, ...acting }: Acting & { id: string }): Promise<void> {
  const { channel, recipient } = acting.of;
  const key = recipientKey(recipient);
  const recording = recordingOf(db, acting);
  await assertMayUndo(recording, { channel, recipient: key });
  const isOwn = isFresh(acting.of, acting.now);
  await takeBack(recording, {
    channel,
    recipients: [key],
    reasons: ['unsubscribed', 'paused'],
    id,
    ...(!isOwn && { since: acting.now.subtract({ hours: undoHours }).toString() }),
    // An undo repeats what it has ended, by whatever link.
    endedBy: ['link', 'page'],
    said: { method: isOwn ? 'page' : 'link' },
  });
}

/** The topic of the message that a link came with, where people can leave it. */
async function topicOf(
  db: Db,
  { workspaceId, topicId = null }: OfMessages,
): Promise<{ id: string; name: string } | null> {
  const topic = topicId === null ? undefined : await findTopicState({ db, workspaceId }, topicId);
  return topic?.kind === 'optional' ? { id: topic.id, name: topic.name } : null;
}

type Link = { of: LinkTarget; company: NonNullable<Awaited<ReturnType<typeof findCompany>>> };

/** Runs `work` in the workspace of the link. Throws NotFound when this installation did not create it, or the workspace is deleted. */
export async function withLink<T>(
  { db, tokens }: UnsubscribePorts,
  {
    token,
    clientAddress,
    isReadOnly = false,
    work,
  }: { token: string; clientAddress?: string; isReadOnly?: boolean; work: (db: Db, link: Link) => Promise<T> },
): Promise<T> {
  const of = tokens.open(token);
  if (of === null) throw new NotFound('link to unsubscribe');
  const { workspaceId } = of;
  return inTenant(db, { workspaceId, userId: null, clientAddress, isReadOnly }, async (tx) => {
    const company = await findCompany(tx, of);
    if (company === undefined) throw new NotFound('link to unsubscribe');
    return work(tx, { of, company });
  });
}

const stateOf =
  ({ billing, now, secrets }: UnsubscribePorts, before: string | null) =>
  async (db: Db, { of, company }: Link): Promise<LinkState> => {
    const { workspaceId, recipient } = of;
    const about = { company: company.company_name, brand: brandOf(company, { billing }), recipient };
    if (of.stops === 'monthly_report')
      return { ...about, stops: 'monthly_report', isEnded: !(await getsReport(db, of)) };
    const scope = { db, workspaceId };
    const keys = await listedKeys({ ...scope, secrets }, [recipientKey(recipient)]);
    const found = await findEntries(db, { ...of, recipients: [...keys.keys()] });
    const entries = found.filter(({ ends_at: endsAt }) => endsAt === null);
    const pause = found.find((entry) => entry.ends_at !== null && isInForce(entry, now().epochMilliseconds));
    const { first, last } = pausableDays({ now: now(), zone: company.zone });
    const [wish] = await wishesOf(scope, { addresses: [recipientKey(recipient)], now: now() });
    const undoableFrom = now().subtract({ hours: undoHours });
    const leftBy = ({ id, reason, created_by: by, created_at: at }: (typeof entries)[number]): Left => {
      const isOwn = (reason === 'unsubscribed' || reason === 'paused') && by === null;
      const isUndoable = isOwn && (isFresh(of, now()) || isLater(at, undoableFrom));
      return { by: isOwn ? 'link' : 'others', since: dayAt(at, company.zone), undo: isUndoable ? id : null };
    };
    // The widest comes first.
    const [wide] = entries.filter(({ covers }) => covers !== 'topic');
    const all = wide === undefined || wide.covers === 'topic' ? null : { ...leftBy(wide), covers: wide.covers };
    const topics = (await optionalTopics(scope)).map(({ id, name, archived_at: archivedAt }) => {
      const entry = entries.find(({ topic_id: topicId }) => topicId === id);
      return { id, name, left: entry === undefined ? null : leftBy(entry), isArchived: archivedAt !== null };
    });
    return {
      ...about,
      stops: 'messages',
      channel: of.channel,
      requested: requestedState(of, now()),
      topic: topics.find(({ id }) => id === of.topicId) ?? null,
      others: topics.filter(({ id, left, isArchived }) => id !== of.topicId && (!isArchived || left !== null)),
      all,
      pause: pause === undefined ? null : { until: dayAt(pause.ends_at ?? '', company.zone), undo: leftBy(pause).undo },
      pausableUntil: { first: first.toString(), last: last.toString() },
      required: await requiredTopics(scope),
      zone: company.zone,
      wish: wish === undefined ? null : { ...wish, isFixed: !isFresh(of, now()) && !isLater(wish.since, undoableFrom) },
      ownZone: (await zoneOfAddress(scope, recipientKey(recipient))) ?? company.zone,
      own: isFresh(of, now()) ? await ownPageOf(db, { of, before, now: now() }) : null,
    };
  };

function requestedState({ freshUntil }: OfMessages, now: Temporal.Instant) {
  if (freshUntil === undefined) return null;
  const leftMs = freshUntil.epochMilliseconds - now.epochMilliseconds;
  return leftMs > 0 ? { minutesLeft: Math.ceil(leftMs / 60_000) } : ('over' as const);
}

const isLater = (at: string, than: Temporal.Instant) => Temporal.Instant.compare(Temporal.Instant.from(at), than) > 0;

const dayAt = (at: string, zone: string) => Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDate().toString();

async function findCompany(db: Db, { workspaceId }: { workspaceId: string }) {
  const row = await db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(['company_name', 'avatar_url', 'subscription_tier as tier'])
    .select(sql<string | null>`settings #>> '{sendingHours,timezone}'`.as('timezone'))
    .executeTakeFirst();
  return row && { ...row, zone: knownZone(row.timezone) };
}

/** The zone of a workspace; UTC where it has none, or one that this machine does not know. */
function knownZone(timezone: string | null): string {
  const parsed = TimeZone.safeParse(timezone);
  return parsed.success ? parsed.data : 'UTC';
}

/** The entries of an address, the widest first. */
const findEntries = (
  db: Db,
  { workspaceId, channel, recipients }: Pick<OfMessages, 'workspaceId' | 'channel'> & { recipients: readonly string[] },
) =>
  db
    .selectFrom('suppressions')
    .where('workspace_id', '=', workspaceId)
    .where('channel', '=', channel)
    .where('recipient', 'in', recipients)
    .select(['id', 'reason', 'covers', 'topic_id', 'created_by', 'created_at', 'ends_at'])
    // `everything`, `optional`, `topic`.
    .orderBy('covers')
    .execute();
