import { z } from 'zod';
import { Audience, isAudience } from '#contract/audience.ts';
import { type ChannelType, channelTypes, isAddressed, needsRecipients } from '#contract/channel-types.ts';
import {
  Empty,
  Id,
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
import { jobStatuses, PeopleCounts, RecipientCounts } from '#contract/job-states.ts';
import { MessageFormat } from '#contract/message-format.ts';
import { misfirePolicies } from '#contract/misfire.ts';
import { onlyPauses, PauseEnd } from '#contract/reminder-pauses.ts';
import { del, get, patch, post, put } from '#contract/route.ts';
import { cronIsFollowed, Forecast, ForecastBody, ScheduleConfig, triggerTypes } from '#contract/schedules.ts';

export const reminderStatuses = ['active', 'paused', 'draft'] as const;
export type ReminderStatus = (typeof reminderStatuses)[number];

/** What lists can be filtered by. An active reminder is done once nothing of it lies ahead, and is no longer among the active ones. */
export const reminderStates = [...reminderStatuses, 'done'] as const;
export type ReminderState = (typeof reminderStates)[number];

export const stateOfReminder = ({
  status,
  is_done: isDone,
}: {
  status: ReminderStatus;
  is_done: boolean;
}): ReminderState => (isDone ? 'done' : status);

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

/** A webhook calls the URL of its channel once for each recipient, whatever the recipient is. */
const requiredOver = (channels: readonly ChannelType[]) =>
  channels.includes('webhook') && channels.every((channel) => channel === 'webhook' || !isAddressed(channel))
    ? 'Add a recipient, such as a name or a URL: a webhook is called once for each'
    : recipientRequired;

export const ReminderContent = z.strictObject({
  subject: RequiredText(limits.subject, { missing: 'Subject is required' }),
  message: RequiredText(limits.message, { missing: 'Message is required' }),
  /** How the text is read; `plain` by default. */
  format: MessageFormat.optional(),
  variables: z.array(Text(100)).max(limits.variables).optional(),
  /** The variables' values in every message of this reminder. */
  values: z.record(Text(100), Text(2000)).optional(),
  /** Each is an address, phone number or URL, or `Name <address>`. */
  recipients: z.array(Recipient, ifMissing(recipientRequired)).max(limits.recipients),
  /** What the message is about. Without a topic it is optional: whoever leaves all optional topics does not get it. */
  topic_id: Id.optional(),
});

/**
 * `every`: sends over all channels. `in_order`: sends over the first suitable channel, and over the next one only after that has
 * permanently failed, or was accepted and is reported as failed later.
 */
export const channelModes = ['every', 'in_order'] as const;

export const priorities = ['low', 'medium', 'high'] as const;

export const ReminderMetadata = z.strictObject({
  channels: z
    .array(z.enum(channelTypes), ifMissing('At least one channel is required'))
    .min(1, 'At least one channel is required')
    .overwrite(withoutRepeats),
  /** How important it is to the team: shown beside it, and without effect on what is sent and when. */
  priority: z.enum(priorities).default('medium'),
  source: Text(50).optional(),
  /** The rule for missed occurrences; the workspace's by default. */
  misfire: z.enum(misfirePolicies).optional(),
  /** How several channels are used; `every` by default. */
  channel_mode: z.enum(channelModes).optional(),
  /** The id of the preferred channel of a type; another one sends when it cannot. */
  pinned_channels: z.partialRecord(z.enum(channelTypes), Id).optional(),
  /** The template that the reminder was created from; later changes to the template do not affect it. */
  template_id: Id.optional(),
  /** Contacts to whom it is sent beside `content.recipients`, which may then be empty. */
  audience: Audience.optional(),
  /** True sends an event reminder also to the recipients that the event names; `content.recipients` may then be empty. */
  event_recipients: z.boolean().optional(),
  /** True for a message that a person writes once to people of their choice: it is in the jobs and on the people's pages, in no list of reminders. */
  one_off: z.boolean().optional(),
});

const WithRecipients = z.looseObject({
  schedule_config: z.looseObject({ type: z.enum(triggerTypes) }).optional(),
  content: z.looseObject({ recipients: z.array(z.unknown()) }),
  metadata: z.looseObject({
    channels: z.array(z.enum(channelTypes)).catch([]),
    audience: Audience.optional(),
    event_recipients: z.boolean().optional(),
  }),
});

/** Who gets nothing over Slack and push, where no other channel is chosen. */
const notSentTo =
  'Slack and push go to destinations of their own, so nobody named here would get anything: leave it out, or choose another channel too';

/** Whether the event that triggers a reminder names recipients of it. */
export const isForEvent = ({
  schedule_config: { type },
  metadata,
}: {
  schedule_config: { type: ScheduleConfig['type'] };
  metadata: { event_recipients?: boolean | undefined };
}): boolean => type === 'event-based' && metadata.event_recipients === true;

/** Refuses a message that names nobody although its channels need somebody, and one that names people to whom none of them sends. */
export const namesWhomItReaches = {
  check(value: unknown, ctx: { addIssue: (issue: { code: 'custom'; path: string[]; message: string }) => void }): void {
    const { schedule_config: schedule, content, metadata } = WithRecipients.parse(value);
    const { audience, event_recipients: asksEvent } = metadata;
    const report = (path: string[], message: string) => ctx.addIssue({ code: 'custom', path, message });
    const hasListed = content.recipients.length > 0;
    if (needsRecipients(metadata.channels)) {
      const hasEvent = schedule !== undefined && isForEvent({ schedule_config: schedule, metadata });
      if (!hasListed && !isAudience(audience) && !hasEvent)
        report(['content', 'recipients'], requiredOver(metadata.channels));
      return;
    }
    if (hasListed) report(['content', 'recipients'], notSentTo);
    if (isAudience(audience)) report(['metadata', 'audience'], notSentTo);
    if (asksEvent === true) report(['metadata', 'event_recipients'], notSentTo);
  },
  // It runs even when other fields are wrong, so that one answer lists all problems.
  params: { when: ({ value }: { value: unknown }) => WithRecipients.safeParse(value).success },
};

/** The fields that a person edits; Cuebird sets the others. */
export const ReminderInput = z
  .strictObject({
    name: RequiredName(limits.name, {
      missing: 'Title is required',
      tooLong: 'Title must be less than 100 characters',
    }),
    description: Text(limits.description, 'Description must be less than 500 characters').nullable().default(null),
    status: z.enum(reminderStatuses).default('active'),
    schedule_config: ScheduleConfig.superRefine(cronIsFollowed),
    content: ReminderContent,
    metadata: ReminderMetadata,
  })
  .superRefine(namesWhomItReaches.check, namesWhomItReaches.params);
export type ReminderInput = z.output<typeof ReminderInput>;

export const Reminder = z.object({
  id: Id,
  workspace_id: Id,
  name: z.string(),
  description: z.string().nullable(),
  status: z.enum(reminderStatuses),
  /** True for an active reminder whose occurrences all lie behind it: a one-time reminder that was sent, or one that has passed its end. */
  is_done: z.boolean(),
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

/** The last run of a reminder. `recipients` and `people` are null where counting them would take too long. */
export const LastRun = z.object({
  id: Id,
  status: z.enum(jobStatuses),
  scheduled_for: InstantText,
  recipients: RecipientCounts.nullable(),
  people: PeopleCounts.nullable(),
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

export const reminderRoutes = {
  listReminders: get('/api/reminders', {
    access: 'member',
    summary: 'List reminders, newest first by default',
    query: PageQuery.extend({
      search: Text(200).optional(),
      status: z.enum([...reminderStates, 'all']).default('all'),
      sort: z.enum(reminderSorts).default('-created'),
      ...ListView,
      // The cursor contains a name when the list is sorted by name.
      cursor: z.string().max(1_500).optional(),
    }),
    answer: Page(z.union([Reminder, ReminderSummary])),
  }),
  createReminder: post('/api/reminders', {
    access: 'member',
    beginsMessages: true,
    summary: 'Create a reminder',
    body: ReminderInput,
    answer: Reminder,
    status: 201,
  }),
  getReminder: get('/api/reminders/:id', {
    access: 'member',
    summary: 'Get a reminder',
    answer: Reminder,
  }),
  updateReminder: put('/api/reminders/:id', {
    access: 'member',
    beginsMessages: true,
    summary: 'Replace a reminder; its next occurrence is computed again',
    /** The `updated_at` that the change is based on: a reminder that has changed since is not replaced. */
    query: z.object({ unchanged_since: InstantInput.optional() }),
    body: ReminderInput,
    answer: Reminder,
  }),
  setReminderStatus: patch('/api/reminders/:id', {
    access: 'member',
    beginsMessages: true,
    summary: 'Pause or resume a reminder; a pause with an end resumes by itself',
    body: z
      .strictObject({ status: z.enum(['active', 'paused']), until: PauseEnd.optional() })
      .refine(({ status, until }) => status === 'paused' || until === undefined, onlyPauses),
    answer: Reminder,
  }),
  deleteReminder: del('/api/reminders/:id', {
    access: 'member',
    summary: 'Delete a reminder; its deliveries stay in the ledger, and it can be restored for a day',
    answer: Empty,
  }),
  duplicateReminder: post('/api/reminders/:id/duplicate', {
    access: 'member',
    summary: 'Copy a reminder into a draft',
    answer: Reminder,
    status: 201,
  }),
  listOccurrences: get('/api/reminders/:id/occurrences', {
    access: 'member',
    summary: 'When a reminder will be sent next, or would be if it were active',
    query: z.strictObject({ count: z.coerce.number().int().min(1).max(100).default(10) }),
    answer: Forecast,
  }),
  forecastReminder: post('/api/reminders/forecast', {
    changesNothing: true,
    access: 'member',
    scope: ['read'],
    summary: 'The next occurrences of a schedule, as the scheduler computes them',
    body: ForecastBody,
    answer: Forecast,
  }),
};
