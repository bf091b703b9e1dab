import { getRouteApi } from '@tanstack/react-router';
import { z } from 'zod';
import { JobFilter } from '#web/api/job-filter.ts';

/** What the address of the Job Scheduler says: the filters, the tab, and which dialog is open on what. */
export const JobsSearch = JobFilter.extend({
  tab: z.literal('history').optional().catch(undefined),
  job: z.uuid().optional().catch(undefined),
  execution: z.uuid().optional().catch(undefined),
});
export type JobsSearch = z.output<typeof JobsSearch>;

const route = getRouteApi('/themed/signed-in/jobs');

/** The screen's state in the address, and how to change parts of it; the back button undoes a change. */
export function useJobsSearch() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<JobsSearch>, { replace = false } = {}) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace, resetScroll: false });
  return { ...search, change };
}
