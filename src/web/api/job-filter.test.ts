import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseArchived, chooseStatus, chooseTime, JobFilter, rangeOf, sortOf, statusOf } from './job-filter.ts';

let zoneBefore: string | undefined;
beforeEach(() => {
  zoneBefore = process.env.TZ;
});
afterEach(() => {
  if (zoneBefore === undefined) delete process.env.TZ;
  else process.env.TZ = zoneBefore;
});

const viewedFrom = (zone: string) => {
  process.env.TZ = zone;
};

describe('the time filter of the Job Scheduler', () => {
  it('begins and ends a day at midnight in the viewer’s zone', () => {
    const now = new Date('2026-11-20T23:30:00Z');
    viewedFrom('Europe/Berlin');
    expect(rangeOf('today', now)).toEqual({ from: '2026-11-20T23:00:00.000Z', to: '2026-11-21T23:00:00.000Z' });
    viewedFrom('America/New_York');
    expect(rangeOf('today', now)).toEqual({ from: '2026-11-20T05:00:00.000Z', to: '2026-11-21T05:00:00.000Z' });
  });

  it('reaches back over days and months, and over any days with the last one among them', () => {
    viewedFrom('Europe/Berlin');
    const now = new Date('2026-03-30T12:00:00Z');
    expect(rangeOf('yesterday', now)).toEqual({ from: '2026-03-28T23:00:00.000Z', to: '2026-03-29T22:00:00.000Z' });
    expect(rangeOf('last-7-days', now)).toEqual({ from: '2026-03-23T23:00:00.000Z', to: '2026-03-30T22:00:00.000Z' });
    expect(rangeOf('last-30-days', now)).toEqual({ from: '2026-02-28T23:00:00.000Z', to: '2026-03-30T22:00:00.000Z' });
    expect(rangeOf('this-month', now)).toEqual({ from: '2026-02-28T23:00:00.000Z', to: '2026-03-31T22:00:00.000Z' });
    expect(rangeOf('last-month', now)).toEqual({ from: '2026-01-31T23:00:00.000Z', to: '2026-02-28T23:00:00.000Z' });
    const days = { from: '2026-02-01', to: '2026-02-03' };
    expect(rangeOf('dates', now, days)).toEqual({ from: '2026-01-31T23:00:00.000Z', to: '2026-02-03T23:00:00.000Z' });
    expect(rangeOf('dates', now, {})).toEqual({});
    expect(JobFilter.parse({ time: 'dates', from: '2026-02-30', to: '2026-02-03' })).toEqual({
      time: 'dates',
      from: undefined,
      to: '2026-02-03',
    });
  });

  it('makes a day an hour shorter or longer when clocks change', () => {
    viewedFrom('Europe/Berlin');
    expect(rangeOf('tomorrow', new Date('2027-03-27T12:00:00Z'))).toEqual({
      from: '2027-03-27T23:00:00.000Z',
      to: '2027-03-28T22:00:00.000Z',
    });
    expect(rangeOf('today', new Date('2027-10-31T12:00:00Z'))).toEqual({
      from: '2027-10-30T22:00:00.000Z',
      to: '2027-10-31T23:00:00.000Z',
    });
  });

  it.each([
    // When clocks go forward at midnight, the day starts at 01:00.
    ['America/Santiago', '2026-09-06T15:00:00Z', '2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z', 23],
    ['Africa/Cairo', '2026-04-24T09:00:00Z', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z', 23],
    // When clocks go back over midnight, midnight occurs twice and the day starts at the first.
    ['America/Havana', '2026-11-01T15:00:00Z', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z', 25],
    ['Australia/Lord_Howe', '2026-10-04T01:00:00Z', '2026-10-03T13:30:00.000Z', '2026-10-04T13:00:00.000Z', 23.5],
  ])('begins a day in %s at its first instant when clocks change at midnight', (zone, now, from, to, hours) => {
    viewedFrom(zone);
    expect(rangeOf('today', new Date(now))).toEqual({ from, to });
    expect((Date.parse(to) - Date.parse(from)) / 3_600_000).toBe(hours);
  });

  it('separates days without a gap or an overlap at every clock change', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'America/Santiago', 'America/Havana', 'Africa/Cairo', 'Pacific/Apia']) {
      viewedFrom(zone);
      for (let day = 0; day < 366; day += 1) {
        const now = new Date(Date.UTC(2026, 0, 1, 12) + day * 86_400_000);
        const [today, tomorrow] = [rangeOf('today', now), rangeOf('tomorrow', now)];
        const week = rangeOf('next-7-days', now);
        expect(tomorrow.from, `${zone} ${now.toISOString()}`).toBe(today.to);
        expect(week.from).toBe(today.from);
        expect(week.to).toBe(rangeOf('today', new Date(now.getFullYear(), now.getMonth(), now.getDate() + 7, 12)).to);
      }
    }
  });

  it('counts the next 7 days up to a day difference of seven, so that a weekly job is among them', () => {
    viewedFrom('UTC');
    const { from = '', to = '' } = rangeOf('next-7-days', new Date('2026-11-20T09:00:00Z'));
    expect({ from, to }).toEqual({ from: '2026-11-20T00:00:00.000Z', to: '2026-11-28T00:00:00.000Z' });
    expect('2026-11-27T09:00:00.000Z' < to).toBe(true);
  });

  it('counts a job as past due when it is still pending after its time', () => {
    const now = new Date('2026-11-20T09:00:00.123Z');
    expect(rangeOf('past-due', now)).toEqual({ to: '2026-11-20T09:00:00.123Z' });
    expect(statusOf({ time: 'past-due', status: 'failed' })).toBe('pending');
  });

  it('asks for all jobs without a filter', () => {
    expect(rangeOf(undefined, new Date())).toEqual({});
    expect(statusOf({})).toBe('all');
  });

  it('ignores URL parameters that are not filters', () => {
    expect(JobFilter.parse({ status: 'lost', time: 'someday', archived: 'maybe', search: '2041' })).toEqual({
      search: '2041',
    });
  });
});

describe('a choice among the filters of the Job Scheduler', () => {
  it('drops the archive filter for jobs that are never archived, and the reverse', () => {
    const archived = 'only';
    expect(chooseStatus({ archived }, 'failed')).toEqual({ status: 'failed', archived: undefined });
    expect(chooseStatus({ archived }, 'completed')).toEqual({ status: 'completed' });
    expect(chooseStatus({ archived }, undefined)).toEqual({ status: undefined });
    expect(chooseTime({ archived }, 'past-due')).toEqual({ time: 'past-due', status: undefined, archived: undefined });
    expect(chooseTime({ archived }, 'today')).toEqual({ time: 'today' });
    expect(chooseArchived({ status: 'failed', time: 'past-due' }, archived)).toEqual({
      archived,
      status: undefined,
      time: undefined,
    });
    expect(chooseArchived({ status: 'failed', time: 'past-due' }, 'with')).toEqual({ archived: 'with' });
  });

  it('drops the past-due filter for any status but pending', () => {
    expect(chooseStatus({ time: 'past-due' }, 'failed')).toEqual({ status: 'failed', time: undefined });
    expect(chooseStatus({ time: 'past-due' }, 'pending')).toEqual({ status: 'pending' });
  });
});

it('sorts jobs that lie ahead by their time, and all others with the newest first', () => {
  for (const ahead of [
    { status: 'pending' },
    { status: 'paused' },
    { time: 'past-due' },
    { time: 'tomorrow' },
    { time: 'next-7-days' },
  ] as const)
    expect(sortOf(JobFilter.parse(ahead))).toBe('soonest');
  for (const other of [{}, { status: 'failed' }, { time: 'today' }, { time: 'last-7-days' }] as const)
    expect(sortOf(JobFilter.parse(other))).toBe('newest');
});
