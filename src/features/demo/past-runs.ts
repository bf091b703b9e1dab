import { randomUUIDv7 } from 'node:crypto';
import type { ChannelType } from '#contract/channel-types.ts';
import type { ReminderInput } from '#contract/reminders.ts';
import { resultOf, type Tally } from '#domain/job-state.ts';
import { onSuppressionList } from '#domain/ledger-reasons.ts';
import { maxAttempts, retryDelayMs } from '#domain/retry.ts';
import { occurrences } from '#domain/schedule.ts';
import { unreachable } from '#features/demo/demo.contacts.ts';
import type { DemoReminder, Reached } from '#features/demo/demo.reminders.ts';
import type { PastDelivery, PastExecution, PastJob, PastSuppression } from '#features/demo/past-runs.db.ts';

/** A reminder that is stored, with what its past is made of. */
export type StoredReminder = Pick<DemoReminder, 'reached' | 'events' | 'writtenDaysAgo'> & {
  id: string;
  input: ReminderInput;
};

export type Past = {
  jobs: PastJob[];
  executions: PastExecution[];
  deliveries: PastDelivery[];
  suppressions: PastSuppression[];
};

type Of = {
  reminders: readonly StoredReminder[];
  /** Contacts' ids by address. */
  contacts: ReadonlyMap<string, string>;
  timezone: string;
  now: Temporal.Instant;
  /** The same seed gives the same past; only the ids differ. */
  seed: number;
};

export const pastDays = 60;

const dayMs = 24 * 3_600_000;

/**
 * What the reminders would have sent in the last 60 days: at the times of their own schedules, with retries, a bounce, an unsubscription, and
 * two failures of this week.
 */
export function pastRuns({ reminders, contacts, timezone, now, seed }: Of): Past {
  const random = randomFrom(seed);
  const past: Past = { jobs: [], executions: [], deliveries: [], suppressions: [] };
  const nowMs = now.epochMilliseconds;
  const runs = reminders
    .flatMap((reminder) => timesOf(reminder, { now, timezone, random }).map((due) => ({ reminder, ...due })))
    .sort((a, b) => a.dueMs - b.dueMs);
  const troubles = troublesAt(nowMs);
  for (const { reminder, dueMs, createdMs, data } of runs) {
    const run = runOf(reminder, { dueMs, random, troubles });
    const job = jobOf(reminder, { run, createdMs, data });
    past.jobs.push(job);
    past.executions.push(...run.executions.map((execution) => ({ ...execution, job_id: job.id })));
    past.deliveries.push(
      ...run.deliveries.map(({ email, ...delivery }) => ({
        ...delivery,
        job_id: job.id,
        scheduled_for: job.scheduled_for,
        contact_id: reminder.input.metadata.audience === undefined ? null : (contacts.get(email ?? '') ?? null),
      })),
    );
  }
  past.suppressions.push(...suppressionsOf(troubles));
  return past;
}

type Due = { dueMs: number; createdMs: number; data: Record<string, string> | null };

/** A run takes a minute or so; what is due that late is not of the past yet. */
const endsWithinMs = 120_000;

function timesOf(
  { input, writtenDaysAgo, events }: StoredReminder,
  { now, timezone, random }: { now: Temporal.Instant; timezone: string; random: () => number },
): Due[] {
  if (input.status === 'draft') return [];
  const until = now.epochMilliseconds - endsWithinMs;
  const from = now.subtract({ hours: 24 * Math.min(writtenDaysAgo, pastDays) });
  if (events !== null)
    return eventTimes({ from, until, perDay: events.perDay, timezone, random }).map((ms) => {
      const delayMs = input.schedule_config.delayUnit === 'hours' ? 3_600_000 : 0;
      const data = events.data[Math.floor(random() * events.data.length)] ?? {};
      return { dueMs: ms + delayMs, createdMs: ms, data };
    });
  let createdMs = from.epochMilliseconds;
  return occurrences(input.schedule_config, { after: from, count: 2 * pastDays }).flatMap((at) => {
    const dueMs = at.epochMilliseconds;
    if (dueMs > until) return [];
    const due = { dueMs, createdMs, data: null };
    createdMs = dueMs;
    return [due];
  });
}

/** On working days, between eight and six. */
function eventTimes({
  from,
  until,
  perDay,
  timezone,
  random,
}: {
  from: Temporal.Instant;
  until: number;
  perDay: number;
  timezone: string;
  random: () => number;
}): number[] {
  const first = from.toZonedDateTimeISO(timezone).toPlainDate().add({ days: 1 });
  const times: number[] = [];
  for (let n = 0; n < pastDays; n += 1) {
    const day = first.add({ days: n });
    const beginMs = day.toZonedDateTime({ timeZone: timezone, plainTime: '08:00' }).epochMilliseconds;
    if (beginMs > until) break;
    const count = Math.floor((day.dayOfWeek > 5 ? 0.3 : 1) * perDay * 2 * random() + 0.3);
    for (let i = 0; i < count; i += 1) times.push(beginMs + Math.floor(random() * 10 * 3_600_000));
  }
  // Also the longest delay has passed.
  return times.filter((ms) => ms + 3_600_000 <= until);
}

/** Since when somebody cannot be reached, and of which run that is known. Dates are filled in as the runs go by. */
type Troubles = {
  /** Not before. */
  bounceMs: number;
  bouncedMs: number | null;
  unsubscribedMs: number;
  numberMs: number;
  webhookMs: number;
  hasWebhookFailed: boolean;
};

const troublesAt = (nowMs: number): Troubles => ({
  bounceMs: nowMs - 26 * dayMs,
  bouncedMs: null,
  unsubscribedMs: nowMs - 18.3 * dayMs,
  numberMs: nowMs - 8 * dayMs,
  webhookMs: nowMs - 3.5 * dayMs,
  hasWebhookFailed: false,
});

const suppressionsOf = ({ bouncedMs, unsubscribedMs }: Troubles): PastSuppression[] => [
  { recipient: unreachable.unsubscribed, reason: 'unsubscribed', created_at: textOf(unsubscribedMs) },
  ...(bouncedMs === null
    ? []
    : [{ recipient: unreachable.bounced, reason: 'bounced' as const, created_at: textOf(bouncedMs) }]),
];

type RunDelivery = Omit<PastDelivery, 'job_id' | 'scheduled_for' | 'contact_id'> & { email: string | null };
type Run = {
  dueMs: number;
  deliveries: RunDelivery[];
  executions: Omit<PastExecution, 'job_id'>[];
  attempts: number;
  startedMs: number;
  endedMs: number;
  status: 'completed' | 'failed' | 'cancelled';
  message: string | null;
};

type At = { dueMs: number; random: () => number; troubles: Troubles };

function runOf({ reached }: StoredReminder, { dueMs, random, troubles }: At): Run {
  const startedMs = dueMs + 20 + Math.floor(random() * 180);
  // One run in sixteen has a message that arrives with the second attempt.
  const retried = random() < 1 / 16 ? Math.floor(random() * reached.length) : -1;
  const deliveries = reached.map((to, n) => deliveryOf(to, { startedMs, random, troubles, isRetried: n === retried }));
  const tally: Tally = {};
  for (const { status } of deliveries) tally[status] = (tally[status] ?? 0) + 1;
  const failed = deliveries.find(({ status }) => status === 'failed');
  const skipped = deliveries.find(({ status }) => status === 'skipped');
  const { status, message } = resultOf(tally, { reason: (failed ?? skipped)?.reason ?? null });
  const attempts = Math.max(1, ...deliveries.map((delivery) => delivery.attempts));
  const sent = deliveries.filter((delivery) => delivery.attempts > 0);
  const endedMs = Math.max(startedMs + 5, ...sent.map(({ ended_ms: ms }) => ms));
  const executions = executionsOf({ deliveries, attempts, startedMs, result: { status, message }, tally });
  return { dueMs, deliveries, executions, attempts, startedMs, endedMs, status, message };
}

/** An execution for each attempt: those before the last ended with a wait. */
function executionsOf({
  deliveries,
  attempts,
  startedMs,
  result,
  tally,
}: {
  deliveries: readonly RunDelivery[];
  attempts: number;
  startedMs: number;
  result: Pick<Run, 'status' | 'message'>;
  tally: Tally;
}): Run['executions'] {
  return Array.from({ length: attempts }, (_, n) => {
    const attempt = n + 1;
    const tried = deliveries.filter((delivery) => delivery.attempts >= attempt);
    const spans = tried.map((delivery) => delivery.spans[n] ?? { beganMs: startedMs, answeredMs: startedMs + 5 });
    const beganMs = attempt === 1 ? startedMs : Math.min(...spans.map((span) => span.beganMs));
    const endedMs = Math.max(beganMs + 5, ...spans.map((span) => span.answeredMs));
    const isLast = attempt === attempts;
    const reason = tried.find((delivery) => delivery.attempts > attempt)?.spans[n]?.reason ?? 'no reason given';
    return {
      id: idAt(beganMs),
      status: isLast && result.status === 'completed' ? 'completed' : 'failed',
      started_at: textOf(beganMs),
      completed_at: textOf(endedMs),
      duration_ms: endedMs - beganMs,
      error_message: isLast ? result.message : `Will be tried again: ${reason}`,
      logs: { attempt, attempted: tried.length, ...(isLast ? tally : {}) },
    };
  });
}

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
type Sending = { startedMs: number; random: () => number; troubles: Troubles; isRetried: boolean };

function deliveryOf(to: Reached, { startedMs, random, troubles, isRetried }: Sending): RunDelivery {
  const { channel, recipient } = to;
  const skipped = isSuppressed(to, { startedMs, troubles });
  const { provider, answer, ms } = providers[channel];
  const base = { id: idAt(startedMs), channel, recipient, recipient_name: to.name, email: to.email };
  if (skipped)
    return { ...base, ...unsent, reason: onSuppressionList, completed_at: textOf(startedMs), ended_ms: startedMs };
  const took = () => ms[0] + Math.floor(random() * (ms[1] - ms[0]));
  const spans = spansOf(to, { startedMs, random, troubles, isRetried, took });
  const last = spans.at(-1) ?? { beganMs: startedMs, answeredMs: startedMs };
  const isFailed = last.reason !== undefined;
  const isBounced = !isFailed && bounces(to, { startedMs, troubles });
  const isReported = !isFailed && (isBounced || channel === 'sms' || channel === 'whatsapp');
  const reportedMs = last.answeredMs + (isBounced ? 40_000 : 1_200 + Math.floor(random() * 2_500));
  if (isBounced) troubles.bouncedMs = reportedMs;
  const reason = last.reason ?? (isBounced ? 'Bounced: 550 5.1.1 The mailbox does not exist' : null);
  const earlier = [
    ...spans.slice(0, -1).map((span, n) => ({
      attempt: n + 1,
      status: 'waiting',
      began: textOf(span.beganMs),
      answered: textOf(span.answeredMs),
      reason: span.reason,
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
    reason,
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

function isSuppressed({ channel, email }: Reached, { startedMs, troubles }: Pick<Sending, 'startedMs' | 'troubles'>) {
  if (channel !== 'email') return false;
  if (email === unreachable.unsubscribed) return startedMs > troubles.unsubscribedMs;
  return email === unreachable.bounced && troubles.bouncedMs !== null && startedMs > troubles.bouncedMs;
}

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
  // The answer after which nothing is tried again.
  spans.push(isDown ? attempt(beganMs, 'HTTP 410') : attempt(beganMs));
  return spans;
}

function jobOf(
  { id: reminderId, input }: StoredReminder,
  { run, createdMs, data }: { run: Run; createdMs: number; data: Record<string, string> | null },
): PastJob {
  const { dueMs, attempts, startedMs, endedMs, status, message } = run;
  return {
    id: idAt(createdMs),
    reminder_id: reminderId,
    name: input.name,
    type: data === null ? 'reminder' : 'event_reminder',
    status,
    scheduled_for: textOf(dueMs),
    attempts,
    max_attempts: Math.max(...input.metadata.channels.map(maxAttempts)),
    payload: data === null ? {} : { data },
    error_message: message,
    started_at: textOf(startedMs),
    completed_at: textOf(endedMs),
    created_at: textOf(createdMs),
  };
}

/** As `Temporal.Instant` writes it, for thousands of them. */
const textOf = (ms: number) => new Date(Math.round(ms)).toISOString();

/** Lists are in the order of ids, which begin with the time of their making (RFC 9562, section 5.7). */
function idAt(ms: number): string {
  const hex = Math.round(ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${randomUUIDv7().slice(13)}`;
}

/** Mulberry32: the same numbers in [0, 1) for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
