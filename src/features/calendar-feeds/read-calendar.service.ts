import ical, { type ICalCalendar } from 'ical-generator';
import type { Kysely } from 'kysely';
import type { AgendaEntry } from '#contract/agenda-entry.ts';
import { agendaLimits } from '#contract/agenda.ts';
import { calendarLimits } from '#contract/calendar-feeds.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Billing } from '#contract/plans.ts';
import { brandOf } from '#domain/white-label.ts';
import {
  type Ahead,
  firstJobs,
  inOrder,
  inTime,
  jobAhead,
  type WhatComes,
  whatComes,
} from '#features/agenda/ahead.service.ts';
import * as rows from '#features/calendar-feeds/calendar-feeds.db.ts';
import { inTenant } from '#platform/database.ts';
import { Gone, isSuspended, NotFound } from '#platform/errors.ts';
import { endFullSlice, type Slice } from '#platform/in-slices.ts';
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
  const { channelsOf, ...found } = await inTenant(ports.db, { workspaceId, userId: null }, (db) =>
    read({ db, workspaceId, now }, { feed, hasCalendars: hops === 0 }),
  );
  const { messages, isWhole } = await earliest({ ...found, channelsOf });
  const calendar = emptyCalendar(feed, { billing: ports.billing, isWhole });
  const base = ports.url().replace(/\/$/, '');
  for (const message of messages) add(calendar, { message, base, channels: channelsOf.get(message.id) ?? [] });
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

type Found = WhatComes & { listed: Ahead[]; channelsOf: ReadonlyMap<string, readonly ChannelType[]> };

async function read(
  ctx: Parameters<typeof whatComes>[0],
  { feed, hasCalendars }: { feed: Feed; hasCalendars: boolean },
): Promise<Found> {
  const createdBy = feed.shows === 'own' ? feed.user_id : undefined;
  const filter = { createdBy, withoutCalendars: !hasCalendars, ofPerson: null };
  // The days of the agenda in UTC: a feed does not know in which zone it is read.
  const until = ctx.now.toZonedDateTimeISO('UTC').startOfDay().add({ days: agendaLimits.days }).toInstant();
  const coming = await whatComes(ctx, { until, filter, most: agendaLimits.reminders });
  const jobs = await firstJobs(ctx, { ...coming, limit: calendarLimits.messages + 1 });
  return {
    ...coming,
    listed: jobs.map(jobAhead),
    channelsOf: new Map([...coming.reminders, ...jobs].map(({ id, channels }) => [id, channels])),
  };
}

/** The earliest occurrences, computed one by one: of five hundred daily reminders only the first days are needed. */
async function earliest({ reminders, timesOf, listed, hasAllReminders, jobs: { to } }: Found) {
  const names = new Map(reminders.map(({ id, name }) => [id, name]));
  const untilMs = Date.parse(to);
  const waiting: { times: Iterator<Ahead, undefined>; next: Ahead; left: number }[] = [];
  let isWhole = hasAllReminders && listed.length <= calendarLimits.messages;
  const slice: Slice = { size: 0 };
  const put = (one: (typeof waiting)[number]) => {
    let [low, high] = [0, waiting.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (inTime((waiting[middle] ?? one).next, one.next) < 0) low = middle + 1;
      else high = middle;
    }
    waiting.splice(low, 0, one);
  };
  const follow = (times: Iterator<Ahead, undefined>, left: number) => {
    const { value: next } = times.next();
    slice.size += 1;
    if (next === undefined || next.atMs >= untilMs) return;
    if (left > 0) put({ times, next, left });
    else isWhole = false;
  };
  for (const reminder of reminders) {
    follow(timesOf(reminder), calendarLimits.timesOfReminder);
    await endFullSlice(slice);
  }
  const found: Ahead[] = [];
  for (let one = waiting.shift(); one !== undefined && found.length <= calendarLimits.messages; one = waiting.shift()) {
    found.push({ ...one.next, name: names.get(one.next.id) ?? '' });
    follow(one.times, one.left - 1);
    await endFullSlice(slice);
  }
  const all = inOrder([...found, ...listed]);
  return { messages: all.slice(0, calendarLimits.messages), isWhole: isWhole && all.length <= calendarLimits.messages };
}

function emptyCalendar(feed: Feed, { billing, isWhole }: { billing: Billing; isWhole: boolean }): ICalCalendar {
  const brand = brandOf(feed, { billing });
  return ical({
    name: brand === null ? `Cuebird: ${feed.name}` : brand.name,
    description: `${feed.shows === 'own' ? 'What your own reminders will send' : 'What this workspace will send'}${isWhole ? '' : leftOut}`,
    prodId: { company: brand?.name ?? 'Cuebird', product: 'Reminders' },
    ttl: 60 * 60,
  });
}

const leftOut = `. There is more than a feed holds: it has the first ${calendarLimits.timesOfReminder} times of a reminder and ${calendarLimits.messages.toLocaleString('en')} in all`;

const stateWords: Record<AgendaEntry['state'], string | null> = {
  scheduled: null,
  paused: 'Paused: waits until somebody resumes it',
  waiting: 'Has begun, and waits for another attempt',
  running: 'Is being sent',
};

function add(
  calendar: ICalCalendar,
  { message, base, channels }: { message: Ahead; base: string; channels: readonly ChannelType[] },
): void {
  const { id, reminderId, type, state, dueMs, atMs, name } = message;
  const isScheduled = type === 'reminder' && id === reminderId;
  const sender = type === 'reminder' ? (reminderId ?? id) : id;
  calendar.createEvent({
    // The same message has the same UID each time the calendar asks, also when it begins and when it is tried again.
    id: `${sender}-${dueMs / 1000}@cuebird`,
    start: new Date(atMs),
    summary: name ?? '',
    url: isScheduled ? `${base}/reminders/${id}` : `${base}/jobs?job=${id}`,
    description: [`Sent over ${channels.join(', ')}`, stateWords[state]].filter((text) => text !== null).join('. '),
  });
}
