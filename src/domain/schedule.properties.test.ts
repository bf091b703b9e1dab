import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ScheduleConfig } from '#contract/schedules.ts';
import { latestOccurrence, nextOccurrence, nextOccurrenceMs, occurrences } from '#domain/schedule.ts';

const seeded = { seed: 20_261_120, numRuns: 150 };

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'Antarctica/Troll',
  'Pacific/Chatham',
  'America/Nuuk',
  'Africa/Casablanca',
];
// Half of all starts lie beside a clock change, where schedules are error-prone.
const nearChanges = [
  '2026-03-28',
  '2026-10-24',
  '2026-03-07',
  '2026-09-05',
  '2026-09-26',
  '2026-10-03',
  '2026-04-04',
  '2011-12-29',
  '2025-02-22',
  '2025-04-05',
];

const pad = (value: number) => String(value).padStart(2, '0');
const anyDay = fc
  .date({ min: new Date('2005-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const startDate = fc
  .record({
    day: fc.oneof(anyDay, fc.constantFrom(...nearChanges)),
    hour: fc.oneof(fc.integer({ min: 0, max: 23 }), fc.constantFrom(23, 0, 1, 2, 3)),
    minute: fc.integer({ min: 0, max: 59 }),
  })
  .map(({ day, hour, minute }) => `${day}T${pad(hour)}:${pad(minute)}:00`);

const stepping = fc
  .record({
    scheduleType: fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const),
    startDate,
    timezone: fc.constantFrom(...zones),
  })
  .map((config) => ScheduleConfig.parse({ type: 'scheduled', ...config }));
const cron = fc
  .record({
    customCron: fc.constantFrom(
      '*/20 * * * *',
      '30 2 * * *',
      '0 2,14 1,15 * *',
      '0 */6 * * MON',
      '45 1 31 * *',
      '30 23 * * SAT',
    ),
    startDate: fc.option(startDate, { nil: undefined }),
    timezone: fc.constantFrom(...zones),
  })
  .map((config) => ScheduleConfig.parse({ type: 'scheduled', scheduleType: 'custom', ...config }));
const anySchedule = fc.oneof(stepping, cron);

/** Where to begin: within days of the start, or years after it. */
const offsetMs = fc.oneof(
  fc.integer({ min: -3 * 86_400_000, max: 5 * 86_400_000 }),
  fc.integer({ min: 0, max: 12 * 365 * 86_400_000 }),
);
const from = (config: ScheduleConfig, ms: number) =>
  Temporal.PlainDateTime.from(config.startDate ?? '2026-03-28T00:00:00')
    .toZonedDateTime(config.timezone)
    .toInstant()
    .add({ milliseconds: ms });

const daily = { scheduleType: 'daily', startDate: '2026-03-05T09:00:00', timezone: 'UTC' };

describe('every schedule', () => {
  it('advances: each occurrence is later than the one before and than `after`', () => {
    fc.assert(
      fc.property(anySchedule, offsetMs, (config, ms) => {
        const after = from(config, ms);
        const found = occurrences(config, { after, count: 12 });
        expect(found).toHaveLength(12);
        [after, ...found].reduce((earlier, later) => {
          expect(later.epochMilliseconds).toBeGreaterThan(earlier.epochMilliseconds);
          return later;
        });
      }),
      seeded,
    );
  });

  it('has the same next occurrence from anywhere between two of them', () => {
    fc.assert(
      fc.property(anySchedule, offsetMs, fc.double({ min: 0, max: 0.999, noNaN: true }), (config, ms, share) => {
        const [one, two] = occurrences(config, { after: from(config, ms), count: 2 });
        if (one === undefined || two === undefined) throw new Error('a schedule without end has more occurrences');
        const between = one.add({ milliseconds: Math.floor(share * one.until(two).total('milliseconds')) });
        expect(nextOccurrence(config, { after: between })?.toString()).toBe(two.toString());
        expect(nextOccurrence(config, { after: two.subtract({ milliseconds: 1 }) })?.toString()).toBe(two.toString());
      }),
      seeded,
    );
  });

  it('has the same next occurrence in milliseconds, or none after its end', () => {
    const days = fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined });
    fc.assert(
      fc.property(anySchedule, offsetMs, days, (endless, ms, until) => {
        const after = from(endless, ms);
        const endDate =
          until === undefined
            ? undefined
            : after
                .add({ hours: 24 * until })
                .toString()
                .slice(0, 10);
        const config = { ...endless, endDate };
        const next = nextOccurrence(config, { after })?.epochMilliseconds ?? null;
        expect(nextOccurrenceMs(config, { afterMs: after.epochMilliseconds })).toBe(next);
      }),
      seeded,
    );
  });

  it.each([
    ['of events', { type: 'event-based', scheduleType: 'daily' }, '2026-03-02T09:00:00Z', null],
    ['once', { type: 'scheduled', scheduleType: 'once' }, '2026-03-02T09:00:00Z', '2026-03-05T09:00:00Z'],
    ['daily', { type: 'scheduled', scheduleType: 'daily' }, '9999-12-29T09:00:00Z', '9999-12-30T09:00:00Z'],
    ['daily at the end of time', { type: 'scheduled', scheduleType: 'daily' }, '9999-12-30T09:00:00Z', null],
  ])('has one in milliseconds or none: %s', (_, kind, after, next) => {
    const config = { ...ScheduleConfig.parse({ ...daily, type: 'scheduled' }), ...kind } as ScheduleConfig;
    const found = nextOccurrenceMs(config, { afterMs: Date.parse(after) });
    expect(found).toBe(next === null ? null : Date.parse(next));
  });

  it('finds as its newest missed occurrence the last of all that it would have had', () => {
    const asked = { minutes: fc.integer({ min: 0, max: 20 * 1440 }), ms: offsetMs };
    fc.assert(
      fc.property(anySchedule, asked.ms, asked.minutes, (config, ms, minutes) => {
        const after = from(config, ms);
        const until = after.add({ minutes });
        let last: Temporal.Instant | null = null;
        for (
          let next = nextOccurrence(config, { after });
          next !== null && Temporal.Instant.compare(next, until) <= 0;
          next = nextOccurrence(config, { after: next })
        )
          last = next;
        expect(latestOccurrence(config, { after, until })?.toString()).toBe(last?.toString());
      }),
      { ...seeded, numRuns: 40 },
    );
  });
});

describe('every daily, weekly and monthly schedule', () => {
  it('keeps the wall-clock time of its start, except where a gap has moved it', () => {
    fc.assert(
      fc.property(stepping, offsetMs, (config, ms) => {
        const start = Temporal.PlainDateTime.from(config.startDate ?? '');
        for (const instant of occurrences(config, { after: from(config, ms), count: 8 })) {
          const local = instant.toZonedDateTimeISO(config.timezone);
          if (isMoved(local, start.toPlainTime())) continue;
          expect(local.toPlainTime().toString()).toBe(start.toPlainTime().toString());
          if (config.scheduleType === 'weekly') expect(local.dayOfWeek).toBe(start.dayOfWeek);
          if (config.scheduleType === 'monthly') expect(local.day).toBe(Math.min(start.day, local.daysInMonth));
        }
      }),
      seeded,
    );
  });

  it('is the list of start plus n, each counted from the start, without duplicates', () => {
    const units = { daily: 'days', weekly: 'weeks', monthly: 'months' } as const;
    fc.assert(
      fc.property(stepping, (config) => {
        const start = Temporal.PlainDateTime.from(config.startDate ?? '');
        const kind = config.scheduleType;
        if (kind !== 'daily' && kind !== 'weekly' && kind !== 'monthly') throw new Error('not a stepping schedule');
        const list = Array.from({ length: 40 }, (_, n) =>
          start
            .add({ [units[kind]]: n })
            .toZonedDateTime(config.timezone)
            .toInstant()
            .toString(),
        );
        const expected = [...new Set(list)];
        const found = occurrences(config, { after: from(config, -1), count: expected.length });
        expect(found.map(String)).toEqual(expected);
      }),
      seeded,
    );
  });
});

/** True on a day on which that time does not exist (or, in Apia, the day after the day that does not exist). */
function isMoved(local: Temporal.ZonedDateTime, time: Temporal.PlainTime): boolean {
  const change = local.getTimeZoneTransition('previous');
  if (change === null || change.until(local).total('hours') >= 24) return false;
  const gapMs = (change.offsetNanoseconds - change.subtract({ nanoseconds: 1 }).offsetNanoseconds) / 1e6;
  const unmoved = local.toPlainDateTime().subtract({ milliseconds: gapMs });
  return gapMs > 0 && unmoved.toPlainTime().equals(time) && change.until(local).total('milliseconds') < gapMs;
}
