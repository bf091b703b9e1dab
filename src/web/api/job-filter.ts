import { z } from 'zod';
import { type ArchivedFilter, type JobStatus, jobStatuses, type TestsFilter } from '#contract/jobs.ts';

export const jobTimes = ['today', 'tomorrow', 'next-7-days', 'past-due'] as const;
export type JobTime = (typeof jobTimes)[number];

export const testsChoices = ['with', 'only'] as const;
export type TestsChoice = (typeof testsChoices)[number];

export const archiveChoices = ['with', 'only'] as const;
export type ArchiveChoice = (typeof archiveChoices)[number];

/** The filters of the job list; an omitted field does not filter. */
export const JobFilter = z.object({
  status: z.enum(jobStatuses).optional().catch(undefined),
  time: z.enum(jobTimes).optional().catch(undefined),
  archived: z.enum(archiveChoices).optional().catch(undefined),
  tests: z.enum(testsChoices).optional().catch(undefined),
  search: z.coerce.string().max(200).optional().catch(undefined),
});
export type JobFilter = z.output<typeof JobFilter>;

export type Range = { from?: string; to?: string };

/** The instants [from, to) of a time filter as of `now`; days start at midnight in the viewer's zone. */
export function rangeOf(time: JobTime | undefined, now: Date): Range {
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
  }
}

/** The status that a filter requests: past-due jobs are still pending. */
export const statusOf = ({ status, time }: JobFilter): JobStatus | 'all' =>
  time === 'past-due' ? 'pending' : (status ?? 'all');

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
