import { getRouteApi } from '@tanstack/react-router';
import { z } from 'zod';
import { executionStatuses, recipientGroups } from '#contract/job-states.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { useScreenSearch } from '#web/app/use-screen-search.ts';
import { JobFilter, runTimes } from '#web/api/job-filter.ts';

/** The state of the Job Scheduler in the URL: the filters, the tab and the open dialog, of a job with the filter of
 * its recipients. */
export const JobsSearch = JobFilter.extend({
  tab: z.enum(['history', 'events']).optional().catch(undefined),
  job: z.uuid().optional().catch(undefined),
  /** The filters of the Execution History; its days are those of the jobs. */
  ran: z.enum(runTimes).optional().catch(undefined),
  result: z.enum(executionStatuses).optional().catch(undefined),
  channel: z.enum(channelTypes).optional().catch(undefined),
  reminder: z.uuid().optional().catch(undefined),
  /** The beginning of the name of the events that are shown. */
  event: z.string().max(100).optional().catch(undefined),
  recipients: z.enum(recipientGroups).optional().catch(undefined),
  recipient: z.string().max(200).optional().catch(undefined),
  execution: z.uuid().optional().catch(undefined),
});
export type JobsSearch = z.output<typeof JobsSearch>;

/** Whom a report is about: a contact, or a recipient who is none; everybody by default. */
export const ReportSearch = z.object({
  contact: z.uuid().optional().catch(undefined),
  recipient: z.string().max(2_048).optional().catch(undefined),
  /** The dialog that opens with it. */
  open: z.literal('mail').optional().catch(undefined),
});

const route = getRouteApi('/themed/signed-in/jobs');

export const useJobsSearch = () => useScreenSearch(route, { replaces: false });
