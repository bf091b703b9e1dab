import { createHash } from 'node:crypto';
import { type CalendarOffset, calendarSourceLimits as limits, type LeftOut } from '#contract/calendar-sources.ts';
import { assertBounded, RefusedFile } from './bounds.ts';
import { createLeftOut } from './left-out.ts';
import { type Occurrence, occurrencesIn } from './occurrences.ts';

/** Plain data, to be passed to a thread. `now` is an ISO instant. */
export type IcsTask = {
  text: string;
  timezone: string;
  allDayTime: string;
  offsets: readonly CalendarOffset[];
  now: string;
};

/** A message before an event. `key` stays the same when the event moves, `hash` changes with its time and text. */
export type CalendarMessage = {
  key: string;
  hash: string;
  at: string;
  title: string;
  start: string;
  data: Record<string, string>;
};

export type IcsResult =
  | {
      kind: 'read';
      /** The coming messages by time, and before them those of the last two days, which may still wait. */
      messages: CalendarMessage[];
      leftOut: LeftOut[];
    }
  | { kind: 'refused'; reason: string };

/** For how many hours past messages are kept, so that a late one is not taken for one that was removed. */
export const lookBackHours = 48;

/** The messages of a calendar: at most a thousand, within the next 400 days. */
export function messagesIn({ text, offsets, now: nowText, ...reading }: IcsTask): IcsResult {
  const now = Temporal.Instant.from(nowText);
  const leftOut = createLeftOut();
  try {
    assertBounded(text);
    const window = {
      from: now.subtract({ hours: lookBackHours }),
      until: now.add({ hours: limits.days * 24 }),
    };
    const occurrences = occurrencesIn(text, { reading, window, leftOut });
    const timed = offsets
      .flatMap((offset) => {
        const asked = { ...reading, offset };
        return occurrences.map((of) => ({ of, offset, atMs: before(of.start, asked).epochMilliseconds }));
      })
      .filter(({ atMs }) => atMs >= window.from.epochMilliseconds)
      .toSorted((a, b) => a.atMs - b.atMs);
    const nowMs = now.epochMilliseconds;
    const toCome = timed.filter(({ atMs }) => atMs > nowMs);
    const past = timed.filter(({ atMs }) => atMs <= nowMs);
    for (const { of } of past)
      if (of.start.epochMilliseconds > nowMs) leftOut.add('Its message was due before now', { title: of.title });
    if (toCome.length > limits.messages)
      leftOut.add(
        `A calendar has at most ${limits.messages.toLocaleString('en')} planned messages; later ones follow`,
        {
          count: toCome.length - limits.messages,
        },
      );
    const kept = [...past.slice(-limits.messages), ...toCome.slice(0, limits.messages)];
    const words = createWords(reading.timezone);
    return {
      kind: 'read',
      messages: kept.map(({ of, offset, atMs }) => messageOf(of, { offset, atMs, words })),
      leftOut: leftOut.list(),
    };
  } catch (error) {
    if (error instanceof RefusedFile) return { kind: 'refused', reason: error.message };
    throw error;
  }
}

/** Minutes and hours elapse; days and weeks are calendar days, which keep the event's time of day across a clock change. */
function before(
  start: Temporal.Instant,
  { offset: { amount, unit }, timezone }: { offset: CalendarOffset; timezone: string },
): Temporal.Instant {
  return unit === 'minutes' || unit === 'hours'
    ? start.subtract({ [unit]: amount })
    : start
        .toZonedDateTimeISO(timezone)
        .subtract({ [unit]: amount })
        .toInstant();
}

/** In place of an empty text: a message with a variable that has no value is not sent. */
const none = '—';

type Words = ReturnType<typeof createWords>;

function createWords(timeZone: string) {
  const day = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  return (start: Temporal.Instant) => {
    const at = new Date(start.epochMilliseconds);
    // Built from its parts, because the place of a comma depends on the version of Unicode's data, and texts are compared.
    const { weekday, day: date, month, year } = partsOf(day, at);
    const { hour, minute } = partsOf(clock, at);
    return { date: `${weekday} ${date} ${month} ${year}`, time: `${hour}:${minute}` };
  };
}

const partsOf = (format: Intl.DateTimeFormat, at: Date): Partial<Record<string, string>> =>
  Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));

function messageOf(
  { uid, recurrence, title, location, description, start, isAllDay }: Occurrence,
  { offset: { amount, unit }, atMs, words }: { offset: CalendarOffset; atMs: number; words: Words },
): CalendarMessage {
  const { date, time } = words(start);
  const text = isAllDay ? date : `${date} at ${time}`;
  const data = {
    'event.title': title,
    'event.start': text,
    'event.date': date,
    'event.time': isAllDay ? 'all day' : time,
    'event.location': location || none,
    'event.description': description || none,
  };
  const instant = new Date(atMs).toISOString();
  return {
    key: digest([uid, recurrence, `${amount} ${unit}`]),
    hash: digest([instant, data]),
    at: instant,
    title,
    start: text,
    data,
  };
}

const digest = (parts: readonly unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
