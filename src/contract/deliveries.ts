import { z } from 'zod';
import { channelTypes } from '#contract/channel-types.ts';
import { Id, InstantInput, InstantText, Page, PageQuery, RequiredText, Text } from '#contract/common.ts';
import { recipientGroups } from '#contract/job-states.ts';
import { CodeOfRow } from '#contract/reason-codes.ts';
import { ParamsOfRow } from '#contract/reason-params.ts';
import { get } from '#contract/route.ts';

/** `queued`: not started. `sending`: an attempt is in flight. `waiting`: a retry is scheduled. The others are final. */
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

const deliveryStatus = z.enum(deliveryStatuses);

const said = { words: z.string().nullable(), reason_code: CodeOfRow, reason_params: ParamsOfRow };

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
    reason_code: CodeOfRow,
    reason_params: ParamsOfRow,
    channel_id: Id.nullable(),
    provider: z.string().nullable(),
    provider_answer: z.string().nullable(),
    next_attempt_at: InstantText.nullable(),
  }),
  z.object({
    kind: z.literal('put_off'),
    reason: z.string().nullable(),
    reason_code: CodeOfRow,
    reason_params: ParamsOfRow,
    next_attempt_at: InstantText.nullable(),
  }),
  z.object({ kind: z.literal('report'), at: InstantText, status: deliveryStatus, ...said }),
  z.object({ kind: z.literal('ended'), at: InstantText, status: deliveryStatus, ...said }),
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
  /** The contact's id, for a person of the reminder's audience; the contact may be deleted since. */
  contact_id: Id.nullable(),
  /** What made them part of it: `contact`, a group or a tag with its name, or `everyone`. For an address that came from the contact of a listed one: that one. */
  through: z.string().nullable(),
  /** Whether the channel came before the order of the reminder, because the person prefers it. */
  by_preference: z.boolean(),
  status: deliveryStatus,
  attempts: z.number().int(),
  reason: z.string().nullable(),
  /** The code of the reason; null without a reason, and for deliveries from versions that had no codes. */
  reason_code: CodeOfRow,
  /** What the code is about; null for codes without parameters. */
  reason_params: ParamsOfRow,
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
    /** Null for a mail that is sent as text alone, because it would be too large. */
    html: z.string().nullable(),
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

const Certainty = z.enum(['sent', 'changed', 'unverified', 'unsent']);
export type Certainty = z.output<typeof Certainty>;

/**
 * The message of a recipient, rendered again from saved data. `sent`: identical to the message that was sent. `changed`: its data has
 * changed since, so the sent message differed. `unverified`: nothing was kept to compare it with. `unsent`: nothing has been sent yet. `lost`: it cannot be rendered again, for the
 * given reason.
 */
export const DeliveryMessage = z.discriminatedUnion('certainty', [
  z.object({ certainty: Certainty, message: ShownMessage }),
  z.object({ certainty: z.literal('lost'), reason: z.string() }),
]);
export type DeliveryMessage = z.output<typeof DeliveryMessage>;

/** The message of a line of a report, as text. `name` is the job's name and `title` the subject, both with the person's values. */
const ReportMessage = z.discriminatedUnion('certainty', [
  z.object({
    certainty: Certainty,
    name: z.string(),
    title: z.string().nullable(),
    text: z.string(),
  }),
  z.object({ certainty: z.literal('lost'), reason: z.string() }),
]);
export type ReportMessage = z.output<typeof ReportMessage>;

export const ReportLine = DeliveryWithTimeline.extend({ message: ReportMessage });
export type ReportLine = z.output<typeof ReportLine>;

/** How many lines of a report are written for one request: each is a message that is rendered. */
export const reportLinesAtOnce = 50;

/** One person of a report: a contact by its id, or a recipient who is none by address or number. */
const ReportPerson = { contact: Id.optional(), recipient: Text(2_048).optional() };

export const deliveryRoutes = {
  listDeliveries: get('/api/jobs/:id/deliveries', {
    access: 'member',
    summary: 'List the deliveries of a job, by recipient',
    query: PageQuery.extend({
      /** Only deliveries in this group of outcomes. */
      group: z.enum(recipientGroups).optional(),
      /** A part of the name, address or number, in any case. */
      search: Text(200).optional(),
      order: z.enum(['newest', 'problems_first'], 'must be newest or problems_first').default('newest'),
    }),
    answer: Page(DeliveryWithTimeline),
  }),
  exportDeliveries: get('/api/jobs/:id/deliveries.csv', {
    access: 'member',
    summary: 'The deliveries of a job as CSV, one line for each event',
    query: z.strictObject({ workspace: Id.optional() }),
    answer: 'file',
  }),
  getReport: get('/api/jobs/:id/report', {
    access: 'member',
    summary: 'The report of a job: its deliveries, each with its message as it was sent, problems first',
    isCostly: true,
    query: PageQuery.extend({
      limit: z.coerce.number().int().min(1).max(reportLinesAtOnce).default(reportLinesAtOnce),
      ...ReportPerson,
    }),
    answer: Page(ReportLine),
  }),
  exportReport: get('/api/jobs/:id/report.csv', {
    access: 'member',
    summary: 'The report of a job as CSV, one line for each message',
    query: z.strictObject({ ...ReportPerson, workspace: Id.optional() }),
    answer: 'file',
  }),
  exportLedger: get('/api/deliveries/export', {
    access: 'member',
    summary:
      'The deliveries of all jobs that are scheduled in a range as CSV, oldest first, those of archived jobs too',
    query: z.strictObject({
      /** Only of jobs scheduled in [from, to). */
      from: InstantInput.optional(),
      to: InstantInput.optional(),
      channel: z.enum(channelTypes).optional(),
      status: deliveryStatus.optional(),
      workspace: Id.optional(),
    }),
    answer: 'file',
  }),
  getMessage: get('/api/jobs/:id/message', {
    access: 'member',
    summary: 'The message of a recipient of a job on a channel, sent or still to be sent',
    query: z.strictObject({
      channel: z.enum(channelTypes),
      recipient: RequiredText(2_048, { missing: 'is required' }),
    }),
    answer: DeliveryMessage,
  }),
};
