import { z } from 'zod';
import { Id, PageQuery, Text, withoutRepeats } from '#contract/common.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { limits, ReminderContent, ReminderMetadata } from '#contract/reminders.ts';
import { get, post } from '#contract/route.ts';
import { TimeZone } from '#contract/schedules.ts';

/**
 * What is known of a recipient before anything is sent. `skipped`: somebody has skipped this run for them. `paused`: reminders to them are paused; of a
 * person, `of` is the day on which that ends. `unsubscribed`, `suppressed` (by the team, or after a bounce), `no_consent` (none is on record, and the workspace requires one),
 * `left_topic` (this topic, or all optional ones), `paused_by_recipient` (by themselves) and `no_channel` name a channel, `lacks_value` a variable, `no_address` what the contact lacks: `email`, `phone` or `either`. `unfit`: the address fits
 * no chosen channel. `not_rendered`: the message cannot be filled in.
 */
export const reachKinds = [
  'reached',
  'skipped',
  'paused',
  'unsubscribed',
  'suppressed',
  'no_consent',
  'left_topic',
  'paused_by_recipient',
  'never_in_hours',
  'lacks_value',
  'no_address',
  'no_channel',
  'unfit',
  'not_rendered',
] as const;
export type ReachKind = (typeof reachKinds)[number];

const Of = Text(limits.subject);

export const ReachCount = z.object({
  kind: z.enum(reachKinds),
  of: z.string().nullable(),
  people: z.number().int(),
  /** How many of them get it over another channel, and over which; left out where nobody does. */
  reached_by: z.object({ people: z.number().int(), channels: z.array(z.enum(channelTypes)) }).optional(),
});
export type ReachCount = z.output<typeof ReachCount>;

/** A recipient on a channel; `problem` says why nothing will be sent to them. */
export const ReachTarget = z.object({
  channel: z.enum(channelTypes),
  recipient: z.string(),
  recipient_name: z.string().nullable(),
  /** What makes them part of the reminder's audience, such as a tag; null for a listed recipient. */
  through: z.string().nullable(),
  problem: z.string().nullable(),
  /** Used only when the previous target in the list cannot be reached. */
  is_fallback: z.boolean(),
  /** Comes first because the person prefers this channel. */
  is_preferred: z.boolean(),
});
export type ReachTarget = z.output<typeof ReachTarget>;

export const ReachPerson = z.object({
  /** The contact's id; for other recipients the key by which their address is compared. */
  id: z.string(),
  contact_id: Id.nullable(),
  name: z.string().nullable(),
  /** Whether they get the message, over any channel. */
  is_reached: z.boolean(),
  /** Why they do not get it on some channel, or on any. */
  facts: z.array(z.object({ kind: z.enum(reachKinds), of: z.string().nullable() })),
  targets: z.array(ReachTarget),
});
export type ReachPerson = z.output<typeof ReachPerson>;

/** `people` recipients are tried over these channels, one after the other until one has the message. One channel alone: none takes over. */
export const ReachSequence = z.object({ channels: z.array(z.enum(channelTypes)).min(1), people: z.number().int() });
export type ReachSequence = z.output<typeof ReachSequence>;

/**
 * Who would get a message if it were sent now. A person counts once, over however many channels, but may be in several counts: `reached` by email
 * and `suppressed` for SMS.
 */
export const Reach = z.object({
  /** All people, reached or not. */
  total: z.number().int(),
  /** How many messages that is: one for each person and channel. */
  messages: z.number().int(),
  /** `reached` comes first, even when it is 0; other kinds only where they occur. */
  counts: z.array(ReachCount),
  /** Over which channels those reached are tried, most people first; empty unless the channels are tried in order. */
  sequences: z.array(ReachSequence),
  /** How many of those reached the message was not rendered for, to bound the time that the check takes. */
  unchecked: z.number().int(),
  /** How many people who left topics get it because nobody can leave its topic; 0 for an optional one. */
  left_but_required: z.number().int(),
  /** Why nothing would be sent to anybody, such as a plan that does not include it; null otherwise. */
  refusal: z.string().nullable(),
  /** Whether more people may be named by the event, which has not been reported yet. */
  is_event_awaited: z.boolean(),
  /** The people of the requested kind, sorted by name. */
  data: z.array(ReachPerson),
  next_cursor: z.string().nullable(),
});
export type Reach = z.output<typeof Reach>;

/** `kind` lists the people of that kind; without it, people are only counted. */
export const ReachQuery = PageQuery.extend({
  kind: z.enum(reachKinds).optional(),
  of: Of.optional(),
  // Long, because it contains a name and an address.
  cursor: z.string().max(8_000).optional(),
});
export type ReachQuery = z.output<typeof ReachQuery>;

/** The part of a reminder that decides whom it reaches. It may be unfinished. */
export const ReachBody = z.strictObject({
  content: ReminderContent.pick({ recipients: true, values: true, topic_id: true }).extend({
    subject: Text(limits.subject),
    message: Text(limits.message),
  }),
  metadata: ReminderMetadata.pick({
    channel_mode: true,
    pinned_channels: true,
    audience: true,
    event_recipients: true,
    one_off: true,
  }).extend({
    channels: z.array(z.enum(channelTypes)).overwrite(withoutRepeats),
  }),
  /** An event will bring values of its own, so no variable counts as lacking. */
  is_event: z.boolean().default(false),
  timezone: TimeZone.default('UTC'),
});
export type ReachBody = z.output<typeof ReachBody>;

export const reachRoutes = {
  askReach: post('/api/reminders/reach', {
    changesNothing: true,
    access: 'member',
    scope: ['read'],
    summary: 'Who would get a reminder that is not saved yet, and who would not, by reason',
    limit: { usage: 'counts' },
    isCostly: true,
    query: ReachQuery,
    body: ReachBody,
    answer: Reach,
  }),
  getReminderReach: get('/api/reminders/:id/reach', {
    access: 'member',
    summary: 'Who would get a reminder if it were sent now, and who would not, by reason',
    limit: { usage: 'counts' },
    isCostly: true,
    query: ReachQuery,
    answer: Reach,
  }),
};
