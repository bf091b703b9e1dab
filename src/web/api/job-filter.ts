import { z } from 'zod';
import { type JobStatus, jobStatuses } from '#contract/jobs.ts';

export const jobTimes = ['today', 'tomorrow', 'next-7-days', 'past-due'] as const;
export type JobTime = (typeof jobTimes)[number];

/** What the list of jobs is narrowed to; what is left out does not narrow. */
export const JobFilter = z.object({
  status: z.enum(jobStatuses).optional().catch(undefined),
  time: z.enum(jobTimes).optional().catch(undefined),
  search: z.coerce.string().max(200).optional().catch(undefined),
});
export type JobFilter = z.output<typeof JobFilter>;

export type Range = { from?: string; to?: string };

/** The instants [from, to) of a time filter as of `now`; days begin at midnight in the viewer's zone. */
export function rangeOf(time: JobTime | undefined, now: Date): Range {
  const midnight = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).toISOString();
  switch (time) {
    case undefined:
      return {};
    case 'today':
      return { from: midnight(0), to: midnight(1) };
    case 'tomorrow':
      return { from: midnight(1), to: midnight(2) };
    // Up to a day difference of seven: a weekly job that ran this morning is seen again.
    case 'next-7-days':
      return { from: midnight(0), to: midnight(8) };
    case 'past-due':
      return { to: now.toISOString() };
  }
}

/** The status that a filter asks for: what is past due is still pending. */
export const statusOf = ({ status, time }: JobFilter): JobStatus | 'all' =>
  time === 'past-due' ? 'pending' : (status ?? 'all');
