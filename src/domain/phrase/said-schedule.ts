import { amount, amountOf } from './calendar-words.ts';
import { dateOf, type SaidDate, saidDate, unitOf } from './dates.ts';
import { type SaidEvent, takeEvent } from './events.ts';
import { type Found, type Line, phrase, quoted, type Remark, type Span } from './line.ts';
import type { HourWindow, Rhythm } from './rhythm.ts';
import { onlyRhythm, takeRhythms } from './rhythms.ts';
import { takeTimes, type Times } from './times.ts';
import { takeZone } from './zones.ts';

export type DateWords = Span & { words: string; said: SaidDate };

/** Everything that a line says about time, not yet combined. */
export type SaidSchedule = {
  event: SaidEvent | null;
  rhythm: (Span & { said: Rhythm; hour: number | null; window: HourWindow | null }) | null;
  date: DateWords | null;
  times: Times | null;
  zone: (Span & { zone: string }) | null;
  start: DateWords | null;
  end:
    | (Span & { words: string; said: SaidDate | { kind: 'span'; amount: number; unit: ReturnType<typeof unitOf> } })
    | null;
  notes: Remark[];
  /** Problems that make the whole schedule doubtful. */
  problems: Remark[];
  /** Parts left out of a schedule that is still valid. */
  leftOut: Remark[];
  /** All ranges that were taken. */
  spans: Span[];
};

const end = phrase(`(?:until|till|til|through|up to|ending(?: on)?|ends(?: on)?)(?: the)? (?<date>${saidDate})`);
const lasting = phrase(`for (?:the next )?(?<amount>${amount}) (?<unit>minute|hour|day|week|month|year)s?`);
const counted = phrase(
  `(?:for )?(?:${amount} times|once|twice) only|(?:for )?(?:\\d{1,4}|two|three|four|five|six|seven|eight|nine|ten) times`,
);
const start = phrase(
  `(?:starting|beginning|begins?|starts?|commencing|effective|as of|from)(?: on| from)?(?: the)? (?<date>${saidDate})(?: on(?:wards?)?)?`,
);
const date = phrase(`(?:on )?(?<date>${saidDate})`);

export function takeSchedule(line: Line, { timezone }: { timezone: string }): SaidSchedule {
  const spans: Span[] = [];
  const notes: Remark[] = [];
  const problems: Remark[] = [];
  const leftOut: Remark[] = [];
  const noted = <T extends Span>(found: T | null): T | null => {
    if (found === null) return null;
    spans.push(spanOf(found));
    if ('problem' in found && typeof found.problem === 'string')
      problems.push({ ...spanOf(found), text: found.problem });
    return found;
  };

  const event = noted(takeEvent(line));
  const rhythms = takeRhythms(line);
  const { rhythm, hour, problems: impossible, others } = onlyRhythm(rhythms);
  problems.push(...impossible);
  leftOut.push(...others.map(needsItsOwn));
  for (const found of rhythms.found) {
    noted(found);
    if ('note' in found.said && found.said.note !== null)
      notes.push({ from: found.from, to: found.to, text: found.said.note });
  }
  noted(rhythms.window);

  const until = noted(line.take(end));
  const during = until === null ? noted(line.take(lasting)) : null;
  for (const found of line.takeAll(counted)) {
    noted(found);
    problems.push({
      ...spanOf(found),
      text: `${quoted(found.words)} cannot be counted: write an end date, such as “until 31 May”`,
    });
  }
  const from = noted(line.take(start));
  const [day = null, ...otherDays] = line.takeAll(date);
  for (const other of otherDays) {
    noted(other);
    leftOut.push(needsItsOwn(other));
  }
  noted(day);
  const isTonight = /tonight/i.test(day?.words ?? '');
  const spoken = noted(takeTimes(line, { isAfternoon: isTonight || (hour ?? 0) > 12 }));
  const times = spoken ?? (day !== null && isTonight ? tonightAt(day) : null);
  const zone = noted(takeZone(line, { times, timezone }));
  if (zone !== null && 'zone' in zone && zone.note !== null) notes.push({ ...spanOf(zone), text: zone.note });
  notes.push(...(times?.notes ?? []));
  problems.push(...(times?.problems ?? []));

  return {
    event: event === null || 'problem' in event ? null : event,
    rhythm: rhythm === null ? null : { ...around(rhythms.found), said: rhythm, hour, window: rhythms.window },
    date: day === null ? null : dateWords(day),
    times,
    zone: zone === null || 'problem' in zone ? null : zone,
    start: from === null ? null : dateWords(from),
    end: endOf(until, during),
    notes,
    problems,
    leftOut,
    spans,
  };
}

const tonightAt = ({ from, to }: Span): Times => ({
  from,
  to,
  times: [{ hour: 20, minute: 0 }],
  notes: [{ from, to, text: '“tonight” is read as 20:00' }],
  problems: [],
});

/** Whether anything gives a time; a zone alone does not. */
export const saysWhen = ({ event, rhythm, date: day, times, problems }: SaidSchedule) =>
  event !== null || rhythm !== null || day !== null || times !== null || problems.length > 0;

const spanOf = ({ from, to }: Span): Span => ({ from, to });

const needsItsOwn = ({ from, to, words }: Span & { words: string }): Remark => ({
  from,
  to,
  text: `A reminder has one schedule: ${quoted(words)} needs a reminder of its own`,
});

function dateWords(found: Found): DateWords {
  const words = found.groups.date ?? found.words;
  return { ...spanOf(found), words, said: dateOf(words) };
}

function endOf(until: Found | null, during: Found | null): SaidSchedule['end'] {
  if (until !== null) return dateWords(until);
  if (during === null) return null;
  const { amount: count, unit = '' } = during.groups;
  return {
    ...spanOf(during),
    words: during.words,
    said: { kind: 'span', amount: amountOf(count), unit: unitOf(unit) },
  };
}

const around = (found: readonly Span[]): Span => ({
  from: Math.min(...found.map(({ from }) => from)),
  to: Math.max(...found.map(({ to }) => to)),
});
