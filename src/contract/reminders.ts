import { z } from 'zod';
import { Audience, isAudience } from '#contract/audience.ts';
import { ActorKind } from '#contract/audit-log.ts';
import {
  Empty,
  Id,
  IdParams,
  ifMissing,
  InstantInput,
  InstantText,
  ListView,
  Page,
  PageQuery,
  RequiredName,
  RequiredText,
  Text,
  withoutRepeats,
} from '#contract/common.ts';
import { jobStatuses, RecipientCounts } from '#contract/job-states.ts';
import { misfirePolicies } from '#contract/misfire.ts';
import { route } from '#contract/route.ts';
import { Forecast, ForecastBody, ScheduleConfig, triggerTypes } from '#contract/schedules.ts';

export const channelTypes = ['email', 'sms', 'whatsapp', 'webhook', 'slack', 'push'] as const;
export type ChannelType = (typeof channelTypes)[number];

export const reminderStatuses = ['active', 'paused', 'draft'] as const;
export type ReminderStatus = (typeof reminderStatuses)[number];

export const quickVariables = [
  'recipient_name',
  'recipient_email',
  'current_date',
  'current_month',
  'current_year',
  'company_name',
  'due_date',
  'amount',
  'product_name',
] as const;

export const limits = {
  name: 100,
  description: 500,
  subject: 998,
  message: 100_000,
  recipients: 10_000,
  variables: 200,
} as const;

/** An index entry of the ledger contains the whole recipient and can be at most 2,704 bytes. */
export const Recipient = RequiredText(2000, { missing: 'must not be blank' }).refine(
  (text) => new TextEncoder().encode(text).length <= 2000,
  'must be at most 2000 bytes',
);

const recipientRequired = 'At least one recipient is required';

export const ReminderContent = z.strictObject({
  subject: RequiredText(limits.subject, { missing: 'Subject is required' }),
  message: RequiredText(limits.message, { missing: 'Message is required' }),
  variables: z.array(Text(100)).max(limits.variables).optional(),
  /** The variables' values in every message of this reminder. */
  values: z.record(Text(100), Text(2000)).optional(),
  /** Each is an address, phone number or URL, or `Name <address>`. */
  recipients: z.array(Recipient, ifMissing(recipientRequired)).max(limits.recipients),
});

/**
 * `every`: sends over all channels. `in_order`: sends over the first suitable channel, and over the next one only after that has
 * permanently failed.
 */
export const channelModes = ['every', 'in_order'] as const;

export const ReminderMetadata = z.strictObject({
  channels: z
    .array(z.enum(channelTypes), ifMissing('At least one channel is required'))
    .min(1, 'At least one channel is required')
    .overwrite(withoutRepeats),
  priority: z.enum(['low', 'medium', 'high']).default('medium'),
  source: Text(50).optional(),
  /** The workspace's rule by default. */
  misfire: z.enum(misfirePolicies).optional(),
  /** `every` by default. */
  channel_mode: z.enum(channelModes).optional(),
  /** The id of the preferred channel of a type; another one sends when it cannot. */
  pinned_channels: z.partialRecord(z.enum(channelTypes), Id).optional(),
  /** The template that the reminder was created from; later changes to the template do not affect it. */
  template_id: Id.optional(),
  /** Contacts to whom it is sent beside `content.recipients`, which may then be empty. */
  audience: Audience.optional(),
  /** An event reminder is also sent to whom the event names; `content.recipients` may then be empty. */
  event_recipients: z.boolean().optional(),
});

const WithRecipients = z.looseObject({
  schedule_config: z.looseObject({ type: z.enum(triggerTypes) }),
  content: z.looseObject({ recipients: z.array(z.unknown()) }),
  metadata: z.looseObject({ audience: Audience.optional(), event_recipients: z.boolean().optional() }),
});

/** Whether the event that triggers a reminder names recipients of it. */
export const isForEvent = ({
  schedule_config: { type },
  metadata,
}: {
  schedule_config: { type: ScheduleConfig['type'] };
  metadata: { event_recipients?: boolean | undefined };
}): boolean => type === 'event-based' && metadata.event_recipients === true;

/** The fields that a person edits; Cuebird sets the others. */
export const ReminderInput = z
  .strictObject({
    name: RequiredName(limits.name, {
      missing: 'Title is required',
      tooLong: 'Title must be less than 100 characters',
    }),
    description: Text(limits.description, 'Description must be less than 500 characters').nullable().default(null),
    status: z.enum(reminderStatuses).default('active'),
    schedule_config: ScheduleConfig,
    content: ReminderContent,
    metadata: ReminderMetadata,
  })
  .refine((input) => input.content.recipients.length > 0 || isAudience(input.metadata.audience) || isForEvent(input), {
    path: ['content', 'recipients'],
    error: recipientRequired,
    // Also when other fields are wrong, so that all are told at once.
    when: ({ value }) => WithRecipients.safeParse(value).success,
  });
export type ReminderInput = z.output<typeof ReminderInput>;

export const Reminder = z.object({
  id: Id,
  workspace_id: Id,
  name: z.string(),
  description: z.string().nullable(),
  status: z.enum(reminderStatuses),
  /** When it resumes by itself; null unless it is paused until a date. */
  paused_until: InstantText.nullable(),
  schedule_config: ScheduleConfig,
  content: ReminderContent,
  metadata: ReminderMetadata,
  created_by: Id.nullable(),
  created_at: InstantText,
  updated_at: InstantText,
  /** The next occurrence that will be sent; null when there is none. */
  next_run_at: InstantText.nullable(),
  /** Problems that may prevent delivery, in whole sentences. */
  warnings: z.array(z.string()),
});
export type Reminder = z.output<typeof Reminder>;

export const shownRecipients = 3;

/** The last run of a reminder. `recipients` is null where counting them would take too long. */
export const LastRun = z.object({
  id: Id,
  status: z.enum(jobStatuses),
  scheduled_for: InstantText,
  recipients: RecipientCounts.nullable(),
});
export type LastRun = z.output<typeof LastRun>;

/** A reminder as lists show it: without its message, with the first three recipients and their number, and with its last run. */
export const ReminderSummary = Reminder.extend({
  last_run: LastRun.nullable(),
  /** When the sending hours open after `next_run_at`, if that is outside of them: it waits until then. */
  opens_at: InstantText.nullable(),
  content: z.object({
    subject: z.string(),
    recipients: z.array(z.string()).max(shownRecipients),
    recipient_count: z.number().int(),
  }),
});
export type ReminderSummary = z.output<typeof ReminderSummary>;

export const testRecipientRequired = { path: ['recipients'], error: 'Please add at least one test recipient' };

/** A test goes only to the recipients in the request. */
export const TestBody = z
  .strictObject({
    recipients: z.array(Recipient).max(100).default([]),
    /** Also posts to the reminder's Slack channel. */
    slack: z.boolean().default(false),
    /** Also pushes to the caller's own browsers. */
    push: z.boolean().default(false),
    subject: RequiredText(limits.subject, { missing: 'Please provide both subject and message' }),
    message: RequiredText(limits.message, { missing: 'Please provide both subject and message' }),
    /** The message says what it would say to this contact. */
    values_of: Id.optional(),
  })
  .refine((test) => recipientsOfTest(test) > 0, testRecipientRequired);

/** The number of recipients of a test; Slack and the caller's browsers count as one each. */
export const recipientsOfTest = (test: { recipients: readonly string[]; slack: boolean; push: boolean }): number =>
  test.recipients.length + Number(test.slack) + Number(test.push);

/** A minus reverses the order. Status order is active, paused, draft, each newest first. Reminders without a next run are always last. */
export const reminderSorts = [
  '-created',
  'created',
  'name',
  '-name',
  'next_run',
  '-next_run',
  'status',
  '-status',
] as const;
export type ReminderSort = (typeof reminderSorts)[number];

export const bulkActions = ['pause', 'resume', 'delete'] as const;
export type BulkAction = (typeof bulkActions)[number];

/** The maximum number of reminders in one bulk request. */
export const bulkLimit = 200;

const Ids = z.array(Id).min(1, 'At least one reminder is required').max(bulkLimit);

/** The results in the order of the request. A refusal has its reason and does not affect the other reminders. */
export const BulkAnswer = z.object({
  results: z.array(
    z.discriminatedUnion('result', [
      z.object({ id: Id, result: z.literal('done') }),
      /** It was not started, or paused before: it stays what it was. */
      z.object({ id: Id, result: z.literal('unchanged'), message: z.string() }),
      z.object({ id: Id, result: z.literal('refused'), message: z.string() }),
    ]),
  ),
});
export type BulkAnswer = z.output<typeof BulkAnswer>;

/** What a reminder said before an edit. `last_sent_at` is the latest of its last 1,000 runs with this text; null where none is. */
export const EarlierText = z.object({
  revision: z.number().int(),
  subject: z.string(),
  message: z.string(),
  last_sent_at: InstantText.nullable(),
});
export type EarlierText = z.output<typeof EarlierText>;

/** Who changed a reminder, when, and which of its fields. */
export const ReminderChange = z.object({
  id: Id,
  created_at: InstantText,
  /** Named as at the time of the change. */
  actor: z.object({ kind: ActorKind, name: z.string().nullable() }),
  action: z.string(),
  /** As in `message, recipients`; only of an edit. */
  fields: z.string().nullable(),
  /** Until when it was paused; null when without an end. */
  until: InstantText.nullable(),
});
export type ReminderChange = z.output<typeof ReminderChange>;

/** Until when all reminders are paused; null when they are not. */
const AllPaused = z.object({ reminders_paused_until: InstantText.nullable() });

/** When a pause ends by itself: in the future, and within a year. */
const PauseEnd = InstantInput;
const onlyPauses = { path: ['until'], error: 'Only a pause has an end' };

export const reminderRoutes = {
  listReminders: route({
    method: 'get',
    path: '/api/reminders',
    access: 'member',
    summary: 'List reminders, newest first by default',
    query: PageQuery.extend({
      search: Text(200).optional(),
      status: z.enum([...reminderStatuses, 'all']).default('all'),
      sort: z.enum(reminderSorts).default('-created'),
      ...ListView,
      // The cursor contains a name when the list is sorted by name.
      cursor: z.string().max(1_500).optional(),
    }),
    answer: Page(z.union([Reminder, ReminderSummary])),
  }),
  createReminder: route({
    method: 'post',
    path: '/api/reminders',
    access: 'member',
    summary: 'Create a reminder',
    body: ReminderInput,
    answer: Reminder,
    status: 201,
  }),
  getReminder: route({
    method: 'get',
    path: '/api/reminders/:id',
    access: 'member',
    summary: 'Get a reminder',
    params: IdParams,
    answer: Reminder,
  }),
  updateReminder: route({
    method: 'put',
    path: '/api/reminders/:id',
    access: 'member',
    summary: 'Replace a reminder; its next occurrence is computed again',
    params: IdParams,
    body: ReminderInput,
    answer: Reminder,
  }),
  setReminderStatus: route({
    method: 'patch',
    path: '/api/reminders/:id',
    access: 'member',
    summary: 'Pause or resume a reminder; a pause with an end resumes by itself',
    params: IdParams,
    body: z
      .strictObject({ status: z.enum(['active', 'paused']), until: PauseEnd.optional() })
      .refine(({ status, until }) => status === 'paused' || until === undefined, onlyPauses),
    answer: Reminder,
  }),
  deleteReminder: route({
    method: 'delete',
    path: '/api/reminders/:id',
    access: 'member',
    summary: 'Delete a reminder; its deliveries stay in the ledger, and it can be restored for a day',
    params: IdParams,
    answer: Empty,
  }),
  restoreReminders: route({
    method: 'post',
    path: '/api/reminders/restore',
    access: 'member',
    summary: 'Restore reminders within a day of their deletion, with their pending jobs',
    body: z.strictObject({ ids: Ids }),
    answer: BulkAnswer,
  }),
  actOnReminders: route({
    method: 'post',
    path: '/api/reminders/bulk',
    access: 'member',
    summary: 'Pause, resume or delete several reminders, with a result for each',
    body: z
      .strictObject({ ids: Ids, action: z.enum(bulkActions), until: PauseEnd.optional() })
      .refine(({ action, until }) => action === 'pause' || until === undefined, onlyPauses),
    answer: BulkAnswer,
  }),
  pauseAllReminders: route({
    method: 'post',
    path: '/api/reminders/pause-all',
    access: 'admin',
    summary: 'Pause all reminders of the workspace until an instant; each keeps its status',
    body: z.strictObject({ until: PauseEnd }),
    answer: AllPaused,
  }),
  resumeAllReminders: route({
    method: 'post',
    path: '/api/reminders/resume-all',
    access: 'admin',
    summary: 'End the pause of all reminders now',
    answer: AllPaused,
  }),
  duplicateReminder: route({
    method: 'post',
    path: '/api/reminders/:id/duplicate',
    access: 'member',
    summary: 'Copy a reminder into a draft',
    params: IdParams,
    answer: Reminder,
    status: 201,
  }),
  listEarlierTexts: route({
    method: 'get',
    path: '/api/reminders/:id/texts',
    access: 'member',
    summary: 'What a reminder said before its edits, where it was sent so; the latest 20, newest first',
    params: IdParams,
    answer: z.object({ data: z.array(EarlierText) }),
  }),
  listReminderChanges: route({
    method: 'get',
    path: '/api/reminders/:id/changes',
    access: 'member',
    summary: 'Who changed a reminder, when and what; the latest 50 of the last 400 days, newest first',
    params: IdParams,
    answer: z.object({ data: z.array(ReminderChange) }),
  }),
  listOccurrences: route({
    method: 'get',
    path: '/api/reminders/:id/occurrences',
    access: 'member',
    summary: 'When a reminder will be sent next, or would be if it were active',
    params: IdParams,
    query: z.strictObject({ count: z.coerce.number().int().min(1).max(100).default(10) }),
    answer: Forecast,
  }),
  testReminder: route({
    method: 'post',
    path: '/api/reminders/:id/test',
    access: 'member',
    summary: 'Send a test of this reminder now, only to the recipients of the test',
    params: IdParams,
    body: TestBody,
    limit: { usage: 'tests', cost: (body) => recipientsOfTest(TestBody.parse(body)) },
    answer: z.object({ job_id: Id }),
    status: 201,
  }),
  forecastReminder: route({
    method: 'post',
    path: '/api/reminders/forecast',
    access: 'member',
    summary: 'The next occurrences of a schedule, as the scheduler computes them',
    body: ForecastBody,
    answer: Forecast,
  }),
};
