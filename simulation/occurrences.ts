import type { ScheduleConfig } from '#contract/schedules.ts';
import { dayMs } from '#domain/instants.ts';

const minuteMs = 60_000;
/**
 * The times of a schedule from one instant to another, both included, computed with plain arithmetic in UTC: the
 * checker must not rely on the code that it checks. Supports the schedules of simulations only.
 */
export function occurrencesBetween(
  schedule: ScheduleConfig,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): number[] {
  const times: number[] = [];
  for (let at = firstFrom(schedule, fromMs); at !== null && at <= toMs; at = firstFrom(schedule, at + 1))
    times.push(at);
  return times;
}

/** The first time at or after this one; null when there is none. */
export function firstFrom({ scheduleType, customCron, startDate }: ScheduleConfig, fromMs: number): number | null {
  if (scheduleType === 'custom') return firstOfCron(customCron ?? '', fromMs);
  const startMs = Date.parse(`${startDate}Z`);
  if (fromMs <= startMs) return startMs;
  if (scheduleType !== 'daily') return null;
  return startMs + Math.ceil((fromMs - startMs) / dayMs) * dayMs;
}

// For example */5 * * * * and 17 * * * *.
function firstOfCron(cron: string, fromMs: number): number {
  const [, every, minute] = /^(?:\*\/(\d+)|(\d+)) \* \* \* \*$/.exec(cron) ?? [];
  const fits = (atMs: number) => {
    const of = Math.floor(atMs / minuteMs) % 60;
    return every === undefined ? of === Number(minute) : of % Number(every) === 0;
  };
  let atMs = Math.ceil(fromMs / minuteMs) * minuteMs;
  while (!fits(atMs)) atMs += minuteMs;
  return atMs;
}
