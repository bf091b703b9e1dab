import { randomUUIDv7 } from 'node:crypto';
import type { ChannelType } from '#contract/channel-types.ts';
import { codeOfAnswer } from '#domain/answer-codes.ts';
import { dayMs } from '#domain/instants.ts';
import type { Reason } from '#domain/ledger-reasons.ts';
import { type About, type Entry, mayBeSent, reasonOfSkip } from '#domain/may-be-sent.ts';
import { retryDelayMs } from '#domain/retry.ts';
import { unreachable } from '#features/demo/demo.contacts.ts';
import type { Reached } from '#features/demo/demo.reminders.ts';
import type { PastDelivery, PastSuppression } from '#features/demo/past/past-runs.db.ts';

/** Since when recipients cannot be reached, and by which run that became known. Filled in while runs are generated. */
export type Troubles = {
  /** The earliest time of the bounce. */
  bounceMs: number;
  bouncedMs: number | null;
  unsubscribedMs: number;
  /** The topic that somebody left when they unsubscribed. */
  leftTopic: string;
  numberMs: number;
  webhookMs: number;
  hasWebhookFailed: boolean;
};

export const troublesAt = (nowMs: number, leftTopic: string): Troubles => ({
  bounceMs: nowMs - 26 * dayMs,
  bouncedMs: null,
  unsubscribedMs: nowMs - 18.3 * dayMs,
  leftTopic,
  numberMs: nowMs - 8 * dayMs,
  webhookMs: nowMs - 3.5 * dayMs,
  hasWebhookFailed: false,
});

export const suppressionsOf = ({ bouncedMs, unsubscribedMs, leftTopic }: Troubles): PastSuppression[] => [
  {
    recipient: unreachable.unsubscribed,
    reason: 'unsubscribed',
    covers: 'topic',
    topic_id: leftTopic,
    created_at: textOf(unsubscribedMs),
  },
  ...(bouncedMs === null
    ? []
    : [
        {
          recipient: unreachable.bounced,
          reason: 'bounced' as const,
          covers: 'everything' as const,
          topic_id: null,
          created_at: textOf(bouncedMs),
        },
      ]),
];

/** A delivery of a past run; `email` is the recipient's address, whatever the channel. */
export type RunDelivery = Omit<PastDelivery, 'job_id' | 'scheduled_for' | 'contact_id'> & { email: string | null };

const providers = {
  email: { provider: 'smtp', answer: '250 2.0.0 Ok: queued', ms: [60, 400] },
  sms: { provider: 'twilio', answer: 'queued', ms: [120, 500] },
  whatsapp: { provider: 'waha', answer: 'PENDING', ms: [150, 700] },
  webhook: { provider: 'http', answer: 'HTTP 200: {"ok":true}', ms: [20, 150] },
  slack: { provider: 'webhook', answer: 'ok', ms: [80, 300] },
  push: { provider: 'web_push', answer: 'HTTP 201', ms: [60, 200] },
} as const satisfies Record<ChannelType, { provider: string; answer: string; ms: readonly [number, number] }>;

const temporary: Record<ChannelType, string> = {
  email: 'The mail server refused the message for now: 451 4.7.1 Please try again later',
  sms: 'Twilio: HTTP 429: Too Many Requests',
  whatsapp: 'Not sent: the connection was refused',
  webhook: 'HTTP 503',
  slack: 'HTTP 502',
  push: 'Push service: HTTP 503',
};

type Span = { beganMs: number; answeredMs: number; reason?: string };
type Sending = { about: About; startedMs: number; random: () => number; troubles: Troubles; isRetried: boolean };

/** What a run sent to one recipient over one channel, or why it did not. */
export function deliveryOf(to: Reached, { about, startedMs, random, troubles, isRetried }: Sending): RunDelivery {
  const { channel, recipient } = to;
  const entries = entriesFor(to, { startedMs, troubles });
  const verdict = mayBeSent(about, { entries, consent: 'not_needed', nowMs: startedMs });
  const { provider, answer, ms } = providers[channel];
  const base = { id: idAt(startedMs), channel, recipient, recipient_name: to.name, email: to.email };
  if (verdict.kind === 'skip')
    return {
      ...base,
      ...unsent,
      ...said(reasonOfSkip(verdict.code, channel)),
      completed_at: textOf(startedMs),
      ended_ms: startedMs,
    };
  const took = () => ms[0] + Math.floor(random() * (ms[1] - ms[0]));
  const spans = spansOf(to, { about, startedMs, random, troubles, isRetried, took });
  const last = spans.at(-1) ?? { beganMs: startedMs, answeredMs: startedMs };
  const isFailed = last.reason !== undefined;
  const isBounced = !isFailed && bounces(to, { startedMs, troubles });
  const isReported = !isFailed && (isBounced || channel === 'sms' || channel === 'whatsapp');
  const reportedMs = last.answeredMs + (isBounced ? 40_000 : 1_200 + Math.floor(random() * 2_500));
  if (isBounced) troubles.bouncedMs = reportedMs;
  const reason = last.reason ?? (isBounced ? 'Bounced: 550 5.1.1 The mailbox does not exist' : null);
  const codeOf = (words: string) => codeOfAnswer(channel, { reason: words, answer: null });
  const earlier = [
    ...spans.slice(0, -1).map((span, n) => ({
      attempt: n + 1,
      status: 'waiting',
      began: textOf(span.beganMs),
      answered: textOf(span.answeredMs),
      reason: span.reason,
      ...(span.reason !== undefined && { code: codeOf(span.reason) }),
      provider,
      next: textOf(spans[n + 1]?.beganMs ?? span.answeredMs),
    })),
    ...(isReported
      ? [
          {
            attempt: spans.length,
            status: 'accepted',
            began: textOf(last.beganMs),
            answered: textOf(last.answeredMs),
            provider,
            answer,
          },
        ]
      : []),
  ];
  return {
    ...base,
    status: isFailed || isBounced ? 'failed' : isReported ? 'delivered' : 'accepted',
    attempts: spans.length,
    ...said(reason === null ? null : { code: codeOf(reason), reason }),
    provider,
    provider_answer: isFailed ? null : answer,
    first_attempt_at: textOf(startedMs),
    last_attempt_at: textOf(last.beganMs),
    completed_at: textOf(isReported ? reportedMs : last.answeredMs),
    attempt_history: earlier.length === 0 ? null : earlier,
    spans,
    ended_ms: last.answeredMs,
  };
}

/** Why attempt `n` was not the last one; null where no reason is known. */
export function causeOf({ channel, spans }: Pick<RunDelivery, 'channel' | 'spans'>, n: number): Reason | null {
  const reason = spans[n]?.reason;
  return reason === undefined ? null : { code: codeOfAnswer(channel, { reason, answer: null }), reason };
}

const said = (because: Reason | null) => ({ reason: because?.reason ?? null, reason_code: because?.code ?? null });

const unsent = {
  status: 'skipped',
  attempts: 0,
  provider: null,
  provider_answer: null,
  first_attempt_at: null,
  last_attempt_at: null,
  attempt_history: null,
  spans: [],
} as const;

/** The entries of the suppression list that were there when a run began. */
const entriesFor = (
  { channel, email }: Reached,
  { startedMs, troubles }: Pick<Sending, 'startedMs' | 'troubles'>,
): Entry[] =>
  channel === 'email'
    ? suppressionsOf(troubles)
        .filter(({ recipient, created_at: at }) => recipient === email && Date.parse(at) < startedMs)
        // Nobody in the demo has paused.
        .map((entry) => ({ ...entry, ends_at: null }))
    : [];

const bounces = ({ channel, email }: Reached, { startedMs, troubles }: Pick<Sending, 'startedMs' | 'troubles'>) =>
  channel === 'email' && email === unreachable.bounced && startedMs > troubles.bounceMs && troubles.bouncedMs === null;

/** The attempts of one delivery; the last has a reason where it failed for good. */
function spansOf(
  { channel, recipient }: Reached,
  { startedMs, random, troubles, isRetried, took }: Sending & { took: () => number },
): Span[] {
  const attempt = (beganMs: number, reason?: string): Span => ({
    beganMs,
    answeredMs: beganMs + took(),
    ...(reason !== undefined && { reason }),
  });
  if (channel === 'sms' && recipient === unreachable.number && startedMs > troubles.numberMs)
    return [attempt(startedMs, 'Twilio: the number is not in service (30005)')];
  const isDown = channel === 'webhook' && startedMs > troubles.webhookMs && !troubles.hasWebhookFailed;
  if (isDown) troubles.hasWebhookFailed = true;
  const fails = isDown ? 4 : isRetried ? 1 : 0;
  const spans: Span[] = [];
  let beganMs = startedMs;
  for (let n = 1; n <= fails; n += 1) {
    spans.push(attempt(beganMs, temporary[channel]));
    beganMs += retryDelayMs(channel, { attempt: n, random: random() }) ?? 0;
  }
  // A permanent answer, after which nothing is tried again.
  spans.push(isDown ? attempt(beganMs, 'HTTP 410') : attempt(beganMs));
  return spans;
}

/** Formats like `Temporal.Instant`, but fast enough for thousands. */
export const textOf = (ms: number) => new Date(Math.round(ms)).toISOString();

/** A UUID that begins with this time (RFC 9562, section 5.7), because lists are sorted by id. */
export function idAt(ms: number): string {
  const hex = Math.round(ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${randomUUIDv7().slice(13)}`;
}
