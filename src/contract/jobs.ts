import { z } from 'zod';
import { Id, InstantInput, InstantText, ListView, Page, PageQuery, Text } from '#contract/common.ts';
import { Delivery } from '#contract/deliveries.ts';
import { jobStatuses, PeopleCounts, RecipientCounts } from '#contract/job-states.ts';
import { jobTypes } from '#contract/job-types.ts';
import { Reach, ReachQuery } from '#contract/reach.ts';
import { CodeOfRow } from '#contract/reason-codes.ts';
import { get, post } from '#contract/route.ts';

/** How many contacts a search of jobs looks for: the first that match. */
export const jobSearchLimits = { people: 20 } as const;

export const Job = z.object({
  id: Id,
  workspace_id: Id,
  reminder_id: Id.nullable(),
  name: z.string(),
  type: z.enum(jobTypes),
  status: z.enum(jobStatuses),
  scheduled_for: InstantText,
  /** When the engine runs the job next; later than `scheduled_for` while a retry waits. */
  run_at: InstantText,
  attempts: z.number().int(),
  max_attempts: z.number().int(),
  started_at: InstantText.nullable(),
  completed_at: InstantText.nullable(),
  /** When the job was archived, which removes it from the lists. */
  archived_at: InstantText.nullable(),
  error_message: z.string().nullable(),
  /** The code of why the job was cancelled or stopped. Null otherwise, also where recipients failed: each delivery has its own. */
  reason_code: CodeOfRow,
  payload: z.record(z.string(), z.unknown()),
  created_at: InstantText,
  updated_at: InstantText,
});
export type Job = z.output<typeof Job>;

/** A job with what became of its messages, and of the people to whom they go. */
export const CountedJob = Job.extend({
  /** Null in a list where counting would take too long: for a running job, and for one of a thousand recipients that has not ended. */
  recipients: RecipientCounts.nullable(),
  /** Null in a list for a running job, and for one of more than a thousand recipients. */
  people: PeopleCounts.nullable(),
});
export type CountedJob = z.output<typeof CountedJob>;

/** What became of one recipient of a job. */
const RecipientOutcome = Delivery.pick({
  channel: true,
  recipient: true,
  status: true,
  reason: true,
  reason_code: true,
  reason_params: true,
  attempts: true,
  completed_at: true,
});

/** How many recipients' outcomes the answer about a job contains at most. */
export const shownOutcomes = 100;

/** How many seconds a request can wait for the end of a job. */
export const maxWaitSeconds = 60;

/** A job as lists show it. */
export const JobSummary = CountedJob.omit({ payload: true });
export type JobSummary = z.output<typeof JobSummary>;

export const JobCounts = z.object({
  total: z.number().int(),
  pending: z.number().int(),
  running: z.number().int(),
  completed: z.number().int(),
  failed: z.number().int(),
  cancelled: z.number().int(),
  paused: z.number().int(),
});

/** `true` includes archived jobs, `only` returns nothing else; they are excluded by default. */
export const archivedFilters = ['true', 'false', 'only'] as const;
export type ArchivedFilter = (typeof archivedFilters)[number];

const WithArchived = { archived: z.enum(archivedFilters, 'must be true, false or only').default('false') };

/** `true` includes tests of reminders, and links to their preferences that recipients asked for; `only` returns tests alone. */
export const testsFilters = ['true', 'false', 'only'] as const;
export type TestsFilter = (typeof testsFilters)[number];

const Tests = z.enum(testsFilters, 'must be true, false or only');

/** `soonest` sorts by the time for which a job is scheduled, for jobs that lie ahead. */
const jobSorts = ['newest', 'soonest'] as const;
export type JobSort = (typeof jobSorts)[number];

const act = <const Verb extends string>(verb: Verb, summary: string) =>
  post(`/api/jobs/:id/${verb}`, {
    access: 'member',
    summary,
    answer: CountedJob,
  });

const JobMatches = {
  status: z.enum([...jobStatuses, 'all']).default('all'),
  /** Only jobs scheduled in [from, to); the caller computes the limits of a day in its zone. */
  from: InstantInput.optional(),
  to: InstantInput.optional(),
  /** A part of the name; or the address, the number or a part of the name of a person to whom the job goes or went. */
  search: Text(200).optional(),
  reminder_id: Id.optional(),
  tests: Tests.default('true'),
  ...WithArchived,
};

export const jobRoutes = {
  listJobs: get('/api/jobs', {
    access: 'member',
    summary: 'List jobs, newest first by default',
    query: PageQuery.extend({
      ...JobMatches,
      ...ListView,
      sort: z.enum(jobSorts, 'must be newest or soonest').default('newest'),
    }),
    answer: Page(z.union([CountedJob, JobSummary])),
  }),
  countJobs: get('/api/jobs/counts', {
    access: 'member',
    summary: 'The number of jobs in each status, tests of reminders and links to preferences left out',
    query: z.strictObject({
      from: InstantInput.optional(),
      to: InstantInput.optional(),
      tests: Tests.default('false'),
      ...WithArchived,
    }),
    answer: JobCounts,
  }),
  exportJobs: get('/api/jobs/export', {
    access: 'member',
    summary: 'The jobs that match a filter as CSV, newest first',
    query: z.strictObject({ ...JobMatches, workspace: Id.optional() }),
    answer: 'file',
  }),
  getJob: get('/api/jobs/:id', {
    access: 'member',
    // A key with only the scope `send` sees the jobs that it asked for itself.
    scope: ['read', 'send'],
    summary:
      'Get a job; with wait, once it has ended or that many seconds have passed, and with the outcome of each recipient',
    query: z.strictObject({ wait: z.coerce.number().int().min(0).max(maxWaitSeconds).optional() }),
    answer: CountedJob.extend({
      /** The outcomes of the first hundred recipients, problems first; only with `wait`. GET /api/jobs/{id}/deliveries lists all. */
      outcomes: z.array(RecipientOutcome).optional(),
    }),
  }),
  getJobReach: get('/api/jobs/:id/reach', {
    access: 'member',
    summary: 'Who would get a job if it began now, and who would not, by reason',
    limit: { usage: 'counts' },
    isCostly: true,
    query: ReachQuery,
    answer: Reach,
  }),
  listReminderRuns: get('/api/reminders/:id/runs', {
    access: 'member',
    summary: 'List the runs of a reminder, newest first, without tests and occurrences that have not begun',
    query: PageQuery,
    answer: Page(JobSummary),
  }),
  pauseJob: act('pause', 'Pause a pending job'),
  resumeJob: { ...act('resume', 'Resume a paused job'), beginsMessages: true as const },
  retryJob: {
    ...act(
      'retry',
      'Run a failed or cancelled job again at once, for the recipients that it has not reached; one that was cancelled before its time is sent now',
    ),
    beginsMessages: true as const,
  },
  cancelJob: act('cancel', 'Cancel a pending or running job'),
};
