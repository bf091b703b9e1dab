import { z } from 'zod';
import { channelTypes } from '#contract/channel-types.ts';

/** The `Retry-After` of a provider's rate limit: a number of seconds, or the same as an HTTP date. */
export const RetryAfter = z.strictObject({
  form: z.enum(['seconds', 'date']),
  seconds: z.number().int().min(1).max(86_400),
});

/** The failures that the sandbox can simulate. */
export const Failure = z.discriminatedUnion('kind', [
  /** Refuses with the provider's rate-limit error, and with `Retry-After` where one is given. */
  z.strictObject({ kind: z.literal('rate_limited'), retry_after: RetryAfter.nullable() }),
  /** Refuses with the provider's internal error. */
  z.strictObject({
    kind: z.literal('unavailable'),
    status: z.union([z.literal(500), z.literal(502), z.literal(503), z.literal(504)]),
  }),
  /** Accepts the message and delays the answer. */
  z.strictObject({ kind: z.literal('slow'), seconds: z.number().int().min(1).max(120) }),
  /** Accepts the message and resets the connection before the answer. */
  z.strictObject({ kind: z.literal('reset') }),
  /** Neither accepts the message nor answers. */
  z.strictObject({ kind: z.literal('hang') }),
]);
export type Failure = z.output<typeof Failure>;
export type FailureKind = Failure['kind'];

/** The failure of one channel of a workspace. `times` decreases with each message; null lasts until the failure is removed. */
export const SimulatedFailure = z.strictObject({
  channel: z.enum(channelTypes),
  failure: Failure.nullable(),
  times: z.number().int().min(1).max(10_000).nullable(),
});
export type SimulatedFailure = z.output<typeof SimulatedFailure>;

/** The outcome of a message to a magic recipient. The first five use the provider's own error messages. */
export type MagicFate =
  | 'invalid'
  | 'unreachable'
  | 'region_closed'
  | 'opted_out'
  | 'not_mobile'
  | 'undelivered'
  | 'silent'
  | 'early_report'
  | 'rate_limited'
  | 'unavailable'
  | 'reset'
  | 'hang';

export type MagicRecipient = { recipient: string; fate: MagicFate; sentence: string };

/** Phone numbers that always fail, for SMS and WhatsApp. Those up to …09 are Twilio's test numbers. */
export const magicNumbers: readonly MagicRecipient[] = [
  { recipient: '+15005550001', fate: 'invalid', sentence: 'Refused: not a valid number' },
  { recipient: '+15005550002', fate: 'unreachable', sentence: 'Refused: cannot be reached from this sender' },
  { recipient: '+15005550003', fate: 'region_closed', sentence: 'Refused: the account may not send to its region' },
  { recipient: '+15005550004', fate: 'opted_out', sentence: 'Refused: its owner has opted out' },
  { recipient: '+15005550009', fate: 'not_mobile', sentence: 'Refused: cannot receive messages' },
  { recipient: '+15005550011', fate: 'undelivered', sentence: 'Accepted, then reported as undelivered' },
  { recipient: '+15005550012', fate: 'silent', sentence: 'Accepted, and never reported on' },
  { recipient: '+15005550013', fate: 'early_report', sentence: 'Reported as delivered before the answer' },
  { recipient: '+15005550014', fate: 'rate_limited', sentence: 'Refused: too many requests, retry after 5 seconds' },
  { recipient: '+15005550015', fate: 'unavailable', sentence: 'Refused: server error at the provider' },
  { recipient: '+15005550016', fate: 'reset', sentence: 'Accepted, but the connection breaks before the answer' },
  { recipient: '+15005550017', fate: 'hang', sentence: 'Neither accepted nor answered' },
];

/** Mail addresses that always fail. */
export const magicAddresses = [
  { recipient: 'no-such-user@cuebird.test', reply: '550 5.1.1', sentence: 'Refused: no such user here' },
  { recipient: 'mailbox-full@cuebird.test', reply: '452 4.2.2', sentence: 'Refused for now: the mailbox is full' },
  { recipient: 'greylisted@cuebird.test', reply: '451 4.7.1', sentence: 'Refused for now: greylisted' },
  { recipient: 'blocked@cuebird.test', reply: '554 5.7.1', sentence: 'Refused: the message is spam' },
] as const;

/** Mail addresses whose mail is accepted and then bounces. */
export const magicBounces = [
  {
    recipient: 'bounce@cuebird.test',
    words: '550 5.1.1 No such user here',
    sentence: 'Accepted, then returned: no such user here',
  },
  {
    recipient: 'bounce-full@cuebird.test',
    words: '552 5.2.2 The mailbox is full',
    sentence: 'Accepted, then returned: the mailbox is full',
  },
] as const;

/** Slack channels that always refuse a bot. */
export const magicSlackChannels = [
  { recipient: '#no-such-channel', error: 'channel_not_found', sentence: 'Refused: no such channel' },
  { recipient: '#not-invited', error: 'not_in_channel', sentence: 'Refused: the bot is not in the channel' },
  { recipient: '#archived', error: 'is_archived', sentence: 'Refused: the channel is archived' },
] as const;
