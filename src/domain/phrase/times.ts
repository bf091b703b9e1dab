import { amountOf, listed } from './calendar-words.ts';
import { type Found, type Line, phrase, quoted, type Remark, spaced, type Span } from './line.ts';

export type TimeOfDay = { hour: number; minute: number };

/** `times` ascend; empty when no valid time was said. */
export type Times = Span & { times: TimeOfDay[]; notes: Remark[]; problems: Remark[] };

const hour = String.raw`(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`;
const half = String.raw`(?:[ap]\.m\.|[ap]m)`;
const notMore = String.raw`(?![.:/-]\d)(?!\s*(?:%|(?:minutes?|mins?|hours?|days?|weeks?|months?|years?|times)\b))`;
const named = `noon|midday|midnight|half past ${hour}|quarter (?:past|to) ${hour}`;
const sure = String.raw`(?:${named}|\d{1,2}:\d{2}(?:\s?${half})?|\d{1,2}(?:\.\d{2})?\s?${half}|${hour} o['’]clock|\d{1,2}h\d{2})`;
const loose = String.raw`(?:${sure}|\d{1,2}\.\d{2}|${hour})${notMore}`;
const and = String.raw`(?:\s*,\s*and\s+|\s*,\s*|\s+and\s+|\s*&\s*)(?:at )?`;
const partOfDay = phrase('(?:(?:in the|this|at|on the) )?(?<part>morning|afternoon|evening|night)|(?<tonight>tonight)');

// After `at` a bare number is an hour; elsewhere it could be anything.
const afterAt = phrase(String.raw`(?:at|@)\s*${loose}(?:${and}${loose})*`);
const anywhere = phrase(`${sure}(?:${and}${sure})*`);
const each = new RegExp(spaced(loose), 'gi');

/**
 * The times of day that a line names.
 * @param isAfternoon whether other words say that it is the second half of the day
 */
export function takeTimes(line: Line, { isAfternoon }: { isAfternoon: boolean }): Times | null {
  const found = line.take(afterAt) ?? line.take(anywhere);
  const part = line.find(partOfDay);
  if (found === null) return part === null ? null : takePart(line, part);
  const isEvening = isAfternoon || (part !== null && part.groups.part?.toLowerCase() !== 'morning');
  // `tonight` is left for the date parser.
  if (part?.groups.part !== undefined) line.takeSpan(part);
  return readTimes(found, { isEvening });
}

const partTimes = new Map([
  ['morning', 9],
  ['afternoon', 14],
  ['evening', 18],
  ['night', 21],
]);

function takePart(line: Line, part: Found): Times {
  const name = part.groups.part?.toLowerCase() ?? 'night';
  const time = { hour: partTimes.get(name) ?? 9, minute: 0 };
  if (part.groups.part !== undefined) line.takeSpan(part);
  const note = `${quoted(part.words)} is read as ${timeInWords(time)}`;
  return { from: part.from, to: part.to, times: [time], notes: [remarkAt(part, note)], problems: [] };
}

function readTimes(found: Found, { isEvening }: { isEvening: boolean }): Times {
  const times: TimeOfDay[] = [];
  const notes: Remark[] = [];
  const problems: Remark[] = [];
  for (const [words] of found.words.matchAll(each)) {
    const time = timeOf(words);
    if (time === null) {
      problems.push(remarkAt(found, `${quoted(words)} is not a time of day: write 09:30 or 9:30 am`));
      continue;
    }
    const isBare = /^\d{1,2}$/.test(words) && time.hour >= 1 && time.hour <= 12;
    const isLate = isEvening && time.hour < 12 && !/[ap]\.?m/i.test(words);
    times.push(isLate ? { ...time, hour: time.hour + 12 } : time);
    if (isBare && !isEvening)
      notes.push(
        remarkAt(
          found,
          `${quoted(words)} is read as ${timeInWords(time)}; write ${words} pm for the other half of the day`,
        ),
      );
    if (words.toLowerCase() === 'midnight')
      notes.push(remarkAt(found, '“midnight” is read as 00:00, at which the day begins'));
  }
  return { from: found.from, to: found.to, times: inOrder(times), notes, problems };
}

function timeOf(words: string): TimeOfDay | null {
  const text = words.trim().toLowerCase();
  if (text === 'noon' || text === 'midday') return { hour: 12, minute: 0 };
  if (text === 'midnight') return { hour: 0, minute: 0 };
  const spoken = /^(half|quarter)\s+(past|to)\s+(\S+)$/.exec(text);
  if (spoken) {
    const minute = spoken[1] === 'half' ? 30 : 15;
    const time = amountOf(spoken[3]);
    return spoken[2] === 'past' ? valid(time, minute) : valid((time + 23) % 24, 60 - minute);
  }
  const [, hours = '', minutes = '0', letter] =
    /^(\w+?)(?:[:.h](\d{2}))?\s*(?:([ap])\.?m\.?|o['’]clock)?$/.exec(text) ?? [];
  const minute = Number(minutes);
  const number = amountOf(hours);
  if (hours === '') return null;
  if (letter === undefined) return valid(number, minute);
  return number < 1 || number > 12 ? null : valid((number % 12) + (letter === 'p' ? 12 : 0), minute);
}

const valid = (atHour: number, minute: number): TimeOfDay | null =>
  atHour > 23 || minute > 59 ? null : { hour: atHour, minute };

function inOrder(times: readonly TimeOfDay[]): TimeOfDay[] {
  const byWords = new Map(times.map((time) => [timeInWords(time), time]));
  return [...byWords.values()].sort((one, other) => one.hour - other.hour || one.minute - other.minute);
}

const remarkAt = ({ from, to }: Span, text: string): Remark => ({ from, to, text });

const two = (figure: number) => String(figure).padStart(2, '0');

/** `09:05` */
export const timeInWords = ({ hour: atHour, minute }: TimeOfDay) => `${two(atHour)}:${two(minute)}`;

export const timesInWords = (times: readonly TimeOfDay[]) => `at ${listed(times.map(timeInWords))}`;
