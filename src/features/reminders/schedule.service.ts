import type { Reminder } from '#contract/reminders.ts';
import type { Forecast, ScheduleConfig } from '#contract/schedules.ts';
import {
  firstOccurrence,
  nextOccurrence,
  occurrences,
  oneTimeGrace,
  parseCron,
  ScheduleError,
} from '#domain/schedule.ts';
import { notesOf } from '#domain/schedule-notes.ts';
import type { TenantContext } from '#platform/context.ts';
import { Unprocessable } from '#platform/errors.ts';

type Query = { schedule_config: ScheduleConfig; count: number; after?: string };

/** The next occurrences of a schedule that may not be saved yet: without `after`, what saving it now would plan. */
export function forecast({ now }: Pick<TenantContext, 'now'>, query: Query): Forecast {
  const config = startingNow(query.schedule_config, now);
  try {
    const found =
      query.after === undefined
        ? fromNowOn(config, { now, count: query.count })
        : occurrences(config, { ...query, after: Temporal.Instant.from(query.after) });
    return {
      occurrences: found.map(written),
      notes: found.flatMap((at) => notesOf(config, at).map((note) => ({ at: written(at), note }))),
    };
  } catch (error) {
    throw asRefusal(error);
  }
}

const written = (at: Temporal.Instant) => at.toString({ fractionalSecondDigits: 3 });

/** A one-time start just missed goes out at once, so it counts. */
function fromNowOn(
  config: ScheduleConfig,
  { now, count }: { now: Temporal.Instant; count: number },
): Temporal.Instant[] {
  const first = firstOccurrence(config, { now });
  return first === null ? [] : [first, ...occurrences(config, { after: first, count: count - 1 })];
}

/** A schedule without a start begins now. */
export function startingNow(config: ScheduleConfig, now: Temporal.Instant): ScheduleConfig {
  if (config.type !== 'scheduled' || config.scheduleType === 'custom' || config.startDate !== undefined) return config;
  const wall = now.toZonedDateTimeISO(config.timezone).toPlainDateTime();
  return { ...config, startDate: wall.round({ smallestUnit: 'second', roundingMode: 'ceil' }).toString() };
}

/**
 * Refuses to activate what could never be sent: a cron expression that is not understood, a one-time start more than 24
 * hours back, an end before the start. An unchanged one-time reminder that has had its time stays as it is ("No more
 * occurrences").
 */
export function assertCanRun(
  config: ScheduleConfig,
  now: Temporal.Instant,
  before?: Pick<Reminder, 'status' | 'schedule_config'>,
): void {
  try {
    if (config.type === 'event-based') return;
    if (config.scheduleType === 'custom') parseCron(config.customCron, config.timezone);
    if (firstOccurrence(config, { now }) !== null || config.scheduleType !== 'once') return;
    if (before?.status === 'active' && startOf(before.schedule_config) === startOf(config)) return;
    throw refusalOf(config);
  } catch (error) {
    throw asRefusal(error);
  }
}

function refusalOf(config: ScheduleConfig): Unprocessable {
  if (nextOccurrence(config, { after: longAgo }) === null) {
    const message = 'End date lies before the start date';
    return new Unprocessable(message, [{ path: 'schedule_config.endDate', message }]);
  }
  const message = `Start date lies more than ${oneTimeGrace.total('hours')} hours back; choose a later one`;
  return new Unprocessable(message, [{ path: 'schedule_config.startDate', message }]);
}

const longAgo = Temporal.Instant.from('-000001-01-01T00:00:00Z');

/** The instant of a start, however it is written; null when the schedule has none. */
const startOf = (config: ScheduleConfig) =>
  config.startDate === undefined
    ? null
    : (nextOccurrence({ ...config, type: 'scheduled', scheduleType: 'once', endDate: undefined }, { after: longAgo })
        ?.epochMilliseconds ?? null);

const asRefusal = (error: unknown) =>
  error instanceof ScheduleError
    ? new Unprocessable(error.message, [{ path: 'schedule_config.customCron', message: error.message }])
    : error;
