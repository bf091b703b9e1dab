import { z } from 'zod';
import {
  Empty,
  Id,
  IdParams,
  InstantInput,
  InstantText,
  Page,
  PageQuery,
  RequiredText,
  withoutRepeats,
  withVisibleAddress,
} from '#contract/common.ts';
import { route } from '#contract/route.ts';

/** What a webhook can ask for, in the order in which the form offers it. */
export const webhookEventTypes = [
  'delivery.accepted',
  'delivery.delivered',
  'delivery.failed',
  'delivery.skipped',
  'delivery.unknown',
  'job.completed',
  'job.failed',
  'job.cancelled',
  'job.paused',
  'job.missed',
  'recipient.unsubscribed',
  'recipient.suppressed',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

export const webhookLimits = {
  /** Of a workspace. */
  webhooks: 10,
  /** For how long an event is tried. */
  triedDays: 3,
  /** After how long without an accepted event a webhook is disabled. */
  failingDays: 3,
  /** Events of a webhook that wait; the oldest beyond these are dropped. */
  waiting: 20_000,
  /** Events of a webhook that have ended, and for how long they are kept. */
  ended: 2_000,
  endedDays: 30,
} as const;

const Url = RequiredText(2_000, { missing: 'URL required' })
  .superRefine(withVisibleAddress)
  .refine(
    (text) => /^https?:$/.test(URL.parse(text.trim())?.protocol ?? ''),
    'must be a URL that begins with https:// or http://',
  );

const EventTypes = z
  .array(z.enum(webhookEventTypes))
  .min(1, 'Choose at least one event')
  .max(webhookEventTypes.length)
  .overwrite(withoutRepeats);

export const WebhookInput = z.strictObject({ url: Url, event_types: EventTypes });
export type WebhookInput = z.output<typeof WebhookInput>;

/** `is_active: true` also enables a webhook that was disabled because it failed. */
export const WebhookChanges = WebhookInput.extend({ is_active: z.boolean() }).partial();
export type WebhookChanges = z.output<typeof WebhookChanges>;

const endings = ['accepted', 'failed', 'unknown'] as const;

export const Webhook = z.object({
  id: Id,
  url: z.string(),
  event_types: z.array(z.enum(webhookEventTypes)),
  /** `off`: by a person. `disabled`: by Cuebird, after days without an accepted event. */
  state: z.enum(['active', 'off', 'disabled']),
  disabled_at: InstantText.nullable(),
  /** Since when nothing was accepted; null where the last attempt was, or none was made. */
  failing_since: InstantText.nullable(),
  /** The last answer; null before the first attempt. */
  last: z.object({ outcome: z.enum(endings), answer: z.string().nullable(), at: InstantText }).nullable(),
  /** Events that wait, counted up to 1,000. */
  waiting: z.number().int(),
  /** Events that were given up unsent because too many waited, and when that was last; null for none. */
  dropped: z.object({ count: z.number().int(), at: InstantText }).nullable(),
  created_at: InstantText,
});
export type Webhook = z.output<typeof Webhook>;

const eventStatuses = ['waiting', ...endings, 'dropped'] as const;

/** An event for one webhook: `id` is the `webhook-id` of every attempt. */
export const WebhookEvent = z.object({
  id: Id,
  type: z.string(),
  /** What is sent, as text: the signature covers it as it is. */
  body: z.string(),
  occurred_at: InstantText,
  status: z.enum(eventStatuses),
  attempts: z.number().int(),
  /** The status and the first 500 characters of the last answer, or why there was none. */
  answer: z.string().nullable(),
  last_attempt_at: InstantText.nullable(),
  next_attempt_at: InstantText.nullable(),
  completed_at: InstantText.nullable(),
});
export type WebhookEvent = z.output<typeof WebhookEvent>;

/** One event, or those of a time range that have ended, `to` excluded. */
const Replay = z.union([
  z.strictObject({ event_id: Id }),
  z
    .strictObject({ from: InstantInput, to: InstantInput })
    .refine(({ from, to }) => from < to, { path: ['to'], message: 'must be after the beginning' }),
]);
export type Replay = z.output<typeof Replay>;

export const webhookRoutes = {
  listWebhooks: route({
    method: 'get',
    path: '/api/webhooks',
    access: 'admin',
    scope: ['manage'],
    summary: 'The webhooks of the workspace, oldest first',
    answer: z.object({ data: z.array(Webhook) }),
  }),
  createWebhook: route({
    method: 'post',
    path: '/api/webhooks',
    access: 'admin',
    summary: 'Send events of the workspace to a URL',
    body: WebhookInput,
    answer: Webhook,
    status: 201,
  }),
  updateWebhook: route({
    method: 'patch',
    path: '/api/webhooks/:id',
    access: 'admin',
    summary: 'Change a webhook, turn it off, or turn it on again',
    params: IdParams,
    body: WebhookChanges,
    answer: Webhook,
  }),
  deleteWebhook: route({
    method: 'delete',
    path: '/api/webhooks/:id',
    access: 'admin',
    summary: 'Delete a webhook with its log; what waits for it is not sent',
    params: IdParams,
    answer: Empty,
  }),
  testWebhook: route({
    method: 'post',
    path: '/api/webhooks/:id/test',
    access: 'admin',
    summary: 'Send an event of the type webhook.test to a webhook; the log has its answer',
    params: IdParams,
    limit: { usage: 'tests' },
    answer: WebhookEvent,
    status: 202,
  }),
  listWebhookEvents: route({
    method: 'get',
    path: '/api/webhooks/:id/events',
    access: 'admin',
    scope: ['manage'],
    summary: 'The log of a webhook: its events with their answers, newest first',
    params: IdParams,
    query: PageQuery.extend({ status: z.enum(eventStatuses).optional() }),
    answer: Page(WebhookEvent),
  }),
  replayWebhookEvents: route({
    method: 'post',
    path: '/api/webhooks/:id/replay',
    access: 'admin',
    summary: 'Send events that have ended again, each under its webhook-id: one, or those of a time range',
    params: IdParams,
    limit: { usage: 'tests' },
    body: Replay,
    answer: z.object({ replayed: z.number().int() }),
    status: 202,
  }),
};
