import { z } from 'zod';
import { Id, IdParams, InstantInput, InstantText, Page, PageQuery, RequiredText, Text } from '#contract/common.ts';
import { channelTypes } from '#contract/reminders.ts';
import { route } from '#contract/route.ts';

export const jobStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled', 'paused'] as const;
export type JobStatus = (typeof jobStatuses)[number];

export const jobTypes = ['reminder', 'event_reminder', 'test_reminder', 'api_notification'] as const;
export type JobType = (typeof jobTypes)[number];

/** `queued`: not begun. `sending`: an attempt is under way. `waiting`: will be tried again. The rest are final. */
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

export const Job = z.object({
  id: Id,
  workspace_id: Id,
  reminder_id: Id.nullable(),
  name: z.string(),
  type: z.enum(jobTypes),
  status: z.enum(jobStatuses),
  scheduled_for: InstantText,
  /** When the engine takes it up next; later than `scheduled_for` while a retry waits. */
  run_at: InstantText,
  attempts: z.number().int(),
  max_attempts: z.number().int(),
  started_at: InstantText.nullable(),
  completed_at: InstantText.nullable(),
  /** Since when it has left the lists for the archive. */
  archived_at: InstantText.nullable(),
  error_message: z.string().nullable(),
  payload: z.record(z.string(), z.unknown()),
  created_at: InstantText,
  updated_at: InstantText,
});
export type Job = z.output<typeof Job>;

const deliveryStatus = z.enum(deliveryStatuses);

/**
 * What happened to one recipient. `attempt`: from its beginning to its answer. `put_off`: it could not be made then. `report`:
 * somebody told more of it later, as a provider's call-back does. `retried`: a person had it tried again. `ended`: nothing
 * more was attempted.
 */
export const DeliveryEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('attempt'),
    /** 1 for the first, and for the first after a person had it tried again. */
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

/** One line of the ledger: what became of one recipient of one occurrence on one channel. */
export const Delivery = z.object({
  id: Id,
  job_id: Id,
  channel: z.enum(channelTypes),
  recipient: z.string(),
  recipient_name: z.string().nullable(),
  status: deliveryStatus,
  attempts: z.number().int(),
  reason: z.string().nullable(),
  /** The workspace's channel that the last attempt went over; null before any, and where the installation's own sent. */
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

/** `timeline`: oldest first. */
export const DeliveryWithTimeline = Delivery.extend({ timeline: z.array(DeliveryEvent) });
export type DeliveryWithTimeline = z.output<typeof DeliveryWithTimeline>;

/** A message as its recipient gets it. A header's value is null where it is a secret. */
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
 * What a recipient got or is to get, written again from what was saved. `sent`: in the very words that were sent. `changed`:
 * something that it names has changed since, so that what was sent had other words. `unsent`: nothing was sent so far.
 * `lost`: it cannot be written again, for the reason given.
 */
export const DeliveryMessage = z.discriminatedUnion('certainty', [
  z.object({ certainty: z.enum(['sent', 'changed', 'unsent']), message: ShownMessage }),
  z.object({ certainty: z.literal('lost'), reason: z.string() }),
]);
export type DeliveryMessage = z.output<typeof DeliveryMessage>;

/** Somebody whom a job is to reach; `problem` where nothing will be sent to them. */
export const JobTarget = z.object({
  channel: z.enum(channelTypes),
  recipient: z.string(),
  recipient_name: z.string().nullable(),
  problem: z.string().nullable(),
  /** Sent to only where the one before in the list cannot be reached. */
  is_fallback: z.boolean(),
});
export type JobTarget = z.output<typeof JobTarget>;

export const JobExecution = z.object({
  id: Id,
  job_id: Id,
  status: z.enum(['pending', 'running', 'completed', 'failed']),
  started_at: InstantText,
  completed_at: InstantText.nullable(),
  duration_ms: z.number().int().nullable(),
  error_message: z.string().nullable(),
  logs: z.record(z.string(), z.unknown()),
  job: z.object({ name: z.string(), type: z.enum(jobTypes), workspace_id: Id }),
});
export type JobExecution = z.output<typeof JobExecution>;

export const JobCounts = z.object({
  total: z.number().int(),
  pending: z.number().int(),
  running: z.number().int(),
  completed: z.number().int(),
  failed: z.number().int(),
  cancelled: z.number().int(),
  paused: z.number().int(),
});

/** Whether archived jobs are among the rest; they are left out unless asked for. */
const WithArchived = { archived: z.enum(['true', 'false'], 'must be true or false').optional() };

const act = (verb: string, summary: string) =>
  route({ method: 'post', path: `/api/jobs/:id/${verb}`, access: 'member', summary, params: IdParams, answer: Job });

export const jobRoutes = {
  listJobs: route({
    method: 'get',
    path: '/api/jobs',
    access: 'member',
    summary: 'The jobs of the workspace, newest first',
    query: PageQuery.extend({
      status: z.enum([...jobStatuses, 'all']).default('all'),
      /** Only jobs scheduled in [from, to): the caller knows where its days begin. */
      from: InstantInput.optional(),
      to: InstantInput.optional(),
      search: Text(200).optional(),
      reminder_id: Id.optional(),
      ...WithArchived,
    }),
    answer: Page(Job),
  }),
  countJobs: route({
    method: 'get',
    path: '/api/jobs/counts',
    access: 'member',
    summary: 'How many jobs stand in each status',
    query: z.strictObject({
      from: InstantInput.optional(),
      to: InstantInput.optional(),
      ...WithArchived,
    }),
    answer: JobCounts,
  }),
  getJob: route({
    method: 'get',
    path: '/api/jobs/:id',
    access: 'member',
    summary: 'One job',
    params: IdParams,
    answer: Job,
  }),
  listDeliveries: route({
    method: 'get',
    path: '/api/jobs/:id/deliveries',
    access: 'member',
    summary: 'What became of each recipient of a job',
    params: IdParams,
    query: PageQuery,
    answer: Page(DeliveryWithTimeline),
  }),
  exportDeliveries: route({
    method: 'get',
    path: '/api/jobs/:id/deliveries.csv',
    access: 'member',
    summary: 'The recipients of a job as CSV, one line for each thing that happened to them',
    params: IdParams,
    query: z.strictObject({ workspace: Id.optional() }),
    answer: 'file',
  }),
  listJobTargets: route({
    method: 'get',
    path: '/api/jobs/:id/targets',
    access: 'member',
    summary: 'Whom a job that has not begun would reach as things stand, the first 200 of them',
    params: IdParams,
    answer: z.object({ data: z.array(JobTarget), total: z.number().int() }),
  }),
  getMessage: route({
    method: 'get',
    path: '/api/jobs/:id/message',
    access: 'member',
    summary: 'What one recipient of a job got on a channel, or is to get',
    params: IdParams,
    query: z.strictObject({
      channel: z.enum(channelTypes),
      recipient: RequiredText(2_048, { missing: 'is required' }),
    }),
    answer: DeliveryMessage,
  }),
  pauseJob: act('pause', 'Hold a pending job back'),
  resumeJob: act('resume', 'Let a paused job run'),
  retryJob: act('retry', 'Run a failed or cancelled job again, for the recipients not yet served'),
  cancelJob: act('cancel', 'Call a pending or running job off'),
  listJobExecutions: route({
    method: 'get',
    path: '/api/job-executions',
    access: 'member',
    summary: 'The latest runs of the engine, newest first',
    query: PageQuery.extend({ job_id: Id.optional() }),
    answer: Page(JobExecution),
  }),
  getJobExecution: route({
    method: 'get',
    path: '/api/job-executions/:id',
    access: 'member',
    summary: 'One run of the engine',
    params: IdParams,
    answer: JobExecution,
  }),
};
