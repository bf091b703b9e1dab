import { z } from 'zod';
import { Empty, Id, IdParams, ifMissing, InstantText, Page, PageQuery, RequiredText, Text } from '#contract/common.ts';
import { route } from '#contract/route.ts';
import { Forecast, ForecastBody, ScheduleConfig } from '#contract/schedules.ts';

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

/** An index entry of the ledger holds it whole, and such an entry takes 2,704 bytes at the most. */
export const Recipient = RequiredText(2000, { missing: 'must not be blank' }).refine(
  (text) => new TextEncoder().encode(text).length <= 2000,
  'must be at most 2000 bytes',
);

export const ReminderContent = z.strictObject({
  subject: RequiredText(limits.subject, { missing: 'Subject is required' }),
  message: RequiredText(limits.message, { missing: 'Message is required' }),
  variables: z.array(Text(100)).max(limits.variables).optional(),
  /** What the variables stand for in every message of this reminder. */
  values: z.record(Text(100), Text(2000)).optional(),
  /** An address, phone number or URL each, or `Name <address>`. */
  recipients: z
    .array(Recipient, ifMissing('At least one recipient is required'))
    .min(1, 'At least one recipient is required')
    .max(limits.recipients),
});

/** What becomes of occurrences that were missed while the service was down. */
export const misfirePolicies = ['latest', 'skip', 'all'] as const;

/**
 * `every`: over all channels at once. `in_order`: a recipient gets it over the first channel that fits, and over the next one
 * only after that has failed for good.
 */
export const channelModes = ['every', 'in_order'] as const;

export const ReminderMetadata = z.strictObject({
  channels: z
    .array(z.enum(channelTypes), ifMissing('At least one channel is required'))
    .min(1, 'At least one channel is required'),
  priority: z.enum(['low', 'medium', 'high']).default('medium'),
  source: Text(50).optional(),
  /** `latest`, if not given: the newest is sent. `skip`: none. `all`: every one, 100 at most. */
  misfire: z.enum(misfirePolicies).optional(),
  /** `every`, if not given. */
  channel_mode: z.enum(channelModes).optional(),
  /** Of several channels of a type the one that sends, as long as it can: its id. */
  pinned_channels: z.partialRecord(z.enum(channelTypes), Id).optional(),
  /** The template that it was begun from; its text is the reminder's own from then on. */
  template_id: Id.optional(),
});

/** What a person writes; the rest of a reminder is the product's. */
export const ReminderInput = z.strictObject({
  name: RequiredText(limits.name, { missing: 'Title is required', tooLong: 'Title must be less than 100 characters' }),
  description: Text(limits.description, 'Description must be less than 500 characters').nullable().default(null),
  status: z.enum(reminderStatuses).default('active'),
  schedule_config: ScheduleConfig,
  content: ReminderContent,
  metadata: ReminderMetadata,
});
export type ReminderInput = z.output<typeof ReminderInput>;

export const Reminder = z.object({
  id: Id,
  workspace_id: Id,
  name: z.string(),
  description: z.string().nullable(),
  status: z.enum(reminderStatuses),
  schedule_config: ScheduleConfig,
  content: ReminderContent,
  metadata: ReminderMetadata,
  created_by: Id.nullable(),
  created_at: InstantText,
  updated_at: InstantText,
  /** The next occurrence that will go out, null when there is none. */
  next_run_at: InstantText.nullable(),
  /** What a person should know before relying on it, in whole sentences. */
  warnings: z.array(z.string()),
});
export type Reminder = z.output<typeof Reminder>;

export const TestBody = z.strictObject({
  recipients: z
    .array(Recipient, ifMissing('Please add at least one test recipient'))
    .min(1, 'Please add at least one test recipient')
    .max(100),
  subject: RequiredText(limits.subject, { missing: 'Please provide both subject and message' }),
  message: RequiredText(limits.message, { missing: 'Please provide both subject and message' }),
});

/** A minus turns the order round. By status: active, paused, draft, the newest of each first. By next run: what has none comes last, either way. */
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

/** How many reminders one request may act on. */
export const bulkLimit = 200;

const Ids = z.array(Id).min(1, 'At least one reminder is required').max(bulkLimit);

/** What became of each, in the order of the request; what is refused says why, and holds up no other. */
export const BulkAnswer = z.object({
  results: z.array(
    z.discriminatedUnion('result', [
      z.object({ id: Id, result: z.literal('done') }),
      z.object({ id: Id, result: z.literal('refused'), message: z.string() }),
    ]),
  ),
});
export type BulkAnswer = z.output<typeof BulkAnswer>;

export const reminderRoutes = {
  listReminders: route({
    method: 'get',
    path: '/api/reminders',
    access: 'member',
    summary: 'The reminders of the workspace, newest first unless told otherwise',
    query: PageQuery.extend({
      search: Text(200).optional(),
      status: z.enum([...reminderStatuses, 'all']).default('all'),
      sort: z.enum(reminderSorts).default('-created'),
      // A name is a part of it where they are sorted by name.
      cursor: z.string().max(1_500).optional(),
    }),
    answer: Page(Reminder),
  }),
  createReminder: route({
    method: 'post',
    path: '/api/reminders',
    access: 'member',
    summary: 'Write a reminder',
    body: ReminderInput,
    answer: Reminder,
    status: 201,
  }),
  getReminder: route({
    method: 'get',
    path: '/api/reminders/:id',
    access: 'member',
    summary: 'One reminder',
    params: IdParams,
    answer: Reminder,
  }),
  updateReminder: route({
    method: 'put',
    path: '/api/reminders/:id',
    access: 'member',
    summary: 'Replace what a reminder says; its next occurrence is computed anew',
    params: IdParams,
    body: ReminderInput,
    answer: Reminder,
  }),
  setReminderStatus: route({
    method: 'patch',
    path: '/api/reminders/:id',
    access: 'member',
    summary: 'Pause or resume a reminder',
    params: IdParams,
    body: z.strictObject({ status: z.enum(['active', 'paused']) }),
    answer: Reminder,
  }),
  deleteReminder: route({
    method: 'delete',
    path: '/api/reminders/:id',
    access: 'member',
    summary: 'Delete a reminder; what it has sent stays in the ledger, and for a day it can be restored',
    params: IdParams,
    answer: Empty,
  }),
  restoreReminders: route({
    method: 'post',
    path: '/api/reminders/restore',
    access: 'member',
    summary: 'Take back that reminders were deleted, within a day: they go on as they were, with what had been waiting',
    body: z.strictObject({ ids: Ids }),
    answer: BulkAnswer,
  }),
  actOnReminders: route({
    method: 'post',
    path: '/api/reminders/bulk',
    access: 'member',
    summary: 'Pause, resume or delete several reminders; says of each what became of it',
    body: z.strictObject({ ids: Ids, action: z.enum(bulkActions) }),
    answer: BulkAnswer,
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
    summary: 'Send this reminder now to the given recipients only',
    params: IdParams,
    body: TestBody,
    answer: z.object({ job_id: Id }),
    status: 201,
  }),
  forecastReminder: route({
    method: 'post',
    path: '/api/reminders/forecast',
    access: 'member',
    summary: 'The next occurrences of a schedule, from the scheduler itself',
    body: ForecastBody,
    answer: Forecast,
  }),
};
