import type { Reminder } from '#contract/reminders.ts';
import { eventTriggerRequired, type Forecast, type ScheduleConfig } from '#contract/schedules.ts';
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
import { refusedAt, Unprocessable } from '#platform/errors.ts';

type Query = { schedule_config: ScheduleConfig; count: number; after?: string };

/** The next occurrences of a schedule, which may be unsaved; without `after` those that saving it now would schedule. */
export function forecast({ now }: Pick<TenantContext, 'now'>, query: Query): Forecast {
  const config = startingNow(query.schedule_config, now);
  try {
    const found =
      query.after === undefined
        ? fromNowOn(config, { now, count: query.count })
        : occurrences(config, { ...query, after: Temporal.Instant.from(query.after) });
    return {
      occurrences: found.map(written),
      notes: found.flatMap((at) =>
        [...missedNote(at, now), ...notesOf(config, at)].map((note) => ({ at: written(at), note })),
      ),
    };
  } catch (error) {
    throw asRefusal(error, config);
  }
}

const missedNote = (at: Temporal.Instant, now: Temporal.Instant) =>
  Temporal.Instant.compare(at, now) < 0 ? ['this time has passed: sent as soon as it is active'] : [];

/** Until its message has begun: a one-time reminder whose time had passed, by more than a moment, is late. */
export function passedWarning(
  {
    status,
    schedule_config: { scheduleType, type },
    next_run_at: at,
  }: Pick<Reminder, 'status' | 'schedule_config' | 'next_run_at'>,
  now: Temporal.Instant,
): string[] {
  const isOnce = type === 'scheduled' && scheduleType === 'once';
  if (!isOnce || status !== 'active' || at === null) return [];
  const lateMs = now.epochMilliseconds - Date.parse(at);
  return lateMs < momentMs ? [] : ['Its time has passed: it is sent at once, unless what was missed is skipped'];
}

const momentMs = 60_000;

const written = (at: Temporal.Instant) => at.toString({ fractionalSecondDigits: 3 });

/** From which instant occurrences count: includes a one-time start that was just missed, which is sent at once. */
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
 * Refuses to activate a schedule that can never run: an event reminder without a trigger, an invalid cron expression, a one-time start
 * more than 24 hours ago, an end before the start or before now. An active reminder whose schedule has ended may be edited and keeps
 * its status ("No more occurrences").
 */
export function assertCanRun(
  config: ScheduleConfig,
  now: Temporal.Instant,
  before?: Pick<Reminder, 'status' | 'schedule_config'>,
): void {
  try {
    if (config.type === 'event-based') return assertHasTrigger(config);
    if (config.scheduleType === 'custom') parseCron(config.customCron, config.timezone);
    if (firstOccurrence(config, { now }) !== null) return;
    if (before?.status === 'active' && hasHadItsTime(config, { now, before: before.schedule_config })) return;
    throw refusalOf(config);
  } catch (error) {
    throw asRefusal(error, config);
  }
}

function assertHasTrigger({ eventTrigger }: ScheduleConfig): void {
  if (eventTrigger !== undefined) return;
  throw new Unprocessable(eventTriggerRequired, [
    { path: 'schedule_config.eventTrigger', message: eventTriggerRequired },
  ]);
}

/** Whether the schedule had ended before this edit already. */
const hasHadItsTime = (config: ScheduleConfig, { now, before }: { now: Temporal.Instant; before: ScheduleConfig }) =>
  config.scheduleType === 'once'
    ? startOf(before) === startOf(config)
    : before.type === 'scheduled' && firstOccurrence(before, { now }) === null;

function refusalOf(config: ScheduleConfig): Unprocessable {
  if (nextOccurrence(config, { after: longAgo }) === null)
    return refusedAt('schedule_config.endDate', 'End date is before the start date');
  if (config.scheduleType !== 'once')
    return refusedAt('schedule_config.endDate', 'End date has passed; choose a later one');
  return refusedAt(
    'schedule_config.startDate',
    `Start date is more than ${oneTimeGrace.total('hours')} hours ago; choose a later one`,
  );
}

const longAgo = Temporal.Instant.from('-000001-01-01T00:00:00Z');

/** The instant of a start in any format; null when the schedule has none. */
const startOf = (config: ScheduleConfig) =>
  config.startDate === undefined
    ? null
    : (nextOccurrence({ ...config, type: 'scheduled', scheduleType: 'once', endDate: undefined }, { after: longAgo })
        ?.epochMilliseconds ?? null);

function asRefusal(error: unknown, { scheduleType }: ScheduleConfig): unknown {
  if (!(error instanceof ScheduleError)) return error;
  // Without a cron expression only a missing start can be wrong.
  const field = scheduleType === 'custom' ? 'customCron' : 'startDate';
  return refusedAt(`schedule_config.${field}`, error.message);
}
