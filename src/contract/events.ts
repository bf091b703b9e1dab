import { z } from 'zod';
import { Id, IdParams, InstantInput, InstantText, RequiredText, Text } from '#contract/common.ts';
import { limits, Recipient } from '#contract/reminders.ts';
import { route } from '#contract/route.ts';

/** What an event may bring: each list and object in it is taken apart into variables. */
export const eventDataLimits = {
  variables: 1_000,
  name: 200,
  value: 10_000,
  /** Of all names and values together. */
  characters: 65_536,
  depth: 10,
} as const;

/** One thing that happened, however often it is told. */
const EventKey = RequiredText(200, { missing: 'must not be blank' });

const EventInput = z.strictObject({
  /** A trigger of event reminders, such as `payment_failed`. */
  event: RequiredText(100, { missing: 'Name the event' }),
  /** In place of the header `Idempotency-Key`. */
  key: EventKey.optional(),
  /** Variables of the messages; `{"customer": {"name": "Dana"}}` is written `{{customer.name}}` there. */
  data: z.record(z.string(), z.unknown()).default({}),
  /** In place of the reminder's own. */
  recipients: z.array(Recipient).min(1, 'must name at least one, or be left out').max(limits.recipients).optional(),
  /** From when the delay counts; now, when left out. */
  occurred_at: InstantInput.optional(),
});

export const EventJob = z.object({ job_id: Id, reminder_id: Id.nullable(), scheduled_for: InstantText });
export type EventJob = z.output<typeof EventJob>;

export const Event = z.object({
  id: Id,
  event: z.string(),
  key: z.string(),
  /** One for each reminder that the event sends. */
  jobs: z.array(EventJob),
  /** Why there is no job, or fewer than there might be. */
  hint: z.string().optional(),
  cancelled_at: InstantText.nullable(),
});
export type Event = z.output<typeof Event>;

const CancelledEvent = z.object({
  id: Id,
  event: z.string(),
  key: z.string(),
  cancelled_at: InstantText,
  /** Nothing more of these is sent. */
  cancelled: z.array(EventJob),
  /** Under way: messages that are being handed over at this moment may arrive, no further one starts. */
  stopped: z.array(EventJob),
  /** Ended before. */
  too_late: z.array(EventJob),
});
export type CancelledEvent = z.output<typeof CancelledEvent>;

const Hook = z.object({
  /** Whoever knows it can report events: it is a secret. */
  url: z.string(),
  /** Requests must be signed with the hook's secret. */
  is_signed: z.boolean(),
});
export type Hook = z.output<typeof Hook>;

export const eventRoutes = {
  sendEvent: route({
    method: 'post',
    path: '/api/events',
    access: 'member',
    summary:
      'Tell that something happened: every active reminder of that trigger is sent after its delay, once per key',
    body: EventInput,
    answer: Event,
    status: 201,
    repeatStatus: 200,
  }),
  cancelEvent: route({
    method: 'post',
    path: '/api/events/cancel',
    access: 'member',
    summary: 'Withdraw an event by its key: what has not been sent is not sent',
    body: z.strictObject({
      key: EventKey,
      /** The reminder whose hook reported the event; left out for what came over the API. */
      reminder_id: Id.optional(),
    }),
    answer: CancelledEvent,
  }),
  receiveHook: route({
    method: 'post',
    path: '/api/hooks/:token',
    access: 'public',
    summary: "A reminder's own address for the custom_webhook trigger: takes a JSON object or a form of up to 64 KiB",
    // Whatever it is: what is no hook's is not found.
    params: z.object({ token: z.string() }),
    answer: Event,
    status: 201,
    repeatStatus: 200,
  }),
  getHook: route({
    method: 'get',
    path: '/api/reminders/:id/hook',
    access: 'member',
    summary: 'The address at which other systems trigger this reminder',
    params: IdParams,
    answer: Hook,
  }),
  rotateHook: route({
    method: 'post',
    path: '/api/reminders/:id/hook',
    access: 'admin',
    summary: 'A new address for the hook; the one before it ends',
    params: IdParams,
    answer: Hook,
    holdsSecret: true,
  }),
  setHookSecret: route({
    method: 'put',
    path: '/api/reminders/:id/hook',
    access: 'admin',
    summary: 'Demand signed requests at the hook, or with null no longer',
    params: IdParams,
    body: z.strictObject({
      secret: Text(200)
        .min(16, 'must be at least 16 characters')
        .refine(isWholeKey, 'after whsec_ must be base64 of at least 16 bytes')
        .nullable(),
    }),
    answer: Hook,
  }),
};

/** The form of Standard Webhooks; any other text is used as it is typed. */
function isWholeKey(secret: string): boolean {
  return !secret.startsWith('whsec_') || /^whsec_[A-Za-z0-9+/]{22,}={0,2}$/.test(secret);
}
