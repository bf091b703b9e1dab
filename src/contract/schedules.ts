import { z } from 'zod';
import { InstantInput, Text } from '#contract/common.ts';

export const triggerTypes = ['scheduled', 'event-based'] as const;
export const scheduleTypes = ['once', 'daily', 'weekly', 'monthly', 'custom'] as const;
export const eventTriggers = [
  'user_signup',
  'subscription_due',
  'payment_failed',
  'trial_ending',
  'custom_webhook',
] as const;
/** The trigger of a reminder that is sent before the events of a calendar. Requests cannot choose it. */
export const calendarTrigger = 'calendar_event';
export const storedTriggers = [...eventTriggers, calendarTrigger] as const;
export type EventTrigger = (typeof storedTriggers)[number];
export const delayUnits = ['minutes', 'hours', 'days', 'weeks'] as const;

const dateForm =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?$/;

const isDayOfCalendar = (text: string) => {
  const [, year, month, day] = dateForm.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined || year < 1900) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
};

/** `2026-12-01T09:00:00` is a local time in the reminder's zone; with `Z` or an offset it is an instant. */
const DateText = z
  .string()
  .regex(dateForm, { error: 'must be an ISO date and time such as 2026-12-01T09:00:00', abort: true })
  .refine(isDayOfCalendar, 'is not a date that exists');

/** A zone of the IANA database, including old names, in the database's spelling; null for any other text. */
function zoneNamed(text: string): string | null {
  try {
    const id = idOf(text);
    // Offsets such as +01:00 have no daylight saving time, so only named zones are accepted.
    return /^[+-]/.test(id) || id.toLowerCase() !== text.toLowerCase() ? null : id;
  } catch {
    return null;
  }
}

function idOf(zone: string): string {
  // Intl accepts names that are not zones, such as PST, so it is only the fallback for browsers without Temporal.
  if ('Temporal' in globalThis) return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId;
  new Intl.DateTimeFormat('en', { timeZone: zone }).format();
  return zone;
}

export const TimeZone = z
  .string()
  .max(64)
  .overwrite((text) => zoneNamed(text) ?? text)
  .refine((text) => zoneNamed(text) !== null, 'is not a known timezone, for example Europe/Berlin');

/** The error message for an event reminder without an event that is to run. */
export const eventTriggerRequired = 'Event trigger is required';

const longestDelay = 100_000;

/** Whether a delay can be stored. */
export const isDelay = (amount: number): boolean => amount >= 0 && amount <= longestDelay;

/** The stored schedule of a reminder. */
export const ScheduleConfig = z.strictObject({
  type: z.enum(triggerTypes),
  scheduleType: z.enum(scheduleTypes).optional(),
  customCron: Text(200).optional(),
  eventTrigger: z.enum(storedTriggers).optional(),
  delayAmount: z
    .number()
    .min(0, 'Delay must be at least 0')
    .max(longestDelay, `must be at most ${longestDelay}`)
    .optional(),
  delayUnit: z.enum(delayUnits).optional(),
  startDate: DateText.refine((text) => text < '9999', 'must be before the year 9999').optional(),
  endDate: DateText.optional(),
  timezone: TimeZone.default('UTC'),
});

/** Refuses a cron expression where the schedule would not follow it. */
export function cronIsFollowed(
  {
    type,
    scheduleType,
    customCron = '',
  }: { type: string; scheduleType?: string | undefined; customCron?: string | undefined },
  ctx: { addIssue: (issue: { code: 'custom'; path: string[]; message: string }) => void },
): void {
  if (customCron.trim() === '' || (type === 'scheduled' && scheduleType === 'custom')) return;
  const message = 'is followed by a schedule of the type `custom` alone: choose that, or leave it out';
  ctx.addIssue({ code: 'custom', path: ['customCron'], message });
}

export type ScheduleConfig = z.output<typeof ScheduleConfig>;

export const isOfCalendar = ({ type, eventTrigger }: ScheduleConfig): boolean =>
  type === 'event-based' && eventTrigger === calendarTrigger;

export const ForecastBody = z.strictObject({
  schedule_config: ScheduleConfig.superRefine(cronIsFollowed),
  count: z.number().int().min(1).max(100).default(5),
  after: InstantInput.optional(),
});

/** `notes` explain why an occurrence differs from its schedule; `at` is the instant of that occurrence. */
export const Forecast = z.object({
  occurrences: z.array(z.iso.datetime()),
  notes: z.array(z.object({ at: z.iso.datetime(), note: z.string() })),
});

export type Forecast = z.output<typeof Forecast>;
