import { describe, expect, it } from 'vitest';
import { scheduleText } from './schedule-text.ts';

const scheduled = { type: 'scheduled', timezone: 'UTC' } as const;

describe('the schedule on a card', () => {
  it('is named by its type', () => {
    const texts = (['daily', 'weekly', 'monthly', 'once'] as const).map((scheduleType) =>
      scheduleText({ ...scheduled, scheduleType }),
    );
    expect(texts).toEqual(['Daily', 'Weekly', 'Monthly', 'One-time']);
  });

  it('shows a cron expression as it was written', () => {
    expect(scheduleText({ ...scheduled, scheduleType: 'custom', customCron: '0 9 * * MON' })).toBe(
      'Custom: 0 9 * * MON',
    );
  });

  it('is Scheduled when no type was stored, and Not configured without any schedule', () => {
    expect(scheduleText(scheduled)).toBe('Scheduled');
    expect(scheduleText(null)).toBe('Not configured');
  });

  it('names the event, or Unknown', () => {
    expect(scheduleText({ type: 'event-based', timezone: 'UTC', eventTrigger: 'trial_ending' })).toBe(
      'Event: trial_ending',
    );
    expect(scheduleText({ type: 'event-based', timezone: 'UTC' })).toBe('Event: Unknown');
  });
});
