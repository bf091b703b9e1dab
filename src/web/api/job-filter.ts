import { z } from 'zod';
import { type JobStatus, jobStatuses } from '#contract/job-states.ts';
import type { ArchivedFilter, JobSort, TestsFilter } from '#contract/jobs.ts';

/** Ranges that end at the latest with today. */
const pastTimes = ['yesterday', 'last-7-days', 'last-30-days', 'this-month', 'last-month'] as const;

/** `dates` is any range of days, given by `from` and `to`. */
export const jobTimes = ['today', 'tomorrow', 'next-7-days', 'past-due', ...pastTimes, 'dates'] as const;
export type JobTime = (typeof jobTimes)[number];

export const runTimes = ['today', ...pastTimes, 'dates'] as const;

export const testsChoices = ['with', 'only'] as const;
export type TestsChoice = (typeof testsChoices)[number];

export const archiveChoices = ['with', 'only'] as const;
export type ArchiveChoice = (typeof archiveChoices)[number];

/** A day that every browser and the database can represent. */
const Day = z.iso.date().refine((day) => day >= '1970' && day < '9000');

/** The filters of the job list; an omitted field does not filter. */
export const JobFilter = z.object({
  status: z.enum(jobStatuses).optional().catch(undefined),
  time: z.enum(jobTimes).optional().catch(undefined),
  archived: z.enum(archiveChoices).optional().catch(undefined),
  from: Day.optional().catch(undefined),
  to: Day.optional().catch(undefined),
  tests: z.enum(testsChoices).optional().catch(undefined),
  search: z.string().max(200).optional().catch(undefined),
});
export type JobFilter = z.output<typeof JobFilter>;

export type Range = { from?: string; to?: string };

/** The first and the last day of a range, such as `2026-03-01`; a missing one does not limit it. */
export type Days = { from?: string | undefined; to?: string | undefined };

/** The instants [from, to) of a time filter as of `now`; days start at midnight in the viewer's zone. */
export function rangeOf(time: JobTime | undefined, now: Date, days: Days = {}): Range {
  const month = (months: number) => new Date(now.getFullYear(), now.getMonth() + months, 1).toISOString();
  const midnight = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).toISOString();
  switch (time) {
    case undefined:
      return {};
    case 'today':
      return { from: midnight(0), to: midnight(1) };
    case 'tomorrow':
      return { from: midnight(1), to: midnight(2) };
    // Eight calendar days, so that a weekly job that ran this morning shows its next run.
    case 'next-7-days':
      return { from: midnight(0), to: midnight(8) };
    case 'past-due':
      return { to: now.toISOString() };
    case 'yesterday':
      return { from: midnight(-1), to: midnight(0) };
    case 'last-7-days':
      return { from: midnight(-6), to: midnight(1) };
    case 'last-30-days':
      return { from: midnight(-29), to: midnight(1) };
    case 'this-month':
      return { from: month(0), to: month(1) };
    case 'last-month':
      return { from: month(-1), to: month(0) };
    case 'dates':
      return {
        ...(days.from !== undefined && { from: dayOf(days.from, 0) }),
        ...(days.to !== undefined && { to: dayOf(days.to, 1) }),
      };
  }
}

/** The instant at which a day begins in the viewer's zone, `after` days later. */
function dayOf(date: string, after: number): string {
  const [year = 1970, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, day + after).toISOString();
}

/** The status that a filter requests: past-due jobs are still pending. */
export const statusOf = ({ status, time }: JobFilter): JobStatus | 'all' =>
  time === 'past-due' ? 'pending' : (status ?? 'all');

/** Jobs that lie ahead are listed by the time at which they are due. */
export const sortOf = (filter: JobFilter): JobSort =>
  ['pending', 'paused'].includes(statusOf(filter)) || ['tomorrow', 'next-7-days'].includes(filter.time ?? '')
    ? 'soonest'
    : 'newest';

/** The API's value of the archive filter. */
export const archivedOf = ({ archived }: JobFilter): ArchivedFilter =>
  archived === 'with' ? 'true' : (archived ?? 'false');

/** The API's value of the filter of tests. */
export const testsOf = ({ tests }: JobFilter): TestsFilter => (tests === 'with' ? 'true' : (tests ?? 'false'));

// Only pending jobs can be past due, and only completed ones are archived: a choice clears filters that would match
// nothing.

export const chooseStatus = ({ time, archived }: JobFilter, status: JobFilter['status']): JobFilter => ({
  status,
  ...(time === 'past-due' && status !== 'pending' && { time: undefined }),
  ...(archived === 'only' && status !== undefined && status !== 'completed' && { archived: undefined }),
});

export const chooseTime = ({ archived }: JobFilter, time: JobFilter['time']): JobFilter =>
  time === 'past-due' ? { time, status: undefined, ...(archived === 'only' && { archived: undefined }) } : { time };

export const chooseArchived = ({ status, time }: JobFilter, archived: JobFilter['archived']): JobFilter =>
  archived === 'only'
    ? {
        archived,
        ...(status !== 'completed' && { status: undefined }),
        ...(time === 'past-due' && { time: undefined }),
      }
    : { archived };
