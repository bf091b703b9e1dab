import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCron, type Timetable } from '#domain/cron.ts';
import { sample } from '#testing/sample.ts';

/** A field as written and as the numbers that it matches; `isStar` when it begins with a star. */
type Field = { text: string; values: ReadonlySet<number>; isStar: boolean };

const range = (low: number, high: number, step = 1) =>
  Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, index) => low + index * step);

function fieldOf({ min, max, last = max }: { min: number; max: number; last?: number }): fc.Arbitrary<Field> {
  const number = fc.integer({ min, max });
  const piece = fc.oneof(
    number.map((one) => ({ text: String(one), values: [one] })),
    fc.tuple(number, number).map(([a, b]) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      return { text: `${low}-${high}`, values: range(low, high) };
    }),
    fc.tuple(number, number, fc.integer({ min: 1, max: 6 })).map(([a, b, step]) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      return { text: `${low}-${high}/${step}`, values: range(low, high, step) };
    }),
    fc
      .integer({ min: 1, max: Math.min(20, max - min) })
      .map((step) => ({ text: `*/${step}`, values: range(min, last, step) })),
  );
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant({ text: '*', values: new Set(range(min, last)), isStar: true }) },
    {
      weight: 3,
      arbitrary: fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => ({
        text: pieces.map(({ text }) => text).join(','),
        values: new Set(pieces.flatMap(({ values }) => values)),
        isStar: pieces[0]?.text.startsWith('*') ?? false,
      })),
    },
  );
}

const expression = fc.record({
  minute: fieldOf({ min: 0, max: 59 }),
  hour: fieldOf({ min: 0, max: 23 }),
  // Every month has the days up to the 28th.
  day: fieldOf({ min: 1, max: 28, last: 31 }),
  month: fieldOf({ min: 1, max: 12 }),
  weekday: fieldOf({ min: 0, max: 6 }),
});
type Expression = typeof expression extends fc.Arbitrary<infer T> ? T : never;

const textOf = ({ minute, hour, day, month, weekday }: Expression) =>
  [minute, hour, day, month, weekday].map(({ text }) => text).join(' ');

const isDueAt = ({ minute, hour }: Expression, time: { minute: number; hour: number }) =>
  minute.values.has(time.minute) && hour.values.has(time.hour);

/** The rule of Debian's cron: either day counts when both are named, unless one of them begins with a star. */
function isDueOn({ day, month, weekday }: Expression, wall: Temporal.PlainDate): boolean {
  if (!month.values.has(wall.month)) return false;
  const isDay = day.values.has(wall.day);
  const isWeekday = weekday.values.has(wall.dayOfWeek % 7);
  return day.isStar || weekday.isStar ? isDay && isWeekday : isDay || isWeekday;
}

const walk = (timetable: Timetable, { from, until }: { from: Temporal.Instant; until: Temporal.Instant }) => {
  const found: string[] = [];
  for (
    let next = timetable.next(from.subtract({ milliseconds: 1 }));
    next !== null && Temporal.Instant.compare(next, until) < 0;
    next = timetable.next(next)
  )
    found.push(next.toString());
  return found;
};

describe('a cron expression, compared with a check of every minute', () => {
  const days = range(0, 364).map((day) => Temporal.PlainDate.from('2026-01-01').add({ days: day }));
  const minutesOfDay = range(0, 1439).map((minute) => ({ hour: Math.floor(minute / 60), minute: minute % 60 }));

  it('comes due at the same minutes of a whole year in UTC', () => {
    const property = fc.property(expression, fc.nat(364), (cron, someDay) => {
      const times = minutesOfDay.filter((time) => isDueAt(cron, time));
      const dueDays = days.filter((day) => isDueOn(cron, day));
      // For a schedule with very many times only one day is compared.
      const isBusy = times.length * dueDays.length > 300;
      const compared = isBusy ? days.slice(someDay, someDay + 1) : days;
      const expected = compared
        .filter((day) => dueDays.includes(day))
        .flatMap((day) => times.map((time) => `${day.toPlainDateTime(time).toString()}Z`));
      const from = compared[0]?.toZonedDateTime('UTC').toInstant();
      const until = compared.at(-1)?.add({ days: 1 }).toZonedDateTime('UTC').toInstant();
      if (from === undefined || until === undefined) throw new Error('there are days to compare');
      expect(walk(parseCron(textOf(cron), 'UTC'), { from, until })).toEqual(expected);
    });
    for (const seed of sample.partSeeds('years', 20_261_200)) fc.assert(property, { seed, numRuns: 4 });
  });
});

describe('a cron expression on the days around a clock change', () => {
  const changes = [
    ['Europe/Berlin', '2026-03-28'],
    ['Europe/Berlin', '2026-10-24'],
    ['America/Santiago', '2026-09-05'],
    ['America/Santiago', '2026-04-04'],
    ['Australia/Lord_Howe', '2026-10-03'],
    ['Australia/Lord_Howe', '2026-04-04'],
    ['Pacific/Apia', '2011-12-29'],
    ['Antarctica/Troll', '2026-03-28'],
    ['Antarctica/Troll', '2026-10-24'],
    ['Pacific/Chatham', '2026-09-26'],
    ['Pacific/Chatham', '2026-04-04'],
    ['America/Nuuk', '2025-03-29'],
    ['America/Nuuk', '2025-10-25'],
    ['Africa/Casablanca', '2025-02-22'],
    ['Africa/Casablanca', '2025-04-05'],
    ['America/Havana', '2025-11-01'],
  ] as const;

  it.each(changes)('with wildcards comes due at every instant whose wall time it names (%s, %s)', (timezone, day) => {
    const from = Temporal.PlainDate.from(day).toZonedDateTime(timezone);
    const until = from.add({ days: 3 }).toInstant();
    const minutes = range(0, from.toInstant().until(until).total('minutes') - 1);
    const elapsing = expression.filter(
      ({ minute, hour }) => !/^[\d,]+$/.test(minute.text) || !/^[\d,]+$/.test(hour.text),
    );
    const property = fc.property(elapsing, ({ minute, hour }) => {
      const cron = { minute, hour, day: open(1, 31), month: open(1, 12), weekday: open(0, 6) };
      const expected = minutes
        .map((n) => from.add({ minutes: n }))
        .filter((at) => isDueAt(cron, at))
        .map((at) => at.toInstant().toString())
        .slice(0, 150);
      const last = expected.at(-1);
      const end = last === undefined ? until : Temporal.Instant.from(last).add({ minutes: 1 });
      expect(walk(parseCron(textOf(cron), timezone), { from: from.toInstant(), until: end })).toEqual(expected);
    });
    for (const seed of sample.partSeeds(`wildcards, ${timezone}, ${day}`, 20_261_200))
      fc.assert(property, { seed, numRuns: 1 });
  });

  it.each(changes)('with fixed times comes due once for each wall time of each day (%s, %s)', (timezone, day) => {
    const begin = Temporal.PlainDate.from(day);
    const list = (max: number) => fc.uniqueArray(fc.integer({ min: 0, max }), { minLength: 1, maxLength: 4 });
    const property = fc.property(list(59), fc.oneof(list(23), list(3)), (minutes, hours) => {
      const walls = range(0, 3).flatMap((n) =>
        hours.flatMap((hour) => minutes.map((minute) => begin.add({ days: n }).toPlainDateTime({ hour, minute }))),
      );
      const from = begin.toZonedDateTime(timezone).toInstant();
      const until = begin.add({ days: 4 }).toZonedDateTime(timezone).toInstant();
      const expected = [...new Set(walls.map((wall) => wall.toZonedDateTime(timezone).epochMilliseconds))]
        .sort((a, b) => a - b)
        .map((ms) => Temporal.Instant.fromEpochMilliseconds(ms).toString());
      expect(walk(parseCron(`${minutes.join(',')} ${hours.join(',')} * * *`, timezone), { from, until })).toEqual(
        expected,
      );
    });
    for (const seed of sample.partSeeds(`fixed times, ${timezone}, ${day}`, 20_261_200))
      fc.assert(property, { seed, numRuns: 4 });
  });
});

const open = (min: number, max: number): Field => ({ text: '*', values: new Set(range(min, max)), isStar: true });
