import { setImmediate as yieldToOthers } from 'node:timers/promises';
import ical, { type ICalCalendar } from 'ical-generator';
import type { Kysely } from 'kysely';
import { calendarLimits } from '#contract/calendar-feeds.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Billing } from '#contract/plans.ts';
import { comingTimes } from '#domain/coming-times.ts';
import { brandOf } from '#domain/white-label.ts';
import * as rows from '#features/calendar-feeds/calendar-feeds.db.ts';
import { openings } from '#features/reminders/forecast-hours.service.ts';
import { inTenant } from '#platform/database.ts';
import { Gone, isSuspended, NotFound } from '#platform/errors.ts';
import type { Schema } from '#platform/schema.ts';
import { hashOfToken } from '#platform/token-hash.ts';
import { spendUsage } from '#platform/usage-limits.ts';
import { workspaceOfToken } from '#platform/workspace-token.ts';

export type CalendarPorts = {
  db: Kysely<Schema>;
  now: () => Temporal.Instant;
  billing: Billing;
  /** The address at which this installation is reached. */
  url: () => string;
};

/**
 * What is sent in the next 60 days, as an iCalendar file (RFC 5545). Times are instants in UTC, so that a calendar in any zone shows them
 * right across clock changes. Throws NotFound for every address that is not a feed's current one, and Gone while its workspace is
 * being deleted.
 * @param hops how many requests of Cuebird led to this one. One that reads a calendar does not get the messages that calendars led to: they would come
 * back as events, twice as many with each reading.
 */
export async function readCalendar(
  ports: CalendarPorts,
  { token, hops }: { token: string; hops: number },
): Promise<Response> {
  const bare = token.replace(/\.ics$/, '');
  const workspaceId = workspaceOfToken(bare);
  if (workspaceId === null) throw new NotFound('calendar feed');
  const now = ports.now();
  const feed = await inTenant(ports.db, { workspaceId, userId: null }, (db) =>
    openFeed(db, { workspaceId, tokenHash: hashOfToken(bare), now }),
  );
  const found = await inTenant(ports.db, { workspaceId, userId: null }, (db) =>
    read(db, { workspaceId, feed, now, hasCalendars: hops === 0 }),
  );
  const calendar = emptyCalendar(feed, ports.billing);
  const base = ports.url().replace(/\/$/, '');
  const messages: Message[] = [];
  for await (const { start, ...each } of earliest(found, now))
    messages.push({ ...each, start, url: `${base}/reminders/${each.id}` });
  for (const { scheduled_for: start, ...each } of found.eventJobs)
    messages.push({ ...each, start, url: `${base}/jobs?job=${each.id}` });
  for (const message of messages.toSorted(byTime).slice(0, calendarLimits.messages)) add(calendar, message);
  return new Response(calendar.toString(), {
    headers: {
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'inline; filename="cuebird.ics"',
      'cache-control': 'no-store',
    },
  });
}

type Feed = NonNullable<Awaited<ReturnType<typeof rows.openFeed>>>;

async function openFeed(
  db: Parameters<typeof rows.openFeed>[0],
  { workspaceId, tokenHash, now }: { workspaceId: string; tokenHash: string; now: Temporal.Instant },
): Promise<Feed> {
  const feed = await rows.openFeed(db, { workspaceId, tokenHash });
  if (feed === undefined) throw new NotFound('calendar feed');
  if (feed.delete_after !== null) throw new Gone('The workspace of this calendar is being deleted');
  if (feed.suspended_at !== null) throw isSuspended();
  await spendUsage({ db, workspaceId, now }, { usage: 'calendars' });
  const aMinuteAgo = now.subtract({ minutes: 1 });
  if (feed.last_read_at === null || Temporal.Instant.compare(Temporal.Instant.from(feed.last_read_at), aMinuteAgo) < 0)
    await rows.touchFeed(db, { workspaceId, id: feed.id, now: now.toString() });
  return feed;
}

type Scheduled = Awaited<ReturnType<typeof rows.findScheduled>>[number];
type Found = {
  scheduled: Scheduled[];
  eventJobs: Awaited<ReturnType<typeof rows.findEventJobs>>;
  /** Times at which nothing is sent any more, as `reminder instant`. */
  ended: ReadonlySet<string>;
  openingOf: Awaited<ReturnType<typeof openings>>;
  pausedUntil: string | null;
};

async function read(
  db: Parameters<typeof rows.openFeed>[0],
  {
    workspaceId,
    feed,
    now,
    hasCalendars,
  }: { workspaceId: string; feed: Feed; now: Temporal.Instant; hasCalendars: boolean },
): Promise<Found> {
  const createdBy = feed.shows === 'own' ? feed.user_id : null;
  const within = { workspaceId, createdBy, from: now.toString(), to: endOf(now).toString() };
  const scheduled = await rows.findScheduled(db, { ...within, limit: calendarLimits.reminders });
  const eventJobs = await rows.findEventJobs(db, { ...within, limit: calendarLimits.messages, hasCalendars });
  const ended = await rows.findEndedTimes(db, within);
  return {
    scheduled,
    eventJobs,
    ended: new Set(ended.map(({ reminder_id: id, scheduled_for: at }) => keyOf(id ?? '', Date.parse(at)))),
    openingOf: await openings({ db, workspaceId }),
    pausedUntil: feed.reminders_paused_until,
  };
}

const keyOf = (id: string, atMs: number) => `${id} ${atMs}`;

const endOf = (now: Temporal.Instant) => now.add({ hours: calendarLimits.days * 24 });

/** The messages of all reminders, sorted by time and computed one by one: of five hundred daily reminders only the first days are needed. */
async function* earliest(found: Found, now: Temporal.Instant): AsyncGenerator<Scheduled & { start: string }> {
  const waiting: { reminder: Scheduled; times: Iterator<string>; start: string }[] = [];
  for (const reminder of found.scheduled) {
    const times = timesOf(reminder, { ...found, now });
    const { value: start } = times.next();
    if (start !== undefined) waiting.push({ reminder, times, start });
    // Lets other requests be answered in between.
    if (waiting.length % inOneGo === 0) await yieldToOthers();
  }
  for (let n = 1; n <= calendarLimits.messages && waiting.length > 0; n += 1) {
    const first = waiting.reduce((one, other) => (byTime(other, one) < 0 ? other : one));
    yield { ...first.reminder, start: first.start };
    const { value: next } = first.times.next();
    if (next === undefined) waiting.splice(waiting.indexOf(first), 1);
    else first.start = next;
    if (n % inOneGo === 0) await yieldToOthers();
  }
}

const inOneGo = 20;

/** The times at which a reminder will really be sent: after pauses, within sending hours, and without what was cancelled. */
function* timesOf(
  { id, schedule_config: schedule, metadata, paused_until: ownPause }: Scheduled,
  { now, ended, openingOf, pausedUntil }: Found & { now: Temporal.Instant },
): Generator<string, undefined> {
  const times = comingTimes(schedule, {
    afterMs: latest(now, ownPause, pausedUntil).epochMilliseconds,
    untilMs: endOf(now).epochMilliseconds,
    isEnded: (dueMs) => ended.has(keyOf(id, dueMs)),
    openingMs(dueMs) {
      const opening = openingOf({ next_run_at: textOf(dueMs), metadata });
      return opening === null ? dueMs : Date.parse(opening);
    },
  });
  for (let n = 0; n < calendarLimits.timesOfReminder; n += 1) {
    const { value: next } = times.next();
    if (next === undefined) return;
    yield textOf(next.atMs);
  }
}

const textOf = (ms: number) => new Date(ms).toISOString();

/** The latest of these instants, less a moment: what is due at the very end of a pause is still sent. */
function latest(now: Temporal.Instant, ...ends: (string | null)[]): Temporal.Instant {
  const from = Math.max(now.epochMilliseconds, ...ends.map((end) => (end === null ? 0 : Date.parse(end) - 1)));
  return Temporal.Instant.fromEpochMilliseconds(from);
}

function emptyCalendar(feed: Feed, billing: Billing): ICalCalendar {
  const brand = brandOf(feed, { billing });
  return ical({
    name: brand === null ? `Cuebird: ${feed.name}` : brand.name,
    description: feed.shows === 'own' ? 'What your own reminders will send' : 'What this workspace will send',
    prodId: { company: brand?.name ?? 'Cuebird', product: 'Reminders' },
    ttl: 60 * 60,
  });
}

type Message = {
  id: string;
  name: string;
  metadata: { channels: readonly ChannelType[] } | null;
  start: string;
  url: string;
};

const byTime = (a: { start: string }, b: { start: string }) => Date.parse(a.start) - Date.parse(b.start);

function add(calendar: ICalCalendar, { id, name, metadata, start, url }: Message): void {
  const at = new Date(start);
  calendar.createEvent({
    // The same message has the same UID each time the calendar asks.
    id: `${id}-${at.getTime() / 1000}@cuebird`,
    start: at,
    summary: name,
    url,
    ...(metadata !== null && { description: `Sent over ${metadata.channels.join(', ')}` }),
  });
}
