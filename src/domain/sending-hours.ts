import type { SendingHours } from '#contract/sending-hours.ts';

type Hours = Pick<SendingHours, 'days' | 'from' | 'to'>;
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
 * Until when a message that is due at this time may be tried: for a day from the opening. If that day ends outside of
 * the hours, until the next hours close, so that a failure on Friday evening can be retried on Monday.
 */
export function lastsUntil(
  hours: Hours,
  { from, timezone }: { from: Temporal.Instant; timezone: string },
): Temporal.Instant {
  const end = openingAt(hours, { at: from, timezone }).add(lifetime);
  const { opens, closes } = windowFrom(hours, { at: end, timezone });
  return isAfter(opens, end) ? closes : end;
}

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
