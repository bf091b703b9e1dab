import { z } from 'zod';
import { Id, InstantInput, InstantText, Page, PageQuery, RequiredText, Text } from '#contract/common.ts';
import { jobStatuses } from '#contract/job-states.ts';
import { limits, Recipient } from '#contract/reminders.ts';
import { recipientsOfTest, testRecipientRequired } from '#contract/reminder-tests.ts';
import { get, post, put } from '#contract/route.ts';
import { SigningSecret } from '#contract/signing-secret.ts';

/** The limits of an event's data: each list and object in it is flattened into variables. */
export const eventDataLimits = {
  variables: 1_000,
  name: 200,
  value: 10_000,
  /** The most characters of all names and values together. */
  characters: 65_536,
  depth: 10,
} as const;

/** The idempotency key of an event: repeated reports of one event share it. */
const EventKey = RequiredText(200, { missing: 'must not be blank' });

const EventInput = z.strictObject({
  event: RequiredText(100, { missing: 'Name the event' }).meta({
    description: 'The trigger of event reminders, such as `payment_failed`',
  }),
  key: EventKey.optional().meta({
    description: 'Your own id of the event, which counts once; replaces the header `Idempotency-Key`',
  }),
  data: z
    .record(z.string(), z.unknown())
    .default({})
    .meta({ description: 'Message variables; `{"customer": {"name": "Dana"}}` is used as `{{customer.name}}`' }),
  recipients: z
    .array(Recipient)
    .min(1, 'must name at least one, or be left out')
    .max(limits.recipients)
    .optional()
    .meta({
      description:
        'Replaces the recipients of a reminder; one that is sent to whom the event names keeps its own beside them',
    }),
  occurred_at: InstantInput.optional().meta({
    description: "The start of the reminder's delay; now, when left out",
  }),
});

export const EventJob = z.object({ job_id: Id, reminder_id: Id.nullable(), scheduled_for: InstantText });
export type EventJob = z.output<typeof EventJob>;

export const Event = z.object({
  id: Id,
  event: z.string(),
  key: z.string(),
  /** One job for each reminder that the event triggers. */
  jobs: z.array(EventJob),
  /** Why the event created no job, or fewer than expected. */
  hint: z.string().optional(),
  cancelled_at: InstantText.nullable(),
});
export type Event = z.output<typeof Event>;

/** How many of an event's jobs a list names at most. */
export const shownEventJobs = 5;

/** What an event led to. */
const EventEffect = z.object({
  /** The first of its jobs, by the time for which they are scheduled. */
  jobs: z.array(z.object({ job_id: Id, name: z.string(), status: z.enum(jobStatuses) })).max(shownEventJobs),
  job_count: z.number().int(),
  /** Why it created no job, or fewer than expected. */
  hint: z.string().nullable(),
});
export type EventEffect = z.output<typeof EventEffect>;

export const ListedEvent = EventEffect.extend({
  id: Id,
  event: z.string(),
  key: z.string(),
  created_at: InstantText,
  cancelled_at: InstantText.nullable(),
  /** What reported it: a reminder's hook or an API key, with its id and name; `api` for a request without a key. */
  source: z.object({ kind: z.enum(['hook', 'api_key', 'api']), id: Id.nullable(), name: z.string().nullable() }),
  /** Whether somebody sent it again from the list of events. */
  is_repeat: z.boolean(),
  /** Whether its data is still stored, so that it can be sent again. */
  can_be_repeated: z.boolean(),
});
export type ListedEvent = z.output<typeof ListedEvent>;

const CancelledEvent = z.object({
  id: Id,
  event: z.string(),
  key: z.string(),
  cancelled_at: InstantText,
  /** Pending jobs that were cancelled: no further message is sent. */
  cancelled: z.array(EventJob),
  /** Running jobs that were stopped: attempts in flight may still arrive, and no further one starts. */
  stopped: z.array(EventJob),
  /** Jobs that had already ended. */
  too_late: z.array(EventJob),
});
export type CancelledEvent = z.output<typeof CancelledEvent>;

/** The latest event that the reminder would be sent for; its data as variables, nested ones by their path, such as `customer.name`. */
const LastEvent = z.object({
  event: z.object({ occurred_at: InstantText, data: z.record(z.string(), z.string()) }).nullable(),
});
export type LastEvent = z.output<typeof LastEvent>['event'];

/** A test event goes only to the recipients in the request, not to whom its data names. */
export const TestEventBody = z
  .strictObject({
    /** The data of the event: its values fill in the message's variables. */
    data: z.record(z.string(), z.unknown()).default({}),
    recipients: z.array(Recipient).max(100).default([]),
    /** Also posts to the reminder's Slack channel. */
    slack: z.boolean().default(false),
    /** Also pushes to the caller's own browsers. */
    push: z.boolean().default(false),
  })
  .refine((test) => recipientsOfTest(test) > 0, testRecipientRequired);

/** The most reminders that the answer to a test event names. */
export const shownMatches = 20;

export const TestEvent = z.object({
  /** The job of the test. */
  job_id: Id,
  /** How many active reminders a real event with this name would trigger now, and the first of them, by the time at which each would be sent. */
  match_count: z.number().int(),
  matches: z.array(z.object({ reminder_id: Id, name: z.string(), scheduled_for: InstantText })).max(shownMatches),
  /** The recipients that the data names: the test is not sent to them. */
  named: z.array(z.string()),
});
export type TestEvent = z.output<typeof TestEvent>;

const Hook = z.object({
  /** The URL is a secret: anyone who knows it can report events. */
  url: z.string(),
  /** Requests must be signed with the hook's secret. */
  is_signed: z.boolean(),
});
export type Hook = z.output<typeof Hook>;

/** A call of a hook, with its answer. */
const HookCall = z.object({
  received_at: InstantText,
  /** The HTTP status of the answer: 201 for a new event, 200 for a repeated one; any other refused it. */
  status: z.number().int(),
  /** Why the call was refused. */
  problem: z.string().nullable(),
  /** The event of the call; null where it was refused, and once the event is deleted. */
  event: EventEffect.extend({ id: Id }).nullable(),
});
export type HookCall = z.output<typeof HookCall>;

/** The number of a hook's calls that are kept. */
export const keptHookCalls = 10;

export const eventRoutes = {
  listEvents: get('/api/events', {
    access: 'member',
    summary: 'The events that came in, latest first, with what each set off',
    query: PageQuery.extend({
      /** The beginning of the name of the events to list. */
      event: Text(100).optional(),
    }),
    answer: Page(ListedEvent),
  }),
  repeatEvent: post('/api/events/:id/repeat', {
    access: 'member',
    beginsMessages: true,
    summary: 'Send an event again with its data: a new event, from which delays are counted',
    limit: { usage: 'events' },
    answer: Event,
    status: 201,
  }),
  sendEvent: post('/api/events', {
    access: 'member',
    scope: ['send'],
    summary: 'Report an event: every active reminder with that trigger is sent after its delay, once per key',
    body: EventInput,
    limit: { usage: 'events' },
    answer: Event,
    status: 201,
    repeatStatus: 200,
  }),
  cancelEvent: post('/api/events/cancel', {
    access: 'member',
    scope: ['send'],
    summary: 'Cancel an event by its key: its pending deliveries are not sent',
    body: z.strictObject({
      key: EventKey,
      /** The reminder whose hook reported the event; omitted for events from the API. */
      reminder_id: Id.optional(),
    }),
    answer: CancelledEvent,
  }),
  testEvent: post('/api/reminders/:id/test-event', {
    access: 'member',
    beginsMessages: true,
    summary: 'Test an event reminder with the data of an event, now, only to the recipients of the test',
    body: TestEventBody,
    limit: { usage: 'tests', cost: (body) => recipientsOfTest(TestEventBody.parse(body)) },
    answer: TestEvent,
    status: 201,
  }),
  getLastEvent: get('/api/reminders/:id/last-event', {
    access: 'member',
    summary:
      'The latest event that an event reminder would be sent for, with its data while that is stored; null without one',
    answer: LastEvent,
  }),
  receiveHook: post('/api/hooks/:token', {
    inMaintenance: true,
    access: 'public',
    summary: "A reminder's own address for the custom_webhook trigger: takes a JSON object or a form of up to 64 KiB",
    // Any text is accepted: an unknown token answers 404.
    params: z.object({ token: z.string() }),
    maxBodyKiB: 64,
    answer: Event,
    status: 201,
    repeatStatus: 200,
  }),
  getHook: get('/api/reminders/:id/hook', {
    access: 'member',
    // The answer contains the hook's address, and whoever knows that can report events.
    scope: ['manage'],
    summary: 'The address at which other systems trigger this reminder',
    answer: Hook,
  }),
  listHookCalls: get('/api/reminders/:id/hook/calls', {
    access: 'member',
    summary: 'The last ten calls of the hook with their answers, latest first',
    answer: z.object({ data: z.array(HookCall).max(keptHookCalls) }),
  }),
  rotateHook: post('/api/reminders/:id/hook', {
    access: 'admin',
    summary: "Replace the hook's address; the previous one stops working",
    needsReauthentication: true,
    answer: Hook,
    holdsSecret: true,
  }),
  setHookSecret: put('/api/reminders/:id/hook', {
    access: 'admin',
    summary: 'Require signed requests at the hook, or with null no longer',
    body: z.strictObject({
      secret: SigningSecret(200).nullable(),
    }),
    needsReauthentication: true,
    answer: Hook,
  }),
};
