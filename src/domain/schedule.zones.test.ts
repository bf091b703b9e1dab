import { describe, expect, it } from 'vitest';
import { ScheduleConfig } from '#contract/schedules.ts';
import { occurrences } from '#domain/schedule.ts';
import { sample } from '#testing/sample.ts';

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

  it.each(missing)('a %s time that does not exist comes later by the gap, and the next day is normal', (_, config) => {
    expect(wallTimes(config, { after: '2026-03-28T00:00:00Z' })).toEqual([
      '2026-03-28T02:30+01:00',
      '2026-03-29T03:30+02:00',
      '2026-03-30T02:30+02:00',
    ]);
  });

  it('a start that does not exist does not move the later days', () => {
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

  it('Troll moves by two hours', () => {
    const expected = ['2026-03-28T01:30+00:00', '2026-03-29T03:30+02:00', '2026-03-30T01:30+02:00'];
    const daily = { startDate: '2026-01-01T01:30:00', timezone: 'Antarctica/Troll' };
    expect(wallTimes(daily, { after: '2026-03-28T00:00:00Z' })).toEqual(expected);
    expect(wallTimes(cron('30 1 * * *', 'Antarctica/Troll'), { after: '2026-03-28T00:00:00Z' })).toEqual(expected);
  });

  it('Chatham changes at a quarter to three', () => {
    const expected = ['2026-09-26T03:00+12:45', '2026-09-27T04:00+13:45', '2026-09-28T03:00+13:45'];
    const daily = { startDate: '2026-01-01T03:00:00', timezone: 'Pacific/Chatham' };
    expect(wallTimes(daily, { after: '2026-09-25T12:00:00Z' })).toEqual(expected);
    expect(wallTimes(cron('0 3 * * *', 'Pacific/Chatham'), { after: '2026-09-25T12:00:00Z' })).toEqual(expected);
    expect(wallTimes({ ...daily, startDate: '2026-01-01T02:44:00' }, { after: '2026-09-26T12:00:00Z' })[0]).toBe(
      '2026-09-27T02:44+12:45',
    );
  });

  it('Nuuk loses the last hour of the day, and its occurrences come after midnight', () => {
    const expected = ['2025-03-28T23:30-02:00', '2025-03-30T00:30-01:00', '2025-03-30T23:30-01:00'];
    const daily = { startDate: '2025-01-01T23:30:00', timezone: 'America/Nuuk' };
    expect(wallTimes(daily, { after: '2025-03-28T12:00:00Z' })).toEqual(expected);
    expect(wallTimes(cron('30 23 * * *', 'America/Nuuk'), { after: '2025-03-28T12:00:00Z' })).toEqual(expected);
    // That day's occurrence is after the end.
    expect(wallTimes({ ...daily, endDate: '2025-03-29T00:00:00' }, { after: '2025-03-28T12:00:00Z' })).toEqual([
      '2025-03-28T23:30-02:00',
    ]);
  });

  it('Casablanca does so when Ramadan is over', () => {
    const expected = ['2025-04-05T02:30+00:00', '2025-04-06T03:30+01:00', '2025-04-07T02:30+01:00'];
    const daily = { startDate: '2025-01-01T02:30:00', timezone: 'Africa/Casablanca' };
    expect(wallTimes(daily, { after: '2025-04-05T00:00:00Z' })).toEqual(expected);
    expect(wallTimes(cron('30 2 * * *', 'Africa/Casablanca'), { after: '2025-04-05T00:00:00Z' })).toEqual(expected);
  });

  it('an end date on the day before includes that day only, though the next begins at 01:00', () => {
    const daily = { startDate: '2026-01-01T00:00:00', endDate: '2026-09-05T00:00:00', timezone: 'America/Santiago' };
    expect(wallTimes(daily, { after: '2026-09-04T12:00:00Z' })).toEqual(['2026-09-05T00:00-04:00']);
  });

  it('Apia skipped the 30th of December 2011: its occurrence and the next become one', () => {
    const expected = ['2011-12-29T09:00-10:00', '2011-12-31T09:00+14:00', '2012-01-01T09:00+14:00'];
    const daily = { startDate: '2011-12-01T09:00:00', timezone: 'Pacific/Apia' };
    expect(wallTimes(daily, { after: '2011-12-29T12:00:00Z' })).toEqual(expected);
    expect(wallTimes(cron('0 9 * * *', 'Pacific/Apia'), { after: '2011-12-29T12:00:00Z' })).toEqual(expected);
  });

  it('an occurrence that was due only on the day that Apia skipped comes a day later', () => {
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

  it.each(ambiguous)('a %s time that comes twice counts once, the first time', (_, config) => {
    const expected = ['2026-10-25T02:30+02:00', '2026-10-26T02:30+01:00'];
    expect(wallTimes(config, { after: '2026-10-24T12:00:00Z', count: 2 })).toEqual(expected);
    // From between the two.
    expect(wallTimes(config, { after: '2026-10-25T01:00:00Z', count: 1 })).toEqual(expected.slice(1));
  });

  it('Santiago has the last hour of the day before twice', () => {
    const daily = { startDate: '2026-01-01T23:30:00', timezone: 'America/Santiago' };
    expect(wallTimes(daily, { after: '2026-04-04T12:00:00Z', count: 2 })).toEqual([
      '2026-04-04T23:30-03:00',
      '2026-04-05T23:30-04:00',
    ]);
  });

  it('Casablanca does so for Ramadan, Troll by two hours, Chatham at a quarter to four, Havana at midnight', () => {
    const around = (timezone: string, { time, day }: { time: string; day: string }) => {
      const [hour, minute] = time.split(':').map(Number);
      const options = {
        after: Temporal.PlainDate.from(day).toZonedDateTime(timezone).toInstant().toString(),
        count: 2,
      };
      const daily = wallTimes({ startDate: `2024-01-01T${time}:00`, timezone }, options);
      expect(wallTimes(cron(`${minute} ${hour} * * *`, timezone), options)).toEqual(daily);
      return daily;
    };
    expect(around('Africa/Casablanca', { time: '02:30', day: '2025-02-23' })).toEqual([
      '2025-02-23T02:30+01:00',
      '2025-02-24T02:30+00:00',
    ]);
    expect(around('Antarctica/Troll', { time: '01:15', day: '2026-10-25' })).toEqual([
      '2026-10-25T01:15+02:00',
      '2026-10-26T01:15+00:00',
    ]);
    expect(around('Pacific/Chatham', { time: '03:00', day: '2026-04-05' })).toEqual([
      '2026-04-05T03:00+13:45',
      '2026-04-06T03:00+12:45',
    ]);
    expect(around('America/Havana', { time: '00:30', day: '2025-11-02' })).toEqual([
      '2025-11-02T00:30-04:00',
      '2025-11-03T00:30-05:00',
    ]);
  });

  it('Lord Howe repeats half an hour', () => {
    const daily = { startDate: '2026-01-01T01:45:00', timezone: 'Australia/Lord_Howe' };
    expect(wallTimes(daily, { after: '2026-04-04T12:00:00Z', count: 2 })).toEqual([
      '2026-04-05T01:45+11:00',
      '2026-04-06T01:45+10:30',
    ]);
  });

  it('a recurring start given as the second of two times begins there and then uses the first ones', () => {
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

  it('fires once when a moved time meets another matching time', () => {
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

  it('with wildcards skips an hour that does not exist and runs through a repeated one twice', () => {
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

  it('with wildcards finds the repeated hour of one day in the year, from any start', () => {
    const yearly = cron('*/30 2 25 10 *', 'Europe/Berlin');
    const twice = ['02:00+02:00', '02:30+02:00', '02:00+01:00', '02:30+01:00'].map((time) => `2026-10-25T${time}`);
    for (const after of ['2025-10-26T00:00:00Z', '2026-10-01T00:00:00Z', '2026-10-24T23:59:00Z'])
      expect(wallTimes(yearly, { after, count: 5 })).toEqual([...twice, '2027-10-25T02:00+02:00']);
    expect(wallTimes(yearly, { after: '2026-10-25T00:45:00Z', count: 3 })).toEqual([
      ...twice.slice(2),
      '2027-10-25T02:00+02:00',
    ]);
  });
});

describe('every zone', () => {
  const oldNames =
    'US/Eastern US/Pacific Canada/Newfoundland Brazil/East Chile/EasterIsland Mexico/General Cuba Jamaica Navajo GB Eire ' +
    'Portugal Poland Turkey W-SU Israel Egypt Libya Iran Japan PRC ROC ROK Hongkong Singapore NZ NZ-CHAT Kwajalein Zulu ' +
    'UCT Universal Greenwich GMT GMT0 GMT+0 Etc/GMT+12 Etc/GMT-14 EST EST5EDT MST7MDT PST8PDT CET MET EET WET HST ' +
    'Asia/Calcutta Asia/Katmandu Asia/Saigon Asia/Rangoon Asia/Dacca Europe/Kiev Europe/Nicosia Atlantic/Faeroe ' +
    'America/Buenos_Aires America/Indianapolis America/Godthab Pacific/Enderbury Pacific/Samoa Australia/ACT Antarctica/South_Pole';

  it('of today and of old keeps wall-clock time through ten years, daily and by cron alike', () => {
    const all = [...Intl.supportedValuesOf('timeZone'), ...oldNames.split(' ')];
    expect(all.length).toBeGreaterThan(400);
    const zones = sample.draw([...new Set(all)], { name: 'zones' });
    const onlyCron = { startDate: undefined, scheduleType: 'custom', customCron: '30 2 29 * *' } as const;
    for (const timezone of zones) {
      const monthly = { scheduleType: 'monthly', startDate: '2020-01-29T02:30:00', timezone } as const;
      const found = wallTimes(monthly, { after: '2020-01-01T00:00:00Z', count: 120 });
      const inLongMonths = found.filter((text) => !/-02-28T/.test(text));
      const byCron = wallTimes(
        { ...onlyCron, timezone },
        { after: '2020-01-01T00:00:00Z', count: inLongMonths.length },
      );
      expect([timezone, byCron]).toEqual([timezone, inLongMonths]);
      const moved = found.filter((text) => !/(-29|-02-28)T02:30/.test(text));
      expect([timezone, moved.length <= 4]).toEqual([timezone, true]);
    }
  });
});
