import { type EventTrigger, isDelay, type ScheduleConfig } from '#contract/schedules.ts';
import { readCron } from '#domain/cron-expression.ts';
import { ScheduleError } from '#domain/cron-fields.ts';
import { cronInWords } from '#domain/cron-words.ts';
import type { ScheduleDraft } from './draft.ts';
import { wallTimeIn } from './wall-time.ts';

export const eventNames: Record<EventTrigger, string> = {
  user_signup: 'User signup',
  subscription_due: 'Subscription due',
  payment_failed: 'Payment failed',
  trial_ending: 'Trial ending',
  custom_webhook: 'Custom webhook',
  calendar_event: 'Event of a calendar',
};

/** A stored schedule as a sentence; null when it is incomplete or invalid. */
export function storedScheduleInWords({ startDate, timezone, ...config }: ScheduleConfig): string | null {
  const { type, scheduleType, customCron = '', eventTrigger = null, delayAmount = 0, delayUnit = 'hours' } = config;
  if (type === 'scheduled' && scheduleType === undefined) return null;
  return scheduleInWords({
    type,
    scheduleType: scheduleType ?? 'daily',
    customCron,
    startDate: startDate === undefined ? null : wallTimeIn(startDate, timezone),
    endDate: null,
    timezone,
    eventTrigger,
    delayAmount,
    delayUnit,
  });
}

/** The schedule as a sentence; null while it is incomplete or invalid. */
export function scheduleInWords(schedule: ScheduleDraft): string | null {
  if (schedule.type === 'event-based') return eventInWords(schedule);
  if (schedule.scheduleType === 'custom') return customInWords(schedule.customCron);
  if (schedule.startDate === null) return null;
  // Local times are parsed and formatted as UTC, so that no zone shifts them.
  const start = new Date(`${schedule.startDate}Z`);
  const at = `at ${written(start, { hour: '2-digit', minute: '2-digit' })}`;
  switch (schedule.scheduleType) {
    case 'once':
      return `Once, on ${written(start, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })}, ${at}`;
    case 'daily':
      return `Every day ${at}`;
    case 'weekly':
      return `Every ${written(start, { weekday: 'long' })} ${at}`;
    case 'monthly':
      return `Every month on day ${start.getUTCDate()}${start.getUTCDate() > 28 ? ' (or the last day)' : ''}, ${at}`;
    default:
      return schedule.scheduleType satisfies never;
  }
}

function eventInWords({ eventTrigger, delayAmount, delayUnit }: ScheduleDraft): string | null {
  if (eventTrigger === null) return null;
  if (eventTrigger === 'calendar_event') return 'Before each event of its calendar';
  const event = eventNames[eventTrigger].toLowerCase();
  const amount = Number(delayAmount);
  if (!isDelay(amount)) return null;
  if (amount === 0) return `As soon as “${event}” happens`;
  return `${amount} ${amount === 1 ? delayUnit.slice(0, -1) : delayUnit} after “${event}” happens`;
}

function customInWords(expression: string): string | null {
  try {
    return cronInWords(readCron(expression));
  } catch (error) {
    // The field shows the error.
    if (error instanceof ScheduleError) return null;
    throw error;
  }
}

const written = (wallTime: Date, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(wallTime);
