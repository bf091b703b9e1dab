import type { SendingHours } from '#contract/sending-hours.ts';

type Hours = Pick<SendingHours, 'days' | 'from' | 'to'>;
/** Hours in their zone, an IANA name. */
export type ZonedHours = Hours & { timezone: string };
/** `closes` is excluded. */
export type Window = { opens: Temporal.Instant; closes: Temporal.Instant };

/** How long a message may be tried after its hours have opened. */
const lifetime = { hours: 24 };

/**
 * When a message that is due at this time may be sent: then, or when the hours open next. `timezone` is an IANA name.
 */
export function openingAt(
  hours: Hours,
  { at, timezone }: { at: Temporal.Instant; timezone: string },
): Temporal.Instant {
  const { opens } = windowFrom(hours, { at, timezone });
  return isAfter(opens, at) ? opens : at;
}

/**
 * Until when a message that is due at this time may be tried, where all of these hours apply: for a day from the opening. If that day ends outside of
 * the hours, until the next hours close, so that a failure on Friday evening can be retried on Monday. Null where they never meet.
 */
export function lastsUntil(all: readonly ZonedHours[], from: Temporal.Instant): Temporal.Instant | null {
  const first = commonWindowFrom(all, from);
  if (first === null) return null;
  const end = (isAfter(first.opens, from) ? first.opens : from).add(lifetime);
  const next = commonWindowFrom(all, end);
  return next !== null && isAfter(next.opens, end) ? next.closes : end;
}

/** For so long a message waits at most until several hours are open at once. */
const longestWaitHours = 15 * 24;

/**
 * When all of these hours are open at once: the window that is open at this time, else the next one. Null where none begins within 15 days.
 */
export function commonWindowFrom(all: readonly ZonedHours[], from: Temporal.Instant): Window | null {
  const until = from.add({ hours: longestWaitHours });
  // Each turn goes to a later opening of one of them, and there are some twenty before `until`.
  for (let at = from; !isAfter(at, until); ) {
    const windows = all.map((hours) => windowFrom(hours, { at, timezone: hours.timezone }));
    const opens = windows.map((window) => window.opens).reduce(later);
    if (!isAfter(opens, at))
      return {
        opens,
        closes: windows.map((window) => window.closes).reduce((one, other) => (isAfter(one, other) ? other : one)),
      };
    at = opens;
  }
  return null;
}

const later = (one: Temporal.Instant, other: Temporal.Instant) => (isAfter(other, one) ? other : one);

/** The window that is open at this time, else the next one. */
export function windowFrom(hours: Hours, { at, timezone }: { at: Temporal.Instant; timezone: string }): Window {
  const today = at.toZonedDateTimeISO(timezone).toPlainDate();
  // Yesterday's window may last past midnight. A clock change can swallow the only window of a week, but not two in a
  // row.
  for (let days = -1; days <= 15; days += 1) {
    const date = today.add({ days });
    if (!hours.days.includes(date.dayOfWeek)) continue;
    const window = windowOn(date, { hours, timezone });
    if (isAfter(window.closes, window.opens) && isAfter(window.closes, at)) return window;
  }
  throw new Error(`Sending hours that never open: ${hours.from} to ${hours.to}`);
}

/** The windows of a time, in order: from the one that is open at `from`, or the next, to the first that opens at `until` or later. */
export function windowsWithin(
  hours: Hours,
  { from, until, timezone }: { from: Temporal.Instant; until: Temporal.Instant; timezone: string },
): Window[] {
  const windows: Window[] = [];
  for (let at = from; ; ) {
    const window = windowFrom(hours, { at, timezone });
    windows.push(window);
    if (!isAfter(until, window.opens)) return windows;
    at = window.closes;
  }
}

function windowOn(date: Temporal.PlainDate, { hours, timezone }: { hours: Hours; timezone: string }): Window {
  const endDate = hours.to > hours.from ? date : date.add({ days: 1 });
  const at = (day: Temporal.PlainDate, time: string) =>
    day.toZonedDateTime({ timeZone: timezone, plainTime: Temporal.PlainTime.from(time) }).toInstant();
  return { opens: at(date, hours.from), closes: at(endDate, hours.to) };
}

const isAfter = (one: Temporal.Instant, other: Temporal.Instant) => Temporal.Instant.compare(one, other) > 0;
