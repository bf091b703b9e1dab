import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ScheduleConfig } from '#contract/schedules.ts';
import { nextOccurrence } from '#domain/schedule.ts';
import { sameOccurrence } from '#domain/same-occurrence.ts';

const instant = (text: string) => Temporal.Instant.from(text);

const schedule = (config: Partial<ScheduleConfig>): ScheduleConfig =>
  ScheduleConfig.parse({ type: 'scheduled', scheduleType: 'daily', startDate: '2026-01-31T09:00:00', ...config });

const same = (config: ScheduleConfig, scheduled: string, taken: string[] = []) =>
  sameOccurrence(config, {
    scheduled: instant(scheduled),
    isTaken: (at) => taken.includes(at.toString()),
  })?.toString() ?? null;

describe('an occurrence scheduled with other timezone data', () => {
  it('stays when it is still a time of its schedule', () => {
    expect(same(schedule({}), '2026-03-02T09:00:00Z')).toBe('2026-03-02T09:00:00Z');
    expect(same(schedule({ scheduleType: 'custom', customCron: '*/15 * * * *' }), '2026-03-02T09:15:00Z')).toBe(
      '2026-03-02T09:15:00Z',
    );
  });

  it.each([
    ['an hour early', '2026-03-02T08:00:00Z'],
    ['an hour late', '2026-03-02T10:00:00Z'],
    ['half an hour late', '2026-03-02T09:30:00Z'],
    ['nearly half a day early', '2026-03-01T21:01:00Z'],
  ])('moves back when it was scheduled %s', (_, scheduled) => {
    expect(same(schedule({}), scheduled)).toBe('2026-03-02T09:00:00Z');
  });

  it('moves across the date line when its schedule has a free time there', () => {
    const weekly = schedule({ scheduleType: 'weekly', startDate: '2026-03-02T09:00:00' });
    expect(same(weekly, '2026-03-10T09:00:00Z')).toBe('2026-03-09T09:00:00Z');
    const once = schedule({ scheduleType: 'once' });
    expect(same(once, '2026-01-30T09:00:00Z')).toBe('2026-01-31T09:00:00Z');
  });

  it('takes the next free time when its own is taken, and none after the last', () => {
    const taken = ['2026-03-02T09:00:00Z', '2026-03-03T09:00:00Z'];
    expect(same(schedule({}), '2026-03-02T10:00:00Z', taken)).toBe('2026-03-04T09:00:00Z');
    const ended = schedule({ endDate: '2026-03-03T00:00:00' });
    expect(same(ended, '2026-03-02T10:00:00Z', taken)).toBeNull();
  });

  it("with no time of its schedule nearby takes the schedule's next time", () => {
    const cron = schedule({ scheduleType: 'custom', customCron: '0 9 30 12 *', startDate: undefined });
    expect(same(cron, '2026-12-01T09:00:00Z')).toBe('2026-12-30T09:00:00Z');
  });

  it('of any daily, weekly or monthly schedule is found again however far its zone has moved', () => {
    const anySchedule = fc.record({
      scheduleType: fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const),
      timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe', 'Africa/Casablanca'),
    });
    const afterMs = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2030, 0, 1) });
    const movedMinutes = fc.integer({ min: -660, max: 660 });
    fc.assert(
      fc.property(anySchedule, afterMs, movedMinutes, (config, ms, minutes) => {
        const after = Temporal.Instant.fromEpochMilliseconds(ms);
        const at = nextOccurrence(schedule(config), { after });
        if (at === null) throw new Error('a schedule without end goes on');
        expect(same(schedule(config), at.add({ minutes }).toString())).toBe(at.toString());
      }),
      { seed: 20_261_120, numRuns: 200 },
    );
  });
});
