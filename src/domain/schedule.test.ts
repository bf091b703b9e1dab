import { describe, expect, it } from 'vitest';
import { ScheduleConfig } from '#contract/schedules.ts';
import { firstOccurrence, nextOccurrence, occurrences } from '#domain/schedule.ts';

const at = (text: string) => Temporal.Instant.from(text);

const schedule = (config: Partial<ScheduleConfig>): ScheduleConfig =>
  ScheduleConfig.parse({ type: 'scheduled', scheduleType: 'daily', ...config });

/** The next occurrences as wall time with offset, to the minute. */
function wallTimes(config: ScheduleConfig, { after, count }: { after: string; count: number }): string[] {
  return occurrences(config, { after: at(after), count }).map((instant) =>
    instant.toZonedDateTimeISO(config.timezone).toString({ timeZoneName: 'never', smallestUnit: 'minute' }),
  );
}

const next = (config: ScheduleConfig, after: string) =>
  nextOccurrence(config, { after: at(after) })?.toString() ?? null;
const first = (config: ScheduleConfig, now: string) => firstOccurrence(config, { now: at(now) })?.toString() ?? null;

describe('a one-time schedule', () => {
  const once = schedule({ scheduleType: 'once', startDate: '2026-12-01T09:00:00', timezone: 'Europe/Berlin' });

  it('comes due once, at its start in its zone, and never again', () => {
    expect(wallTimes(once, { after: '2026-11-01T00:00:00Z', count: 5 })).toEqual(['2026-12-01T09:00+01:00']);
    expect(next(once, '2026-12-01T07:59:59.999Z')).toBe('2026-12-01T08:00:00Z');
    expect(next(once, '2026-12-01T08:00:00Z')).toBeNull();
  });

  it('is still sent when its start was missed by less than a day, and not after that', () => {
    expect(first(once, '2026-12-02T07:59:59.999Z')).toBe('2026-12-01T08:00:00Z');
    expect(first(once, '2026-12-02T08:00:00Z')).toBeNull();
  });

  it('means the exact instant when its start names one, also in the hour that comes twice', () => {
    const second = schedule({
      scheduleType: 'once',
      startDate: '2026-10-25T02:30:00+01:00',
      timezone: 'Europe/Berlin',
    });
    expect(next(second, '2026-10-24T00:00:00Z')).toBe('2026-10-25T01:30:00Z');
    const elsewhere = schedule({
      scheduleType: 'once',
      startDate: '2026-07-01T09:00:00-04:00',
      timezone: 'Asia/Tokyo',
    });
    expect(next(elsewhere, '2026-01-01T00:00:00Z')).toBe('2026-07-01T13:00:00Z');
  });

  it('does not come due after its end date', () => {
    expect(next({ ...once, endDate: '2026-11-30T00:00:00' }, '2026-11-01T00:00:00Z')).toBeNull();
    expect(next({ ...once, endDate: '2026-12-01T00:00:00' }, '2026-11-01T00:00:00Z')).toBe('2026-12-01T08:00:00Z');
  });
});

describe('a recurring schedule', () => {
  it('first comes due at its start, however far ahead that lies', () => {
    for (const scheduleType of ['daily', 'weekly', 'monthly'] as const)
      expect(next(schedule({ scheduleType, startDate: '2031-05-05T10:00:00' }), '2026-01-01T00:00:00Z')).toBe(
        '2031-05-05T10:00:00Z',
      );
  });

  it('goes on from now when its start lies in the past', () => {
    const now = '2026-11-20T12:00:00Z';
    const started = { startDate: '2016-01-04T09:00:00' };
    expect(first(schedule({ ...started, scheduleType: 'daily' }), now)).toBe('2026-11-21T09:00:00Z');
    expect(first(schedule({ ...started, scheduleType: 'weekly' }), now)).toBe('2026-11-23T09:00:00Z');
    expect(first(schedule({ ...started, scheduleType: 'monthly' }), now)).toBe('2026-12-04T09:00:00Z');
  });

  it('does not lose the occurrence that is due at this very moment', () => {
    const daily = schedule({ startDate: '2026-11-20T12:00:00' });
    expect(first(daily, '2026-11-20T12:00:00Z')).toBe('2026-11-20T12:00:00Z');
    expect(first(daily, '2026-11-20T12:00:00.000000700Z')).toBe('2026-11-20T12:00:00Z');
    expect(first(daily, '2026-11-20T12:00:00.001Z')).toBe('2026-11-21T12:00:00Z');
  });

  it('keeps its weekday from week to week', () => {
    const weekly = schedule({ scheduleType: 'weekly', startDate: '2026-02-23T09:00:00' });
    expect(wallTimes(weekly, { after: '2026-02-23T09:00:00Z', count: 2 })).toEqual([
      '2026-03-02T09:00+00:00',
      '2026-03-09T09:00+00:00',
    ]);
  });

  it.each([
    ['31', ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']],
    ['30', ['2026-01-30', '2026-02-28', '2026-03-30', '2026-04-30', '2026-05-30']],
    ['29', ['2026-01-29', '2026-02-28', '2026-03-29', '2026-04-29', '2026-05-29']],
  ])('on day %s of the month falls on the last day of shorter months and comes back', (day, days) => {
    const monthly = schedule({ scheduleType: 'monthly', startDate: `2026-01-${day}T09:00:00` });
    const found = wallTimes(monthly, { after: '2026-01-01T00:00:00Z', count: 5 });
    expect(found.map((text) => text.slice(0, 10))).toEqual(days);
  });

  it('includes leap days', () => {
    const monthly = schedule({ scheduleType: 'monthly', startDate: '2028-02-29T09:00:00' });
    expect(next(monthly, '2029-02-01T00:00:00Z')).toBe('2029-02-28T09:00:00Z');
    expect(next(monthly, '2032-02-01T00:00:00Z')).toBe('2032-02-29T09:00:00Z');
    expect(next(monthly, '2100-02-01T00:00:00Z')).toBe('2100-02-28T09:00:00Z');
    const daily = schedule({ startDate: '2028-02-27T09:00:00' });
    expect(wallTimes(daily, { after: '2028-02-28T00:00:00Z', count: 3 }).map((text) => text.slice(5, 10))).toEqual([
      '02-28',
      '02-29',
      '03-01',
    ]);
  });

  it('keeps the wall-clock time that an instant as start has in the zone', () => {
    const daily = schedule({ startDate: '2026-01-15T08:00:00Z', timezone: 'Europe/Berlin' });
    expect(next(daily, '2026-01-16T00:00:00Z')).toBe('2026-01-16T08:00:00Z');
    expect(next(daily, '2026-07-01T00:00:00Z')).toBe('2026-07-01T07:00:00Z');
  });

  it('still knows its times in the year 9000, and has none once years need five digits', () => {
    const monthly = schedule({ scheduleType: 'monthly', startDate: '2026-01-31T09:00:00', timezone: 'Europe/Berlin' });
    expect(wallTimes(monthly, { after: '9000-02-01T00:00:00Z', count: 1 })).toEqual(['9000-02-28T09:00+01:00']);
    const last = occurrences(monthly, { after: at('9998-11-01T00:00:00Z'), count: 100 }).at(-1);
    expect(last?.toString()).toBe('9999-11-30T08:00:00Z');
    const west = { startDate: '9998-01-01T23:00:00', endDate: '9999-12-31T00:00:00', timezone: 'Pacific/Pago_Pago' };
    expect(next(schedule(west), '9999-12-30T12:00:00Z')).toBeNull();
  });

  it('of a cron expression begins at its start, if that fits, and never before', () => {
    const cron = schedule({ scheduleType: 'custom', customCron: '0 9 * * *', startDate: '2031-05-05T09:00:00' });
    expect(next(cron, '2026-01-01T00:00:00Z')).toBe('2031-05-05T09:00:00Z');
    expect(next({ ...cron, startDate: '2031-05-05T09:00:01' }, '2026-01-01T00:00:00Z')).toBe('2031-05-06T09:00:00Z');
    expect(next(cron, '2032-01-01T00:00:00Z')).toBe('2032-01-01T09:00:00Z');
  });

  it('of an event has no occurrence of its own', () => {
    const event = ScheduleConfig.parse({ type: 'event-based', eventTrigger: 'user_signup' });
    expect(next(event, '2026-01-01T00:00:00Z')).toBeNull();
    expect(first(event, '2026-01-01T00:00:00Z')).toBeNull();
  });
});

describe('an end date', () => {
  const daily = schedule({ startDate: '2026-11-18T23:30:00', timezone: 'America/New_York' });

  it('includes its whole day in the zone, whatever time it carries', () => {
    for (const endDate of ['2026-11-20T00:00:00', '2026-11-20T23:59:59', '2026-11-20T23:00:00-05:00'])
      expect(wallTimes({ ...daily, endDate }, { after: '2026-11-19T12:00:00Z', count: 5 })).toEqual([
        '2026-11-19T23:30-05:00',
        '2026-11-20T23:30-05:00',
      ]);
  });

  it('given as an instant is the day that this instant has in the zone', () => {
    expect(
      wallTimes({ ...daily, endDate: '2026-11-20T03:00:00Z' }, { after: '2026-11-19T12:00:00Z', count: 5 }),
    ).toEqual(['2026-11-19T23:30-05:00']);
  });

  it('ends at midnight exactly: the occurrence at 00:00 of the next day is over', () => {
    const midnight = schedule({ startDate: '2026-11-18T00:00:00', endDate: '2026-11-20T00:00:00' });
    expect(next(midnight, '2026-11-19T00:00:00Z')).toBe('2026-11-20T00:00:00Z');
    expect(next(midnight, '2026-11-20T00:00:00Z')).toBeNull();
  });

  it('before the start leaves nothing', () => {
    expect(next({ ...daily, endDate: '2026-11-17T00:00:00' }, '2026-01-01T00:00:00Z')).toBeNull();
  });

  it('ends a cron schedule too', () => {
    const cron = schedule({ scheduleType: 'custom', customCron: '0 */6 * * *', endDate: '2026-11-20T00:00:00' });
    expect(next(cron, '2026-11-20T12:00:00Z')).toBe('2026-11-20T18:00:00Z');
    expect(next(cron, '2026-11-20T18:00:00Z')).toBeNull();
  });
});
