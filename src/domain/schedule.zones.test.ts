import { describe, expect, it } from 'vitest';
import { ScheduleConfig } from '#contract/schedules.ts';
import { occurrences } from '#domain/schedule.ts';

/** The next occurrences as wall time with offset, to the minute. */
function wallTimes(config: Partial<ScheduleConfig>, { after, count = 3 }: { after: string; count?: number }): string[] {
  const schedule = ScheduleConfig.parse({ type: 'scheduled', scheduleType: 'daily', ...config });
  return occurrences(schedule, { after: Temporal.Instant.from(after), count }).map((instant) =>
    instant.toZonedDateTimeISO(schedule.timezone).toString({ timeZoneName: 'never', smallestUnit: 'minute' }),
  );
}

const cron = (customCron: string, timezone: string): Partial<ScheduleConfig> => ({
  scheduleType: 'custom',
  customCron,
  timezone,
});

describe('where clocks go forward', () => {
  const missing = [
    ['daily', { startDate: '2026-01-01T02:30:00', timezone: 'Europe/Berlin' }],
    ['cron', cron('30 2 * * *', 'Europe/Berlin')],
  ] as const;

  it.each(missing)('a %s time that is not there comes later by the gap, and the day after is back', (_, config) => {
    expect(wallTimes(config, { after: '2026-03-28T00:00:00Z' })).toEqual([
      '2026-03-28T02:30+01:00',
      '2026-03-29T03:30+02:00',
      '2026-03-30T02:30+02:00',
    ]);
  });

  it('a start that is not there does not drag the later days along', () => {
    for (const scheduleType of ['daily', 'weekly', 'monthly'] as const) {
      const found = wallTimes(
        { scheduleType, startDate: '2026-03-29T02:30:00', timezone: 'Europe/Berlin' },
        { after: '2026-03-01T00:00:00Z', count: 2 },
      );
      expect(found[0]).toBe('2026-03-29T03:30+02:00');
      expect(found[1]).toMatch(/T02:30\+02:00$/);
    }
  });

  it('Lord Howe moves by half an hour only', () => {
    const expected = ['2026-10-03T02:15+10:30', '2026-10-04T02:45+11:00', '2026-10-05T02:15+11:00'];
    const daily = { startDate: '2026-01-01T02:15:00', timezone: 'Australia/Lord_Howe' };
    expect(wallTimes(daily, { after: '2026-10-02T12:00:00Z' })).toEqual(expected);
    expect(wallTimes(cron('15 2 * * *', 'Australia/Lord_Howe'), { after: '2026-10-02T12:00:00Z' })).toEqual(expected);
  });

  it('Santiago has no midnight on that day', () => {
    const expected = ['2026-09-05T00:00-04:00', '2026-09-06T01:00-03:00', '2026-09-07T00:00-03:00'];
    const daily = { startDate: '2026-01-01T00:00:00', timezone: 'America/Santiago' };
    expect(wallTimes(daily, { after: '2026-09-04T12:00:00Z' })).toEqual(expected);
    expect(wallTimes(cron('@daily', 'America/Santiago'), { after: '2026-09-04T12:00:00Z' })).toEqual(expected);
  });

  it('an end date on the day before includes that day only, though the next begins at 01:00', () => {
    const daily = { startDate: '2026-01-01T00:00:00', endDate: '2026-09-05T00:00:00', timezone: 'America/Santiago' };
    expect(wallTimes(daily, { after: '2026-09-04T12:00:00Z' })).toEqual(['2026-09-05T00:00-04:00']);
  });

  it('Apia skipped the 30th of December 2011: its occurrence and the next fall together and count once', () => {
    const expected = ['2011-12-29T09:00-10:00', '2011-12-31T09:00+14:00', '2012-01-01T09:00+14:00'];
    const daily = { startDate: '2011-12-01T09:00:00', timezone: 'Pacific/Apia' };
    expect(wallTimes(daily, { after: '2011-12-29T12:00:00Z' })).toEqual(expected);
    expect(wallTimes(cron('0 9 * * *', 'Pacific/Apia'), { after: '2011-12-29T12:00:00Z' })).toEqual(expected);
  });

  it('what was due only on the day that Apia skipped comes a day later', () => {
    const weekly = { scheduleType: 'weekly', startDate: '2011-12-23T09:00:00', timezone: 'Pacific/Apia' } as const;
    expect(wallTimes(weekly, { after: '2011-12-24T12:00:00Z', count: 2 })).toEqual([
      '2011-12-31T09:00+14:00',
      '2012-01-06T09:00+14:00',
    ]);
    expect(wallTimes(cron('0 9 30 12 *', 'Pacific/Apia'), { after: '2011-12-24T12:00:00Z', count: 2 })).toEqual([
      '2011-12-31T09:00+14:00',
      '2012-12-30T09:00+14:00',
    ]);
  });
});

describe('where clocks go back', () => {
  const ambiguous = [
    ['daily', { startDate: '2026-01-01T02:30:00', timezone: 'Europe/Berlin' }],
    ['cron', cron('30 2 * * *', 'Europe/Berlin')],
  ] as const;

  it.each(ambiguous)('a %s time that comes twice is taken once, the first time', (_, config) => {
    const expected = ['2026-10-25T02:30+02:00', '2026-10-26T02:30+01:00'];
    expect(wallTimes(config, { after: '2026-10-24T12:00:00Z', count: 2 })).toEqual(expected);
    // Asked between the two.
    expect(wallTimes(config, { after: '2026-10-25T01:00:00Z', count: 1 })).toEqual(expected.slice(1));
  });

  it('Santiago has the last hour of the day before twice', () => {
    const daily = { startDate: '2026-01-01T23:30:00', timezone: 'America/Santiago' };
    expect(wallTimes(daily, { after: '2026-04-04T12:00:00Z', count: 2 })).toEqual([
      '2026-04-04T23:30-03:00',
      '2026-04-05T23:30-04:00',
    ]);
  });

  it('Lord Howe repeats half an hour', () => {
    const daily = { startDate: '2026-01-01T01:45:00', timezone: 'Australia/Lord_Howe' };
    expect(wallTimes(daily, { after: '2026-04-04T12:00:00Z', count: 2 })).toEqual([
      '2026-04-05T01:45+11:00',
      '2026-04-06T01:45+10:30',
    ]);
  });

  it('a recurring start named as the second of two times begins there and then takes the first ones', () => {
    const daily = { startDate: '2026-10-25T01:30:00Z', timezone: 'Europe/Berlin' };
    expect(wallTimes(daily, { after: '2026-10-25T00:00:00Z', count: 2 })).toEqual([
      '2026-10-25T02:30+01:00',
      '2026-10-26T02:30+01:00',
    ]);
  });
});

describe('a cron expression on the days when clocks change', () => {
  it('fires every 15 elapsed minutes through both changes', () => {
    for (const [timezone, change] of [
      ['Europe/Berlin', '2026-03-29T01:00:00Z'],
      ['Europe/Berlin', '2026-10-25T01:00:00Z'],
      ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
      ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
    ] as const) {
      const start = Temporal.Instant.from(change).subtract({ hours: 3 });
      const config = ScheduleConfig.parse({ type: 'scheduled', ...cron('*/15 * * * *', timezone) });
      const found = occurrences(config, { after: start, count: 24 });
      expect(found).toEqual(found.map((_, index) => start.add({ minutes: 15 * (index + 1) })));
    }
  });

  it('fires each of several fixed times once', () => {
    expect(wallTimes(cron('0,30 2,14 * * *', 'Europe/Berlin'), { after: '2026-03-29T00:00:00Z', count: 5 })).toEqual([
      '2026-03-29T03:00+02:00',
      '2026-03-29T03:30+02:00',
      '2026-03-29T14:00+02:00',
      '2026-03-29T14:30+02:00',
      '2026-03-30T02:00+02:00',
    ]);
    expect(wallTimes(cron('30 2,14 * * *', 'Europe/Berlin'), { after: '2026-10-24T22:00:00Z' })).toEqual([
      '2026-10-25T02:30+02:00',
      '2026-10-25T14:30+01:00',
      '2026-10-26T02:30+01:00',
    ]);
  });

  it('fires once where a moved time meets one that is named anyway', () => {
    expect(wallTimes(cron('30 2,3 * * *', 'Europe/Berlin'), { after: '2026-03-29T00:00:00Z', count: 2 })).toEqual([
      '2026-03-29T03:30+02:00',
      '2026-03-30T02:30+02:00',
    ]);
  });

  it('loses no time that a moved one overtakes', () => {
    expect(wallTimes(cron('10,35 2 * * *', 'Australia/Lord_Howe'), { after: '2026-10-03T12:00:00Z' })).toEqual([
      '2026-10-04T02:35+11:00',
      '2026-10-04T02:40+11:00',
      '2026-10-05T02:10+11:00',
    ]);
  });

  it('with wildcards skips an hour that is not there and runs through a repeated one twice', () => {
    expect(wallTimes(cron('*/30 2 * * *', 'Europe/Berlin'), { after: '2026-03-29T00:00:00Z', count: 1 })).toEqual([
      '2026-03-30T02:00+02:00',
    ]);
    expect(wallTimes(cron('*/30 2 * * *', 'Europe/Berlin'), { after: '2026-10-24T22:00:00Z', count: 4 })).toEqual([
      '2026-10-25T02:00+02:00',
      '2026-10-25T02:30+02:00',
      '2026-10-25T02:00+01:00',
      '2026-10-25T02:30+01:00',
    ]);
  });
});
