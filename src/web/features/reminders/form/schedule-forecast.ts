import { useDebouncedValue } from '@mantine/hooks';
import type { Forecast } from '#contract/schedules.ts';
import { ApiError } from '#web/api/client.ts';
import { useForecast } from '#web/api/reminders.ts';
import { messageOf } from '#web/ui/message-of.ts';
import { type ScheduleDraft, scheduleInputOf } from './draft.ts';

const typingPauseMs = 400;

export type ScheduleForecast = {
  occurrences: Occurrence[] | undefined;
  /** The reason why there is no forecast, unless the cron field shows it. */
  error: string | null;
  cronError: string | null;
  /** The forecast of the current input is loading: the shown one may be older. */
  isStale: boolean;
};

/** `notes` explain why the occurrence differs from the schedule. */
export type Occurrence = { at: string; notes: string[] };

/** The scheduler's next occurrences of the draft, requested when the user stops typing. */
export function useScheduleForecast(schedule: ScheduleDraft): ScheduleForecast {
  const isScheduled = schedule.type === 'scheduled';
  const isCustom = schedule.scheduleType === 'custom';
  const wanted = JSON.stringify(schedule);
  const [asked] = useDebouncedValue({ wanted, schedule }, typingPauseMs);
  const isAsked = isScheduled && !(isCustom && schedule.customCron.trim() === '');
  const forecast = useForecast(isAsked ? scheduleInputOf(asked.schedule) : null);
  const isStale = asked.wanted !== wanted || forecast.isFetching;
  const message = forecast.error && isAsked && !isStale ? reasonOf(forecast.error) : null;
  return {
    occurrences: isAsked && !forecast.error && forecast.data ? occurrencesOf(forecast.data) : undefined,
    error: isCustom ? null : message,
    cronError: isCustom ? message : null,
    isStale: isAsked && isStale,
  };
}

const occurrencesOf = ({ occurrences, notes }: Forecast): Occurrence[] =>
  occurrences.map((at) => ({ at, notes: notes.filter((one) => one.at === at).map(({ note }) => note) }));

/** The scheduler's message about a field is more specific than the error around it. */
const reasonOf = (error: Error): string =>
  error instanceof ApiError ? (error.fields[0]?.message ?? error.message) : messageOf(error);
