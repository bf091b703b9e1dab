import { describe, expect, it } from 'vitest';
import { ScheduleConfig } from '#contract/schedules.ts';
import { latestOccurrence } from '#domain/schedule.ts';

const at = (text: string) => Temporal.Instant.from(text);

const schedule = (config: Partial<ScheduleConfig>): ScheduleConfig =>
  ScheduleConfig.parse({ type: 'scheduled', scheduleType: 'daily', ...config });

describe('the newest missed occurrence', () => {
  const latest = (config: ScheduleConfig, { after, until }: { after: string; until: string }) =>
    latestOccurrence(config, { after: at(after), until: at(until) })?.toString() ?? null;
  const daily = schedule({ startDate: '2020-01-01T09:00:00' });

  it('is none when nothing came due, and counts one due at the very end but not at the very beginning', () => {
    expect(latest(daily, { after: '2026-11-20T09:00:00Z', until: '2026-11-21T08:59:59Z' })).toBeNull();
    expect(latest(daily, { after: '2026-11-20T09:00:00Z', until: '2026-11-21T09:00:00Z' })).toBe(
      '2026-11-21T09:00:00Z',
    );
    expect(latest(daily, { after: '2026-11-20T09:00:00Z', until: '2026-11-20T09:00:00Z' })).toBeNull();
  });

  it('is the last of many after a long downtime', () => {
    expect(latest(daily, { after: '2024-01-01T09:00:00Z', until: '2026-11-20T08:00:00Z' })).toBe(
      '2026-11-19T09:00:00Z',
    );
    const monthly = schedule({ scheduleType: 'monthly', startDate: '2020-01-31T09:00:00' });
    expect(latest(monthly, { after: '2020-01-31T09:00:00Z', until: '2026-03-30T08:00:00Z' })).toBe(
      '2026-02-28T09:00:00Z',
    );
  });

  it('stops at the end date', () => {
    const ended = { ...daily, endDate: '2025-03-01T00:00:00' };
    expect(latest(ended, { after: '2024-01-01T09:00:00Z', until: '2026-11-20T08:00:00Z' })).toBe(
      '2025-03-01T09:00:00Z',
    );
  });

  it('of a schedule of every minute in January is found in March as well', () => {
    const january = schedule({ scheduleType: 'custom', customCron: '* * * 1 *' });
    expect(latest(january, { after: '2026-01-01T00:00:00Z', until: '2026-03-31T00:00:00Z' })).toBe(
      '2026-01-31T23:59:00Z',
    );
  });
});
