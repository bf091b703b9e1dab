import { isOfCalendar, type ScheduleConfig } from '#contract/schedules.ts';

/** The text for a reminder that waits for an event. */
export const eventSentence = (config: ScheduleConfig): string =>
  isOfCalendar(config) ? 'Sent before each event of its calendar.' : 'Sent once for each event that Cuebird receives.';

/** The text of a reminder's schedule on its card. */
export function scheduleText(config: ScheduleConfig | null | undefined): string {
  if (!config) return 'Not configured';
  if (config.eventTrigger === 'calendar_event') return 'Events of a calendar';
  if (config.type === 'event-based') return `Event: ${config.eventTrigger ?? 'Unknown'}`;
  switch (config.scheduleType) {
    case 'once':
      return 'One-time';
    case 'daily':
      return 'Daily';
    case 'weekly':
      return 'Weekly';
    case 'monthly':
      return 'Monthly';
    case 'custom':
      return `Custom: ${config.customCron ?? ''}`;
    case undefined:
      return 'Scheduled';
    default:
      return config.scheduleType satisfies never;
  }
}
