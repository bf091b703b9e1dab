import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ScheduleConfig } from '#contract/schedules.ts';
import { occurrences } from '#domain/schedule.ts';
import { notesOf } from '#domain/schedule-notes.ts';

const schedule = (config: Partial<ScheduleConfig>): ScheduleConfig =>
  ScheduleConfig.parse({ type: 'scheduled', scheduleType: 'daily', ...config });

const cron = (customCron: string, timezone: string) => schedule({ scheduleType: 'custom', customCron, timezone });

const elapses = 'an expression with *, a range or a step follows elapsed time';

/** Wall time and notes of the next occurrences. */
const noted = (config: ScheduleConfig, { after, count = 3 }: { after: string; count?: number }) =>
  occurrences(config, { after: Temporal.Instant.from(after), count }).map((at) =>
    [at.toZonedDateTimeISO(config.timezone).toString({ timeZoneName: 'never', smallestUnit: 'minute' })].concat(
      notesOf(config, at),
    ),
  );

describe('where clocks go forward, an occurrence says', () => {
  it('what time it was moved from, on that day alone', () => {
    const expected = [
      ['2026-03-28T02:30+01:00'],
      ['2026-03-29T03:30+02:00', 'moved from 02:30: clocks go forward'],
      ['2026-03-30T02:30+02:00'],
    ];
    const daily = schedule({ startDate: '2026-01-01T02:30:00', timezone: 'Europe/Berlin' });
    expect(noted(daily, { after: '2026-03-28T00:00:00Z' })).toEqual(expected);
    expect(noted(cron('30 2 * * *', 'Europe/Berlin'), { after: '2026-03-28T00:00:00Z' })).toEqual(expected);
  });

  it('the same at the very end of the gap, and to the second', () => {
    const daily = schedule({ startDate: '2026-01-01T02:00:00', timezone: 'Europe/Berlin' });
    expect(noted(daily, { after: '2026-03-29T00:00:00Z', count: 1 })).toEqual([
      ['2026-03-29T03:00+02:00', 'moved from 02:00: clocks go forward'],
    ]);
    const late = schedule({ startDate: '2026-01-01T02:59:59', timezone: 'Europe/Berlin' });
    expect(noted(late, { after: '2026-03-29T00:00:00Z', count: 1 })[0]?.[1]).toBe(
      'moved from 02:59:59: clocks go forward',
    );
  });

  it('that it was moved past midnight', () => {
    const weekly = schedule({ scheduleType: 'weekly', startDate: '2025-03-01T23:30:00', timezone: 'America/Nuuk' });
    expect(noted(weekly, { after: '2025-03-29T12:00:00Z', count: 2 })).toEqual([
      ['2025-03-30T00:30-01:00', 'moved from 23:30 the day before: clocks go forward'],
      ['2025-04-05T23:30-01:00'],
    ]);
  });

  it('that midnight or half an hour does not exist', () => {
    const midnight = cron('@daily', 'America/Santiago');
    expect(noted(midnight, { after: '2026-09-05T12:00:00Z', count: 1 })).toEqual([
      ['2026-09-06T01:00-03:00', 'moved from 00:00: clocks go forward'],
    ]);
    const lordHowe = cron('10,35 2 * * *', 'Australia/Lord_Howe');
    expect(noted(lordHowe, { after: '2026-10-03T12:00:00Z' })).toEqual([
      ['2026-10-04T02:35+11:00'],
      ['2026-10-04T02:40+11:00', 'moved from 02:10: clocks go forward'],
      ['2026-10-05T02:10+11:00'],
    ]);
  });

  it('that two times have become one', () => {
    expect(noted(cron('30 2,3 * * *', 'Europe/Berlin'), { after: '2026-03-29T00:00:00Z', count: 1 })).toEqual([
      ['2026-03-29T03:30+02:00', 'also replaces 02:30: clocks go forward'],
    ]);
  });

  it('that its zone has no such day', () => {
    const apia = { startDate: '2011-12-02T09:00:00', timezone: 'Pacific/Apia' };
    expect(noted(schedule({ ...apia, scheduleType: 'weekly' }), { after: '2011-12-29T12:00:00Z', count: 1 })).toEqual([
      ['2011-12-31T09:00+14:00', 'moved from 2011-12-30: this zone has no such day'],
    ]);
    expect(noted(schedule(apia), { after: '2011-12-30T12:00:00Z', count: 2 })).toEqual([
      ['2011-12-31T09:00+14:00', 'also replaces 2011-12-30: this zone has no such day'],
      ['2012-01-01T09:00+14:00'],
    ]);
  });

  it('which time was left out, where it follows elapsed time within some hours', () => {
    expect(noted(cron('15 0-3 * * *', 'Europe/Berlin'), { after: '2026-03-29T00:30:00Z' })).toEqual([
      ['2026-03-29T03:15+02:00', `02:15 was left out: clocks went forward, and ${elapses}`],
      ['2026-03-30T00:15+02:00'],
      ['2026-03-30T01:15+02:00'],
    ]);
    expect(noted(cron('*/20 2 * * *', 'Europe/Berlin'), { after: '2026-03-29T00:30:00Z', count: 1 })).toEqual([
      ['2026-03-30T02:00+02:00', `02:00 was left out: clocks went forward, and ${elapses}`],
    ]);
  });

  it('nothing when it follows elapsed time through every hour', () => {
    expect(noted(cron('*/30 * * * *', 'Europe/Berlin'), { after: '2026-03-29T00:30:00Z', count: 2 })).toEqual([
      ['2026-03-29T03:00+02:00'],
      ['2026-03-29T03:30+02:00'],
    ]);
  });
});

describe('where clocks go back, an occurrence says', () => {
  it('that the first of two times counts', () => {
    const expected = [
      ['2026-10-25T02:30+02:00', 'happens twice that night: the first 02:30 counts: clocks go back'],
      ['2026-10-26T02:30+01:00'],
    ];
    const daily = schedule({ startDate: '2026-01-01T02:30:00', timezone: 'Europe/Berlin' });
    expect(noted(daily, { after: '2026-10-24T12:00:00Z', count: 2 })).toEqual(expected);
    expect(noted(cron('30 2 * * *', 'Europe/Berlin'), { after: '2026-10-24T12:00:00Z', count: 2 })).toEqual(expected);
  });

  it('that the second counts when the start names it', () => {
    const once = schedule({ scheduleType: 'once', startDate: '2026-10-25T01:30:00Z', timezone: 'Europe/Berlin' });
    expect(noted(once, { after: '2026-10-24T12:00:00Z' })).toEqual([
      ['2026-10-25T02:30+01:00', 'happens twice that night: the second 02:30 counts: clocks go back'],
    ]);
  });

  it('that both count in a range of hours', () => {
    const both = `happens twice that night: both 01:15 count: clocks go back, and ${elapses}`;
    expect(noted(cron('15 0-3 * * *', 'Europe/London'), { after: '2026-10-25T00:00:00Z', count: 2 })).toEqual([
      ['2026-10-25T01:15+01:00', both],
      ['2026-10-25T01:15+00:00', both],
    ]);
  });

  it('that both count when it follows elapsed time', () => {
    const both = `happens twice that night: both 02:00 count: clocks go back, and ${elapses}`;
    expect(noted(cron('0 * * * *', 'Europe/Berlin'), { after: '2026-10-24T23:00:00Z' })).toEqual([
      ['2026-10-25T02:00+02:00', both],
      ['2026-10-25T02:00+01:00', both],
      ['2026-10-25T03:00+01:00'],
    ]);
  });
});

describe('at the end of a month, a monthly occurrence says', () => {
  it.each([
    ['31', '2026-04-30', 'moved from the 31st: the month has 30 days'],
    ['30', '2026-02-28', 'moved from the 30th: the month has 28 days'],
    ['29', '2026-02-28', 'moved from the 29th: the month has 28 days'],
    ['30', '2028-02-29', 'moved from the 30th: the month has 29 days'],
  ])('that it would be on day %s (%s)', (day, on, note) => {
    const monthly = schedule({ scheduleType: 'monthly', startDate: `2026-01-${day}T09:00:00` });
    expect(noted(monthly, { after: `${on}T00:00:00Z`, count: 1 })).toEqual([[`${on}T09:00+00:00`, note]]);
  });

  it('nothing when the month is long enough', () => {
    const monthly = schedule({ scheduleType: 'monthly', startDate: '2028-01-29T09:00:00' });
    expect(noted(monthly, { after: '2028-02-01T00:00:00Z', count: 2 })).toEqual([
      ['2028-02-29T09:00+00:00'],
      ['2028-03-29T09:00+00:00'],
    ]);
  });

  it('both that the month is short and that clocks go forward', () => {
    const monthly = schedule({ scheduleType: 'monthly', startDate: '2010-01-31T00:30:00', timezone: 'Africa/Cairo' });
    expect(noted(monthly, { after: '2010-04-01T00:00:00Z', count: 1 })).toEqual([
      ['2010-04-30T01:30+03:00', 'moved from 00:30: clocks go forward', 'moved from the 31st: the month has 30 days'],
    ]);
  });
});

it('an event has no notes', () => {
  const event = ScheduleConfig.parse({ type: 'event-based', eventTrigger: 'user_signup' });
  expect(notesOf(event, Temporal.Instant.from('2026-03-29T01:30:00Z'))).toEqual([]);
});

describe('over many schedules and clock changes', () => {
  const zones = ['Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe', 'Antarctica/Troll', 'America/Nuuk'];
  const anySchedule = fc
    .record({
      scheduleType: fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const),
      day: fc.integer({ min: 1, max: 31 }),
      hour: fc.constantFrom(0, 1, 2, 3, 9, 23),
      minute: fc.integer({ min: 0, max: 59 }),
      timezone: fc.constantFrom(...zones),
    })
    .map(({ day, hour, minute, ...config }) =>
      schedule({ ...config, startDate: new Date(Date.UTC(2025, 0, day, hour, minute)).toISOString().slice(0, 19) }),
    );

  it('an occurrence has a note of being moved exactly when it is not at the wall time and day of its start', () => {
    fc.assert(
      fc.property(anySchedule, (config) => {
        const start = Temporal.PlainDateTime.from(config.startDate ?? '');
        for (const at of occurrences(config, { after: Temporal.Instant.from('2025-01-01T00:00:00Z'), count: 400 })) {
          const local = at.toZonedDateTimeISO(config.timezone);
          const isSameTime = local.toPlainTime().equals(start.toPlainTime());
          const isSameDay = config.scheduleType !== 'monthly' || local.day === start.day;
          const moved = notesOf(config, at).filter((note) => note.startsWith('moved'));
          expect(moved.length > 0).toBe(!isSameTime || !isSameDay);
        }
      }),
      { seed: 20_261_120, numRuns: 40 },
    );
  });
});
