import { describe, expect, it } from 'vitest';
import type { LastRun } from '#contract/reminders.ts';
import { endText } from './last-run.ts';

describe('a reminder without a next occurrence', () => {
  const once = { type: 'scheduled', scheduleType: 'once', timezone: 'UTC' } as const;
  const run = (status: LastRun['status'], sent: number): LastRun => ({
    id: '019a9d3e-0000-7000-8000-000000000001',
    scheduled_for: '2026-11-20T08:00:00Z',
    status,
    recipients: { sent, total: 2, waiting: 0, problems: 2 - sent, skipped: 0 },
  });

  it('is done once its single occurrence was sent, to some at least', () => {
    expect(endText({ schedule_config: once, last_run: run('completed', 2) })).toBe('Done');
    expect(endText({ schedule_config: once, last_run: run('failed', 1) })).toBe('Done');
  });

  it('has no more occurrences when nothing was sent, or when it was sent repeatedly', () => {
    const ended = 'No more occurrences';
    const daily = { ...once, scheduleType: 'daily' } as const;
    expect(endText({ schedule_config: once, last_run: null })).toBe(ended);
    expect(endText({ schedule_config: once, last_run: run('failed', 0) })).toBe(ended);
    expect(endText({ schedule_config: once, last_run: run('running', 1) })).toBe(ended);
    expect(endText({ schedule_config: daily, last_run: run('completed', 2) })).toBe(ended);
  });
});
