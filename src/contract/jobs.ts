import { z } from 'zod';
import {
  Id,
  IdParams,
  InstantInput,
  InstantText,
  ListView,
  Page,
  PageQuery,
  RequiredText,
  Text,
} from '#contract/common.ts';
import { jobStatuses, RecipientCounts, recipientGroups } from '#contract/job-states.ts';
import { Reach, ReachQuery } from '#contract/reach.ts';
import { channelTypes } from '#contract/reminders.ts';
import { route } from '#contract/route.ts';

export const jobTypes = ['reminder', 'event_reminder', 'test_reminder', 'api_notification'] as const;
export type JobType = (typeof jobTypes)[number];

/** `queued`: not started. `sending`: an attempt is in flight. `waiting`: a retry is planned. The others are final. */
export const deliveryStatuses = [
  'queued',
  'sending',
  'waiting',
  'accepted',
  'delivered',
  'failed',
  'skipped',
  'unknown',
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Whom a search of jobs looks for: this many contacts that match. */
export const jobSearchLimits = { people: 20 } as const;

export const Job = z.object({
  id: Id,
  workspace_id: Id,
  reminder_id: Id.nullable(),
  name: z.string(),
  type: z.enum(jobTypes),
  status: z.enum(jobStatuses),
  scheduled_for: InstantText,
  /** When the engine next runs the job; later than `scheduled_for` while a retry waits. */
  run_at: InstantText,
  attempts: z.number().int(),
  max_attempts: z.number().int(),
  started_at: InstantText.nullable(),
  completed_at: InstantText.nullable(),
  /** When the job was archived, which removes it from the lists. */
  archived_at: InstantText.nullable(),
  error_message: z.string().nullable(),
  payload: z.record(z.string(), z.unknown()),
  created_at: InstantText,
  updated_at: InstantText,
});
export type Job = z.output<typeof Job>;

/** A job with what became of its recipients. */
export const CountedJob = Job.extend({
  /** Null in a list where counting would take too long: a running job, and one of a thousand recipients that has not ended. */
  recipients: RecipientCounts.nullable(),
});
export type CountedJob = z.output<typeof CountedJob>;

/** A job as lists show it. */
export const JobSummary = CountedJob.omit({ payload: true });
export type JobSummary = z.output<typeof JobSummary>;

const deliveryStatus = z.enum(deliveryStatuses);

/**
 * An event in the delivery to one recipient. `attempt`: an attempt, from its start to its answer. `put_off`: an attempt was postponed.
 * `report`: a later status, such as a provider's callback. `retried`: a person retried the delivery. `ended`: the delivery ended
 * without a further attempt.
 */
export const DeliveryEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('attempt'),
    /** Counts from 1, and again from 1 after a person retries the delivery. */
    number: z.number().int(),
    status: deliveryStatus,
    began_at: InstantText,
    answered_at: InstantText.nullable(),
    reason: z.string().nullable(),
    channel_id: Id.nullable(),
    provider: z.string().nullable(),
    provider_answer: z.string().nullable(),
    next_attempt_at: InstantText.nullable(),
  }),
  z.object({ kind: z.literal('put_off'), reason: z.string().nullable(), next_attempt_at: InstantText.nullable() }),
  z.object({ kind: z.literal('report'), at: InstantText, status: deliveryStatus, words: z.string().nullable() }),
  z.object({ kind: z.literal('ended'), at: InstantText, status: deliveryStatus, words: z.string().nullable() }),
  z.object({ kind: z.literal('retried'), at: InstantText }),
]);
export type DeliveryEvent = z.output<typeof DeliveryEvent>;

/** One line of the ledger: the delivery of one occurrence to one recipient on one channel. */
export const Delivery = z.object({
  id: Id,
  job_id: Id,
  channel: z.enum(channelTypes),
  recipient: z.string(),
  recipient_name: z.string().nullable(),
  /** The contact, for a person of the reminder's audience; it may be gone. */
  contact_id: Id.nullable(),
  /** The way in which they belonged to it: contact, group and its name, tag and its name, everyone. */
  through: z.string().nullable(),
  status: deliveryStatus,
  attempts: z.number().int(),
  reason: z.string().nullable(),
  /** The workspace's channel of the last attempt; null before the first one, and where the installation's own channel sent it. */
  channel_id: Id.nullable(),
  provider: z.string().nullable(),
  provider_id: z.string().nullable(),
  provider_answer: z.string().nullable(),
  scheduled_for: InstantText,
  first_attempt_at: InstantText.nullable(),
  last_attempt_at: InstantText.nullable(),
  next_attempt_at: InstantText.nullable(),
  completed_at: InstantText.nullable(),
});
export type Delivery = z.output<typeof Delivery>;

/** `timeline` is sorted oldest first. */
export const DeliveryWithTimeline = Delivery.extend({ timeline: z.array(DeliveryEvent) });
export type DeliveryWithTimeline = z.output<typeof DeliveryWithTimeline>;

/** A message as its recipient receives it. The value of a header is null where it is secret. */
export const ShownMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('email'),
    from: z.string(),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
  }),
  z.object({
    kind: z.literal('request'),
    method: z.string(),
    url: z.string(),
    headers: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
    body: z.string(),
  }),
  z.object({ kind: z.literal('text'), title: z.string().nullable(), text: z.string() }),
]);
export type ShownMessage = z.output<typeof ShownMessage>;

/**
 * The message of a recipient, rendered again from saved data. `sent`: identical to the message that was sent. `changed`: its data has
 * changed since, so the sent message differed. `unsent`: nothing has been sent yet. `lost`: it cannot be rendered again, for the
 * given reason.
 */
export const DeliveryMessage = z.discriminatedUnion('certainty', [
  z.object({ certainty: z.enum(['sent', 'changed', 'unsent']), message: ShownMessage }),
  z.object({ certainty: z.literal('lost'), reason: z.string() }),
]);
export type DeliveryMessage = z.output<typeof DeliveryMessage>;

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

/** `true` includes tests of reminders, `only` returns nothing else. */
export const testsFilters = ['true', 'false', 'only'] as const;
export type TestsFilter = (typeof testsFilters)[number];

const Tests = z.enum(testsFilters, 'must be true, false or only');

const act = (verb: string, summary: string) =>
  route({
    method: 'post',
    path: `/api/jobs/:id/${verb}`,
    access: 'member',
    summary,
    params: IdParams,
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
  listJobs: route({
    method: 'get',
    path: '/api/jobs',
    access: 'member',
    summary: 'List jobs, newest first',
    query: PageQuery.extend({ ...JobMatches, ...ListView }),
    answer: Page(z.union([CountedJob, JobSummary])),
  }),
  countJobs: route({
    method: 'get',
    path: '/api/jobs/counts',
    access: 'member',
    summary: 'The number of jobs in each status, tests of reminders left out',
    query: z.strictObject({
      from: InstantInput.optional(),
      to: InstantInput.optional(),
      tests: Tests.default('false'),
      ...WithArchived,
    }),
    answer: JobCounts,
  }),
  exportJobs: route({
    method: 'get',
    path: '/api/jobs/export',
    access: 'member',
    summary: 'The jobs that match a filter as CSV, newest first',
    query: z.strictObject({ ...JobMatches, workspace: Id.optional() }),
    answer: 'file',
  }),
  getJob: route({
    method: 'get',
    path: '/api/jobs/:id',
    access: 'member',
    summary: 'Get a job',
    params: IdParams,
    answer: CountedJob,
  }),
  listDeliveries: route({
    method: 'get',
    path: '/api/jobs/:id/deliveries',
    access: 'member',
    summary: 'List the deliveries of a job, by recipient',
    params: IdParams,
    query: PageQuery.extend({
      /** Only deliveries of this group. */
      group: z.enum(recipientGroups).optional(),
      /** A part of the name, address or number, in any case. */
      search: Text(200).optional(),
      order: z.enum(['newest', 'problems_first'], 'must be newest or problems_first').default('newest'),
    }),
    answer: Page(DeliveryWithTimeline),
  }),
  exportDeliveries: route({
    method: 'get',
    path: '/api/jobs/:id/deliveries.csv',
    access: 'member',
    summary: 'The deliveries of a job as CSV, one line for each event',
    params: IdParams,
    query: z.strictObject({ workspace: Id.optional() }),
    answer: 'file',
  }),
  getJobReach: route({
    method: 'get',
    path: '/api/jobs/:id/reach',
    access: 'member',
    summary: 'Who would get a job if it began now, and who would not, by reason',
    limit: { usage: 'counts' },
    isCostly: true,
    params: IdParams,
    query: ReachQuery,
    answer: Reach,
  }),
  listReminderRuns: route({
    method: 'get',
    path: '/api/reminders/:id/runs',
    access: 'member',
    summary: 'List the runs of a reminder, newest first, without tests and occurrences that have not begun',
    params: IdParams,
    query: PageQuery,
    answer: Page(JobSummary),
  }),
  getMessage: route({
    method: 'get',
    path: '/api/jobs/:id/message',
    access: 'member',
    summary: 'The message of a recipient of a job on a channel, sent or still to be sent',
    params: IdParams,
    query: z.strictObject({
      channel: z.enum(channelTypes),
      recipient: RequiredText(2_048, { missing: 'is required' }),
    }),
    answer: DeliveryMessage,
  }),
  pauseJob: act('pause', 'Pause a pending job'),
  resumeJob: act('resume', 'Resume a paused job'),
  retryJob: act('retry', 'Run a failed or cancelled job again, for the recipients that it has not reached'),
  cancelJob: act('cancel', 'Cancel a pending or running job'),
};
