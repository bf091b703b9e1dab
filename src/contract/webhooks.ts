import { z } from 'zod';
import {
  Empty,
  Id,
  InstantInput,
  InstantText,
  Page,
  PageQuery,
  RequiredText,
  withoutRepeats,
  withVisibleAddress,
} from '#contract/common.ts';
import { del, get, patch, post } from '#contract/route.ts';

/** The kinds of activities that a webhook can ask for, in the order of the form. */
export const activityTypes = [
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
  'recipient.paused',
  'recipient.suppressed',
  'consent.given',
  'consent.withdrawn',
] as const;
export type ActivityType = (typeof activityTypes)[number];

export const webhookLimits = {
  /** The most webhooks of a workspace. */
  webhooks: 10,
  /** For how many days sending an activity is tried. */
  triedDays: 3,
  /** After how many days without an accepted activity a webhook is disabled. */
  failingDays: 3,
  /** The most activities of a webhook that wait to be sent; beyond these the oldest are dropped. */
  waiting: 20_000,
  /** How many ended activities of a webhook are kept, and for how many days. */
  ended: 2_000,
  endedDays: 30,
} as const;

const Url = RequiredText(2_000, { missing: 'URL required' })
  .superRefine(withVisibleAddress)
  .refine(
    (text) => /^https?:$/.test(URL.parse(text.trim())?.protocol ?? ''),
    'must be a URL that begins with https:// or http://',
  );

const ActivityTypes = z
  .array(z.enum(activityTypes))
  .min(1, 'Choose at least one event')
  .max(activityTypes.length)
  .overwrite(withoutRepeats);

export const WebhookInput = z.strictObject({ url: Url, activity_types: ActivityTypes });
export type WebhookInput = z.output<typeof WebhookInput>;

/** `is_active: true` also enables a webhook that was disabled because it failed. */
export const WebhookChanges = WebhookInput.extend({ is_active: z.boolean() }).partial();
export type WebhookChanges = z.output<typeof WebhookChanges>;

const endings = ['accepted', 'failed', 'unknown'] as const;

export const Webhook = z.object({
  id: Id,
  url: z.string(),
  activity_types: z.array(z.enum(activityTypes)),
  /** `off`: by a person. `disabled`: by Cuebird, after days without an accepted activity. */
  state: z.enum(['active', 'off', 'disabled']),
  disabled_at: InstantText.nullable(),
  /** Since when attempts have failed; null where the last one did not, or none was made. */
  failing_since: InstantText.nullable(),
  /** The outcome of the last attempt; null before the first. */
  last: z.object({ outcome: z.enum(endings), answer: z.string().nullable(), at: InstantText }).nullable(),
  /** Activities that wait, counted up to 1,000. */
  waiting: z.number().int(),
  /** Activities that were given up unsent because too many waited, and when that was last; null for none. */
  dropped: z.object({ count: z.number().int(), at: InstantText }).nullable(),
  created_at: InstantText,
});
export type Webhook = z.output<typeof Webhook>;

const activityStatuses = ['waiting', ...endings, 'dropped'] as const;

/** An activity for one webhook: `id` is the `webhook-id` of every attempt. */
export const Activity = z.object({
  id: Id,
  type: z.string(),
  /** What is sent, as text: the signature covers it as it is. */
  body: z.string(),
  occurred_at: InstantText,
  status: z.enum(activityStatuses),
  attempts: z.number().int(),
  /** The status and the first 500 characters of the last answer, or why there was none. */
  answer: z.string().nullable(),
  last_attempt_at: InstantText.nullable(),
  next_attempt_at: InstantText.nullable(),
  completed_at: InstantText.nullable(),
});
export type Activity = z.output<typeof Activity>;

/** One activity, or those of a time range that have ended, `to` excluded. */
const Replay = z.union([
  z.strictObject({ activity_id: Id }),
  z
    .strictObject({ from: InstantInput, to: InstantInput })
    .refine(({ from, to }) => from < to, { path: ['to'], message: 'must be after the beginning' }),
]);
export type Replay = z.output<typeof Replay>;

export const webhookRoutes = {
  listWebhooks: get('/api/webhooks', {
    access: 'admin',
    scope: ['manage'],
    summary: 'The webhooks of the workspace, oldest first',
    answer: z.object({ data: z.array(Webhook) }),
  }),
  createWebhook: post('/api/webhooks', {
    access: 'admin',
    summary: 'Send activities of the workspace to a URL',
    body: WebhookInput,
    answer: Webhook,
    status: 201,
  }),
  updateWebhook: patch('/api/webhooks/:id', {
    access: 'admin',
    summary: 'Change a webhook, turn it off, or turn it on again',
    body: WebhookChanges,
    answer: Webhook,
  }),
  deleteWebhook: del('/api/webhooks/:id', {
    access: 'admin',
    summary: 'Delete a webhook with its log; what waits for it is not sent',
    answer: Empty,
  }),
  testWebhook: post('/api/webhooks/:id/test', {
    access: 'admin',
    beginsMessages: true,
    summary: 'Send an activity of the type webhook.test to a webhook; the log has its answer',
    limit: { usage: 'tests' },
    answer: Activity,
    status: 202,
  }),
  listWebhookActivities: get('/api/webhooks/:id/activities', {
    access: 'admin',
    scope: ['manage'],
    summary: 'The log of a webhook: its activities with their answers, newest first',
    query: PageQuery.extend({ status: z.enum(activityStatuses).optional() }),
    answer: Page(Activity),
  }),
  replayWebhookActivities: post('/api/webhooks/:id/replay', {
    access: 'admin',
    summary: 'Send activities that have ended again, each under its webhook-id: one, or those of a time range',
    limit: { usage: 'replay_calls' },
    body: Replay,
    answer: z.object({ replayed: z.number().int() }),
    status: 202,
  }),
};
