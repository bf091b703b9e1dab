import { describe, expect, it } from 'vitest';
import { Reminder, ReminderInput } from '#contract/reminders.ts';
import { asSent, draftOf, inputOf, newDraft, type ReminderDraft, scheduleInputOf } from './draft.ts';

const now = new Date('2026-11-20T10:00:00Z');

const stored = Reminder.parse({
  id: '0197c000-0000-7000-8000-000000000001',
  workspace_id: '0197c000-0000-7000-8000-000000000002',
  name: 'Lease renewal',
  description: null,
  status: 'active',
  schedule_config: {
    type: 'scheduled',
    scheduleType: 'weekly',
    startDate: '2026-12-24T17:00:00.000Z',
    endDate: '2027-01-31T00:00:00+01:00',
    timezone: 'Europe/Berlin',
  },
  content: { subject: 'Hi', message: 'Hello', recipients: ['ann@example.com'] },
  metadata: { channels: ['email', 'slack'], priority: 'high', source: 'template' },
  created_by: null,
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
  next_run_at: null,
  is_done: false,
  paused_until: null,
  warnings: [],
});

describe('a copy of a reminder for another channel', () => {
  it('is sent to the same people', () => {
    const audience = { everyone: true, groups: [stored.id], tags: ['vip'], contacts: [stored.id] };
    const draft = draftOf({ ...stored, metadata: { ...stored.metadata, audience } }, { now });
    const input = inputOf({ ...draft, metadata: { ...draft.metadata, channels: ['sms'] } });
    expect(ReminderInput.parse(input).metadata).toMatchObject({ channels: ['sms'], audience });
  });
});

describe('a new reminder', () => {
  it('is scheduled, daily, by email, active, in the given zone', () => {
    const draft = newDraft({ now, zone: 'Asia/Tokyo' });
    expect(inputOf(draft)).toMatchObject({
      status: 'active',
      schedule_config: { type: 'scheduled', scheduleType: 'daily', timezone: 'Asia/Tokyo' },
      content: { subject: '', message: '', variables: [], recipients: [] },
      metadata: { channels: ['email'], priority: 'medium' },
    });
    expect(draft.schedule_config.startDate).toMatch(/T09:00:00$/);
  });

  it('is saved as a draft when it is not to start', () => {
    expect(inputOf({ ...newDraft({ now, zone: 'UTC' }), isActive: false }).status).toBe('draft');
  });
});

describe('a stored reminder', () => {
  it('is opened with the wall time of its own zone', () => {
    expect(draftOf(stored, { now }).schedule_config).toMatchObject({
      startDate: '2026-12-24T18:00:00',
      endDate: '2027-01-31T00:00:00',
    });
  });

  it('keeps fields that the form does not show when it is saved', () => {
    const saved = ReminderInput.parse(inputOf(draftOf(stored, { now })));
    expect(saved).toMatchObject({ description: null, metadata: stored.metadata });
  });

  it('has the start checkbox checked only while it is active', () => {
    expect(draftOf(stored, { now }).isActive).toBe(true);
    expect(draftOf({ ...stored, status: 'paused' }, { now }).isActive).toBe(false);
  });
});

describe('what is sent', () => {
  const { schedule_config: schedule, ...draft } = newDraft({ now, zone: 'UTC' });

  it('contains a cron expression only for a custom schedule', () => {
    const written = { ...schedule, customCron: '0 9 * * MON' };
    expect(scheduleInputOf({ ...written, scheduleType: 'custom' }).customCron).toBe('0 9 * * MON');
    expect(scheduleInputOf({ ...written, scheduleType: 'daily' }).customCron).toBeUndefined();
  });

  it('contains event and delay instead of dates for an event trigger', () => {
    const input = scheduleInputOf({ ...schedule, type: 'event-based', eventTrigger: 'user_signup', delayAmount: 2 });
    expect(input).toEqual({
      type: 'event-based',
      timezone: 'UTC',
      eventTrigger: 'user_signup',
      delayAmount: 2,
      delayUnit: 'hours',
    });
  });

  it('is a message of its own while it is sent once, and a reminder with a repetition or as a draft', () => {
    const message = { ...draft, metadata: { ...draft.metadata, one_off: true } };
    const once = { ...schedule, scheduleType: 'once' as const };
    const isOneOff = (changes: Partial<typeof message & { schedule_config: typeof schedule }>) =>
      inputOf({ ...message, schedule_config: once, ...changes }).metadata.one_off === true;
    expect(isOneOff({})).toBe(true);
    expect(isOneOff({ schedule_config: schedule })).toBe(false);
    expect(isOneOff({ schedule_config: { ...once, type: 'event-based' } })).toBe(false);
    expect(isOneOff({ isActive: false })).toBe(false);
  });

  it('has no start as a message whose time has come, and as a reminder the one that was chosen', () => {
    const startOf = (start: string, changes: Partial<ReminderDraft['metadata']> = { one_off: true }) =>
      inputOf(
        asSent({
          ...draft,
          schedule_config: { ...schedule, type: 'scheduled', scheduleType: 'once', startDate: start },
          metadata: { ...draft.metadata, ...changes },
        }),
      ).schedule_config.startDate;
    expect(startOf('2020-01-01T09:00:00')).toBeUndefined();
    expect(startOf('2098-01-01T09:00:00')).toBe('2098-01-01T09:00:00');
    expect(startOf('2020-01-01T09:00:00', {})).toBe('2020-01-01T09:00:00');
  });

  it('omits blank values, so that no message is sent with a gap', () => {
    const content = { ...draft.content, variables: ['amount', 'due_date'], values: { amount: '', due_date: 'Friday' } };
    expect(inputOf({ ...draft, schedule_config: schedule, content }).content.values).toEqual({ due_date: 'Friday' });
  });
});
