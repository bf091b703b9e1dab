import fc from 'fast-check';
import { expect, it } from 'vitest';
import { understand } from '#domain/phrase.ts';
import { occurrences } from '#domain/schedule.ts';
import { sample } from '#testing/sample.ts';

/** A day as numbers: a composed line is checked against thousands of them. */
type Day = { date: Temporal.PlainDate; year: number; month: number; day: number; weekday: number; length: number };
/** Words about time, and what they mean: the days that they include, or one moment. */
type When = {
  words: string;
  isOn: (day: Day, today: Temporal.PlainDate) => boolean;
  times: readonly string[];
  zone: string;
};
type Days = Pick<When, 'words' | 'isOn'>;

const now = Temporal.Instant.from('2026-11-20T12:05:14Z');
const home = 'Europe/London';
const days: Day[] = Array.from({ length: 2_200 }, (_, at) => {
  const date = Temporal.PlainDate.from('2026-11-19').add({ days: at });
  const { year, month, day, dayOfWeek: weekday, daysInMonth: length } = date;
  return { date, year, month, day, weekday, length };
});

const weekdays = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const months = 'January February March April May June July August September October November December'.split(' ');
const nameOf = (names: readonly string[], number: number) => names[number - 1] ?? '';
const some = <T>(...values: T[]) => fc.constantFrom(...values);
const joined = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
const unique = (max: number, { most, least = 1 }: { most: number; least?: number }) =>
  fc
    .uniqueArray(fc.integer({ min: 1, max }), { minLength: least, maxLength: most })
    .map((all) => all.sort((a, b) => a - b));

// Days that repeat.
const ordinals = ['first', 'second', 'third', 'fourth'];
const figures = ['1st', '2nd', '3rd', '4th'];
const weekly: fc.Arbitrary<Days> = fc
  .tuple(unique(7, { most: 4 }), some('every', 'each', 'plural', 'short'))
  .map(([chosen, how]): Days => {
    const names = chosen.map((day) => nameOf(weekdays, day));
    const short = names.map((name) => name.slice(0, 3)).join('/');
    const words = how === 'plural' ? joined(names.map((name) => `${name}s`)) : `${how} ${joined(names)}`;
    return {
      words: how === 'short' ? (chosen.length > 1 ? short : `every ${short}`) : words,
      isOn: ({ weekday }) => chosen.includes(weekday),
    };
  });
const range: fc.Arbitrary<Days> = fc
  .tuple(unique(7, { least: 2, most: 2 }), some(' to ', '-', ' through '))
  .map(([ends, to]): Days => {
    const [first = 1, last = 7] = ends;
    const name = (day: number) => (to === '-' ? nameOf(weekdays, day).slice(0, 3) : nameOf(weekdays, day));
    return { words: `${name(first)}${to}${name(last)}`, isOn: ({ weekday }) => weekday >= first && weekday <= last };
  });
const whole: fc.Arbitrary<Days> = fc.oneof(
  some('every day', 'daily').map((words): Days => ({ words, isOn: () => true })),
  some('every weekday', 'weekdays', 'on weekdays').map(
    (words): Days => ({ words, isOn: ({ weekday }) => weekday < 6 }),
  ),
  some('every weekend', 'weekends').map((words): Days => ({ words, isOn: ({ weekday }) => weekday > 5 })),
  fc.tuple(some('but', 'except', 'excluding'), fc.integer({ min: 1, max: 5 })).map(
    ([but, out]): Days => ({
      words: `every weekday ${but} ${nameOf(weekdays, out)}`,
      isOn: ({ weekday }) => weekday < 6 && weekday !== out,
    }),
  ),
  fc.tuple(some('but not on', 'except'), unique(7, { most: 3 })).map(
    ([but, out]): Days => ({
      words: `every day ${but} ${joined(out.map((day) => nameOf(weekdays, day)))}`,
      isOn: ({ weekday }) => !out.includes(weekday),
    }),
  ),
);
const monthly: fc.Arbitrary<Days> = fc.oneof(
  fc.tuple(unique(28, { most: 3 }), some('every', 'month')).map(([chosen, how]): Days => {
    const names = joined(chosen.map(ordinalOf));
    return {
      words: how === 'every' ? `every ${names}` : `on the ${names} of each month`,
      isOn: ({ day }) => chosen.includes(day),
    };
  }),
  some('every last day of the month', 'on the last day of each month').map(
    (words): Days => ({
      words,
      isOn: ({ day, length }) => day === length,
    }),
  ),
  fc.tuple(unique(4, { most: 2 }), fc.integer({ min: 1, max: 7 }), some(ordinals, figures)).map(
    ([nths, weekday, names]): Days => ({
      words: `the ${joined(nths.map((nth) => nameOf(names, nth)))} ${nameOf(weekdays, weekday)} of each month`,
      isOn: (day) => day.weekday === weekday && nths.includes(Math.ceil(day.day / 7)),
    }),
  ),
  fc.integer({ min: 1, max: 7 }).map(
    (weekday): Days => ({
      words: `every last ${nameOf(weekdays, weekday)}`,
      isOn: (day) => day.weekday === weekday && day.day + 7 > day.length,
    }),
  ),
  fc.tuple(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 1, max: 12 })).map(
    ([day, month]): Days => ({
      words: `every year on ${day} ${nameOf(months, month)}`,
      isOn: (one) => one.day === day && one.month === month,
    }),
  ),
);
const inMonths: fc.Arbitrary<Days> = fc
  .tuple(fc.oneof(weekly, range, whole), unique(12, { most: 3 }), some('in', 'during', 'except in'))
  .map(
    ([{ words, isOn }, chosen, how]): Days => ({
      words: `${words} ${how} ${joined(chosen.map((month) => nameOf(months, month)))}`,
      isOn: (day, today) => isOn(day, today) && chosen.includes(day.month) !== (how === 'except in'),
    }),
  );
const bounded: fc.Arbitrary<Days> = fc
  .tuple(
    fc.oneof(weekly, whole, monthly),
    some('starting 1 February 2027', 'until 31 May 2027', 'from 3 March 2027 until 30 June 2029'),
  )
  .map(([{ words, isOn }, bounds]): Days => {
    const dates = [...bounds.matchAll(/(\d+) (\w+) (\d+)/g)].map(([, day, month = '', year]) =>
      Temporal.PlainDate.from({ year: Number(year), month: months.indexOf(month) + 1, day: Number(day) }),
    );
    const from = bounds.startsWith('until') ? null : dates[0];
    const to = bounds.startsWith('starting') ? null : dates.at(-1);
    const isWithin = ({ date }: Day) =>
      (!from || Temporal.PlainDate.compare(date, from) >= 0) && (!to || Temporal.PlainDate.compare(date, to) <= 0);
    return { words: `${words} ${bounds}`, isOn: (day, today) => isWithin(day) && isOn(day, today) };
  });

// One day.
const isSame = (day: Day, date: Temporal.PlainDate) => day.date.equals(date);
const single: fc.Arbitrary<Days> = fc.oneof(
  some(...(['today', 'tomorrow', 'the day after tomorrow'] as const)).map(
    (words): Days => ({
      words,
      isOn: (day, today) =>
        isSame(day, today.add({ days: ['today', 'tomorrow', 'the day after tomorrow'].indexOf(words) })),
    }),
  ),
  fc.integer({ min: 1, max: 60 }).map(
    (count): Days => ({
      words: `in ${count} days`,
      isOn: (day, today) => isSame(day, today.add({ days: count })),
    }),
  ),
  fc
    .tuple(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 1, max: 12 }), some(0, 1, 2, 3, 4))
    .map(([day, month, form]): Days => {
      const date = Temporal.PlainDate.from({ year: 2027, month, day });
      const name = nameOf(months, month);
      const forms = [`on ${day} ${name} 2027`, `${name} ${ordinalOf(day)}, 2027`, date.toString()];
      forms.push(`on ${nameOf(weekdays, date.dayOfWeek)}, ${day} ${name} 2027`, `${day}.${month}.2027`);
      return { words: forms[form] ?? '', isOn: (one) => isSame(one, date) };
    }),
  fc
    .tuple(
      fc.integer({ min: 1, max: 9 }),
      some('days', 'weeks'),
      some('before', 'after'),
      fc.integer({ min: 4, max: 12 }),
    )
    .map(([count, unit, direction, month]): Days => {
      const base = Temporal.PlainDate.from({ year: 2027, month, day: 15 });
      const date = base.add({ [unit]: direction === 'before' ? -count : count });
      return {
        words: `${count} ${unit} ${direction} 15 ${nameOf(months, month)} 2027`,
        isOn: (day) => isSame(day, date),
      };
    }),
  fc.tuple(unique(7, { most: 1 }), some('next', 'on')).map(
    ([[weekday = 1], how]): Days => ({
      words: `${how} ${nameOf(weekdays, weekday)}`,
      // From a day whose time may be over to the next: decided by the first that is still to come.
      isOn: (day, today) => day.weekday === weekday && !(how === 'next' && isSame(day, today)),
    }),
  ),
);

const two = (number: number) => String(number).padStart(2, '0');
const clock = fc.tuple(fc.integer({ min: 0, max: 23 }), some(0, 0, 15, 30, 45));
const times: fc.Arbitrary<{ words: string; times: readonly string[] }> = fc.oneof(
  fc.tuple(clock, some(0, 1, 2, 3)).map(([[hour, minute], form]) => {
    const half = `${hour % 12 === 0 ? 12 : hour % 12}${minute === 0 ? '' : `:${two(minute)}`}${hour < 12 ? 'am' : 'pm'}`;
    const forms = [`at ${two(hour)}:${two(minute)}`, `at ${half}`, half, `at ${two(hour)}${two(minute)}`];
    return { words: forms[form] ?? '', times: [`${two(hour)}:${two(minute)}`] };
  }),
  some('noon', 'at noon').map((words) => ({ words, times: ['12:00'] })),
  some('EOD', 'at close of business').map((words) => ({ words, times: ['17:00'] })),
  fc
    .integer({ min: 5, max: 11 })
    .map((hour) => ({ words: `at ${hour} in the evening`, times: [`${two(hour + 12)}:00`] })),
  fc.constant({ words: '', times: ['09:00'] }),
);
const severalTimes = fc.constant({ words: 'at 9am and 5pm', times: ['09:00', '17:00'] });
const zones = some(
  ['', home],
  ['', home],
  ['Berlin time', 'Europe/Berlin'],
  ['Tokyo time', 'Asia/Tokyo'],
  ['UTC', 'UTC'],
  ['New York time', 'America/New_York'],
);

const composed = <T>(on: fc.Arbitrary<Days>, at: fc.Arbitrary<{ words: string; times: readonly string[] }>, more: T) =>
  fc.tuple(on, at, zones, fc.boolean()).map(([one, { words, times: chosen }, [name = '', zone = home], isFirst]) => ({
    words: (isFirst ? [words, name, one.words] : [one.words, words, name]).filter((part) => part !== '').join(' '),
    isOn: one.isOn,
    times: chosen,
    zone,
    ...more,
  }));
const repeated = composed(
  fc.oneof(weekly, range, whole, monthly, inMonths, bounded),
  fc.oneof({ weight: 5, arbitrary: times }, severalTimes),
  { isOnce: false },
);
const once = composed(single, times, { isOnce: true });

// What no schedule can hold.
const impossible = some(
  'except holidays',
  'or the day after',
  'twice',
  'in 3 business days',
  'every other week',
  'around lunch',
  'unless it rains',

  'but the first',
  'before Christmas',
  'half',
  'only 3 times',
  'biweekly',
  'by Friday',
  'and Easter Monday',
  '1730-1800',
);

const frames = some<[before: string, after: string]>(
  ['email ann@example.com ', ' about the rent'],
  ['', ' email ann@example.com that rent is due'],
  ['email the tenants ', ': rent is due on Friday at 7pm'],
  ['Pay the rent ', ''],
  ['', ', pay the rent'],
  ['remind Ann to pay the rent ', ''],
  ['email Ann that rent is due ', ''],
  ['text +49 171 1234567 ', ' saying "rent is due by Friday"'],
);

/** One edit of a word: a letter too many, too few, another one, or two that change places. */
type Edit = { word: number; at: number; kind: 'insert' | 'delete' | 'change' | 'swap'; letter: string };
const edits = fc.array(
  fc.record<Edit>({
    word: fc.nat(40),
    at: fc.nat(12),
    kind: some('insert', 'delete', 'change', 'swap'),
    letter: some(...'aeioutnsrlhdmy'.split('')),
  }),
  { minLength: 1, maxLength: 2 },
);

// A typo that makes another word of these is not a typo any more.
const known = new Set(
  `tine tome mime tide tire tile dad mom mum man men son set cat hat way pay say bay ray our your four tour pour hair ear near dear team test text best list lists lost
  past fast cast east least rest them then they than thus staff boss form farm fork front fun run won money till bill will tell call mail
  item items closed those yours hours tours ours ways dairy fire firm fish dust due dues true tune wet web bed red led expect accept forth birth
  a an and as at the to in on of for from not no or one two six ten first fist second third fourth last next this that day days week weeks
  weekday weekdays weekend weekends every very each daily but put except until till during starting before after noon moon today tomorrow
  month months year years am pm eod mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct nov dec june july time times
  through though trough close business evening evenings excluding utc new york berlin tokyo i is it by my our us we go so do if her he me us`
    .split(/\s+/)
    .concat(weekdays.flatMap((name) => [name.toLowerCase(), `${name.toLowerCase()}s`]))
    .concat(months.map((name) => name.toLowerCase())),
);

/** The words with one edit; the same when it would make another known word, touch a figure, or change a short word twice. */
function withEdit(words: string, { word, at, kind, letter }: Edit): string {
  const all = words.split(' ');
  const nth = word % all.length;
  const old = all[nth] ?? '';
  if (!/^[A-Za-z]{2,}$/.test(old)) return words;
  const index = at % old.length;
  const rest = old.slice(index + 1);
  const made = {
    insert: `${old.slice(0, index)}${letter}${old.slice(index)}`,
    delete: `${old.slice(0, index)}${rest}`,
    change: `${old.slice(0, index)}${letter}${rest}`,
    swap: `${old.slice(0, index)}${rest.slice(0, 1)}${old.charAt(index)}${rest.slice(1)}`,
  }[kind];
  const isTwice = old.length < 6 && !known.has(old.toLowerCase());
  return isTwice || known.has(made.toLowerCase()) ? words : all.with(nth, made).join(' ');
}

function ordinalOf(day: number): string {
  const isTeen = day > 10 && day < 14;
  return `${day}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][day % 10]) ?? 'th'}`;
}

/** The first moments that a composed line names, counted day by day. */
function expected({ isOn, times: chosen, zone }: When, count: number): string[] {
  const today = now.toZonedDateTimeISO(zone).toPlainDate();
  const found: string[] = [];
  for (const day of days) {
    if (found.length >= count) break;
    if (!isOn(day, today)) continue;
    for (const time of chosen) {
      const at = day.date.toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant();
      if (Temporal.Instant.compare(at, now) > 0) found.push(at.toString());
    }
  }
  return found.slice(0, count);
}

const filledIn = (line: string, count: number) => {
  const { schedule, isWhole } = understand(line, { now, timezone: home });
  expect(isWhole || schedule === null).toBe(true);
  return schedule === null ? null : occurrences(schedule.config, { after: now, count }).map(String);
};

const lines = fc.tuple(fc.oneof({ weight: 3, arbitrary: repeated }, once), frames);
const timesCompared = 4;
const countOf = ({ isOnce }: { isOnce: boolean }) => (isOnce ? 1 : timesCompared);

it('fills in the schedule that was composed, or none: lines without a slip', () => {
  const found: boolean[] = [];
  const property = fc.property(lines, ([when, [before, after]]) => {
    const line = `${before}${when.words}${after}`;
    const filled = filledIn(line, timesCompared);
    found.push(filled !== null);
    if (filled !== null) expect({ line, filled }).toEqual({ line, filled: expected(when, countOf(when)) });
  });
  for (const seed of sample.partSeeds('lines without a slip', 20_261_130)) fc.assert(property, { seed, numRuns: 800 });
  expect(found.filter(Boolean).length / found.length).toBeGreaterThan(0.7);
});

it('fills in the schedule that was composed, or none: lines with one or two letters wrong', () => {
  const slipped: { isChanged: boolean; isFilled: boolean }[] = [];
  const property = fc.property(lines, edits, ([when, [before, after]], slips) => {
    const words = slips.reduce(withEdit, when.words);
    const line = `${before}${words}${after}`;
    const filled = filledIn(line, timesCompared);
    slipped.push({ isChanged: words !== when.words, isFilled: filled !== null });
    if (filled !== null) expect({ line, filled }).toEqual({ line, filled: expected(when, countOf(when)) });
  });
  for (const seed of sample.partSeeds('lines with a slip', 20_261_140)) fc.assert(property, { seed, numRuns: 900 });
  expect(slipped.filter(({ isChanged }) => isChanged).length / slipped.length).toBeGreaterThan(0.6);
  expect(slipped.filter(({ isFilled }) => !isFilled).length / slipped.length).toBeGreaterThan(0.4);
});

it('fills in nothing where part of a line cannot be', () => {
  const property = fc.property(lines, impossible, fc.boolean(), ([when, [before, after]], more, isFirst) => {
    const line = `${before}${isFirst ? `${more} ${when.words}` : `${when.words} ${more}`}${after}`;
    expect({ line, found: filledIn(line, 1) }).toEqual({ line, found: null });
  });
  for (const seed of sample.partSeeds('impossible lines', 20_261_150)) fc.assert(property, { seed, numRuns: 300 });
});
