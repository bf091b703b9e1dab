import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ScheduleConfig } from '#contract/schedules.ts';
import { recentOccurrence } from '#domain/catch-up.ts';
import { nextOccurrence, occurrences } from '#domain/schedule.ts';

const at = (text: string) => Temporal.Instant.from(text);
const schedule = (config: Partial<ScheduleConfig>): ScheduleConfig =>
  ScheduleConfig.parse({ type: 'scheduled', scheduleType: 'daily', ...config });

describe('catching up', () => {
  const daily = schedule({ startDate: '2020-01-01T09:00:00' });
  const from = (config: ScheduleConfig, window: { after: string; until: string; limit?: number }) =>
    recentOccurrence(config, { limit: 100, ...window, after: at(window.after), until: at(window.until) })?.toString() ??
    null;

  it('begins with the very next occurrence as long as there are not too many', () => {
    const window = { after: '2026-03-02T09:00:00Z', until: '2026-03-07T12:00:00Z' };
    expect(from(daily, window)).toBe('2026-03-03T09:00:00Z');
    expect(from(daily, { ...window, limit: 5 })).toBe('2026-03-03T09:00:00Z');
  });

  it('leaves out the oldest where there are too many', () => {
    const window = { after: '2026-03-02T09:00:00Z', until: '2026-03-07T12:00:00Z' };
    expect(from(daily, { ...window, limit: 4 })).toBe('2026-03-04T09:00:00Z');
    expect(from(daily, { ...window, limit: 1 })).toBe('2026-03-07T09:00:00Z');
  });

  it('includes an occurrence at the very end, and excludes one at the very beginning', () => {
    const window = { after: '2026-03-02T09:00:00Z', until: '2026-03-03T09:00:00Z' };
    expect(from(daily, window)).toBe('2026-03-03T09:00:00Z');
    expect(from(daily, { ...window, until: '2026-03-03T08:59:59.999Z' })).toBeNull();
    expect(from(daily, { ...window, until: window.after })).toBeNull();
  });

  it('finds the last hundred minutes of a year of downtime', () => {
    const minutes = schedule({ scheduleType: 'custom', customCron: '* * * * *' });
    expect(from(minutes, { after: '2025-03-02T09:00:00Z', until: '2026-03-02T09:00:30Z' })).toBe(
      '2026-03-02T07:21:00Z',
    );
  });

  it('finds occurrences far back when the schedule has ended since', () => {
    const ended = schedule({ startDate: '2020-01-01T09:00:00', endDate: '2020-03-31T00:00:00' });
    const window = { after: '2020-01-01T09:00:00Z', until: '2026-03-02T09:00:00Z' };
    expect(from(ended, { ...window, limit: 2 })).toBe('2020-03-30T09:00:00Z');
    expect(from(ended, { ...window, after: '2020-03-31T09:00:00Z' })).toBeNull();
  });

  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'];
  const steps = fc.record({
    scheduleType: fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const),
    startDate: fc.constantFrom('2025-10-25T02:30:00', '2026-01-31T09:00:00', '2026-03-28T23:59:00'),
    timezone: fc.constantFrom(...zones),
  });
  const crons = fc.record({
    scheduleType: fc.constant('custom' as const),
    customCron: fc.constantFrom('*/20 * * * *', '30 2 * * *', '0 */6 * * MON', '0 9 1,15 * *'),
    timezone: fc.constantFrom(...zones),
  });

  it('starts so that exactly the newest missed occurrences are caught up with, whatever the schedule', () => {
    fc.assert(
      fc.property(
        fc.oneof(steps, crons),
        fc.integer({ min: 0, max: 86_400 }),
        fc.integer({ min: 0, max: 60 * 24 * 9 }),
        fc.integer({ min: 1, max: 12 }),
        (config, startMinutes, minutes, limit) => {
          const parsed = schedule(config);
          const after = at('2025-10-20T00:00:00Z').add({ minutes: startMinutes * 3 });
          const until = after.add({ minutes });
          const missed = occurrences(parsed, { after, count: 1_000 }).filter(
            (instant) => Temporal.Instant.compare(instant, until) <= 0,
          );
          const first = recentOccurrence(parsed, { after, until, limit });
          expect(first?.toString()).toBe(missed.at(-limit)?.toString() ?? missed[0]?.toString());
        },
      ),
      { seed: 20_261_120, numRuns: 60 },
    );
  });

  it('reaches now in as many steps as the limit', () => {
    const minutes = schedule({ scheduleType: 'custom', customCron: '* * * * *' });
    const until = at('2026-03-02T09:00:30Z');
    let next = recentOccurrence(minutes, { after: at('2026-02-01T00:00:00Z'), until, limit: 100 });
    let sent = 0;
    for (; next !== null && Temporal.Instant.compare(next, until) <= 0; sent += 1)
      next = nextOccurrence(minutes, { after: next });
    expect(sent).toBe(100);
  });
});
