import { amountOf, listed } from './calendar-words.ts';
import { quoted, spaced, sticky } from './line.ts';
import {
  type PartOfDay,
  type Piece,
  problem,
  type Reading,
  type Recogniser,
  type SaidTime,
  type TimeOfDay,
} from './pieces.ts';

const hour = String.raw`(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`;
const half = String.raw`(?:[ap]\.m\.|[ap]m)`;
const notMore = String.raw`(?![.:/-]\d)(?!\s*(?:%|(?:minutes?|mins?|hours?|hrs?|h|days?|weeks?|months?|years?|times)\b))`;
const named = `noon|midday|midnight|(?:half past|(?:a )?quarter (?:past|to)) ${hour}(?: ?${half})?`;
const minutes = '(?:fifteen|(?:twenty|thirty|forty|fifty)(?:[ -]five)?|oh five)';
/** `nine thirty`, `twenty past two`: elsewhere, `five to nine` may be numbers. */
const spoken = `(?:(?:five|ten|twenty|twenty[ -]five)(?: minutes)? (?:past|to) ${hour}|${hour} ${minutes})(?: ?${half})?`;
const digits = String.raw`(?:[01]\d|2[0-3])[0-5]\d`;
const sure = String.raw`(?:${named}|\d{1,2}:\d{2}(?:\s?${half})?|\d{1,2}(?:\.\d{2})?\s?${half}|${hour} ${minutes} ?${half}|${hour} ?${half}|${hour} o['’]clock|\d{1,2}h\d{2}|(?:1[3-9]|2[0-3])h)`;
const loose = String.raw`(?:${sure}|${spoken}|${digits}(?: ?h(?:rs|ours)?)?|\d{1,2}\.\d{2}|${hour})${notMore}`;
const and = String.raw`(?:\s*,\s*and\s+|\s*,\s*|\s+and\s+|\s*&\s*)(?:at )?`;
const endOfDay = '(?:EOD|COB|(?:the )?(?:end of (?:the )?(?:business |working )?day|close of business))';
const each = new RegExp(spaced(loose), 'gi');

/** Words that can only be a time of day. */
export const saidTime = `(?:${sure}|${digits}|${hour}|${endOfDay})`;

/** The times of day that words name. A bare number is an hour after `at`, and `1730` a time after a day too. */
export const timeRecognisers: Recogniser[] = [
  { pattern: sticky(String.raw`(?:at|@)\s*${loose}(?:${and}${loose})*`), read: ({ words }) => timesIn(words) },
  { pattern: sticky(`${sure}(?:${and}${sure})*`), read: ({ words }) => timesIn(words) },
  {
    pattern: sticky(`(?:${digits}(?: ?h(?:rs|ours)?)?(?:${and}${digits})*|${spoken})`),
    read: ({ words }, { previous }) => (previous !== null && mayPrecede(previous, words) ? timesIn(words) : null),
  },
  {
    pattern: sticky(`(?:at )?${endOfDay}`),
    read: ({ words }) => ({
      kind: 'times',
      times: [{ hour: 17, minute: 0, said: '17:00' }],
      notes: [`${quoted(words)} is read as 17:00`],
    }),
  },
  {
    pattern: sticky('(?:(?:in the|this|at|on the) )?(?<part>morning|afternoon|evening|night)'),
    read: ({ groups }) => ({ kind: 'part', part: partOf(groups.part) }),
  },
];

/** `31 March 2030` is a year, and `every 1 March 2030` may be one. */
const mayPrecede = ({ kind, words }: Piece, time: string) =>
  (kind === 'date' || kind === 'rhythm' || kind === 'start' || kind === 'except') &&
  !(/^20[0-5]/.test(time) && !/\b(?:mon|tue|wed|thu|fri|sat|sun|day|daily|tomorrow|weekly|weekend)/i.test(words));

const partOf = (word: string | undefined): PartOfDay => {
  const name = word?.toLowerCase();
  return name === 'morning' || name === 'afternoon' || name === 'evening' ? name : 'night';
};

function timesIn(words: string): Reading {
  const times: SaidTime[] = [];
  const notes: string[] = [];
  for (const [said] of words.matchAll(each)) {
    const time = timeOf(said);
    if (time === null) return problem(`${quoted(said)} is not a time of day: write 09:30 or 9:30 am`);
    times.push({ ...time, said });
    if (said.toLowerCase() === 'midnight') notes.push('“midnight” is read as 00:00, at which the day begins');
  }
  return { kind: 'times', times, notes };
}

function timeOf(words: string): TimeOfDay | null {
  const text = words.trim().toLowerCase();
  if (text === 'noon' || text === 'midday') return { hour: 12, minute: 0 };
  if (text === 'midnight') return { hour: 0, minute: 0 };
  const inWords = spokenTimeOf(text);
  if (inWords !== null) return inWords;
  const figures = /^(\d{1,2}?)(\d{2})?\s?h(?:rs|ours)?$|^(\d{2})(\d{2})$/.exec(text);
  if (figures) {
    const [, one, rest = '0', first = one, last = rest] = figures;
    return valid(Number(first), Number(last));
  }
  const [, hours = '', minutes = '0', letter] =
    /^(\w+?)(?:[:.h](\d{2}))?\s*(?:([ap])\.?m\.?|o['’]clock)?$/.exec(text) ?? [];
  const minute = Number(minutes);
  const number = amountOf(hours);
  if (hours === '') return null;
  if (letter === undefined) return valid(number, minute);
  return number < 1 || number > 12 ? null : valid((number % 12) + (letter === 'p' ? 12 : 0), minute);
}

/** `quarter to five pm`, `nine thirty`. */
function spokenTimeOf(text: string): TimeOfDay | null {
  const relative =
    /^(?:a\s+)?(half|quarter|[a-z]+(?:[\s-]five)?)(?:\s+minutes)?\s+(past|to)\s+([a-z\d]+?)\s*(?:([ap])\.?m\.?)?$/.exec(
      text,
    );
  const [, amount = '', direction, base = '', halfOfDay] = relative ?? [];
  if (relative) {
    const minute = amount === 'half' ? 30 : amount === 'quarter' ? 15 : numberOf(amount);
    const from = hourIn(amountOf(base), halfOfDay);
    return direction === 'past' ? valid(from, minute) : valid((from + 23) % 24, 60 - minute);
  }
  const joined = /^([a-z]+)\s+((?:fifteen|twenty|thirty|forty|fifty|oh)(?:[\s-]five)?)\s*(?:([ap])\.?m\.?)?$/.exec(
    text,
  );
  if (joined === null) return null;
  const [, atHour = '', rest = '', late] = joined;
  return valid(hourIn(amountOf(atHour), late), numberOf(rest));
}

/** `twenty five` */
const numberOf = (words: string) =>
  words
    .split(/[\s-]+/)
    .filter((word) => word !== 'oh')
    .reduce((sum, word) => sum + amountOf(word), 0);

const hourIn = (hours: number, halfOfDay: string | undefined) =>
  halfOfDay === undefined ? hours : (hours % 12) + (halfOfDay === 'p' ? 12 : 0);

const valid = (atHour: number, minute: number): TimeOfDay | null =>
  atHour > 23 || minute > 59 ? null : { hour: atHour, minute };

export function inOrder(times: readonly TimeOfDay[]): TimeOfDay[] {
  const byWords = new Map(times.map((time) => [timeInWords(time), time]));
  return [...byWords.values()].sort((one, other) => one.hour - other.hour || one.minute - other.minute);
}

const two = (figure: number) => String(figure).padStart(2, '0');

/** `09:05` */
export const timeInWords = ({ hour: atHour, minute }: TimeOfDay) => `${two(atHour)}:${two(minute)}`;

export const timesInWords = (times: readonly TimeOfDay[]) => `at ${listed(times.map(timeInWords))}`;
