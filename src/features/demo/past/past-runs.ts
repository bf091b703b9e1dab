import type { ReasonCode } from '#contract/reason-codes.ts';
import type { ReminderInput } from '#contract/reminders.ts';
import { resultOf, type Tally } from '#domain/job-state.ts';
import { noRecipients, willBeTriedAgain } from '#domain/ledger-reasons.ts';
import type { About } from '#domain/may-be-sent.ts';
import { maxAttemptsOf } from '#domain/retry.ts';
import { occurrences } from '#domain/schedule.ts';
import { type DemoParts, type DemoReminder, demoTopics, topicNames } from '#features/demo/demo.reminders.ts';
import {
  causeOf,
  deliveryOf,
  idAt,
  type RunDelivery,
  suppressionsOf,
  textOf,
  type Troubles,
  troublesAt,
} from '#features/demo/past/past-deliveries.ts';
import type { PastDelivery, PastExecution, PastJob, PastSuppression } from '#features/demo/past/past-runs.db.ts';

/** A stored reminder, with what its past runs are computed from. */
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
  /** The contacts' ids by email address. */
  contacts: ReadonlyMap<string, string>;
  topics: DemoParts['topics'];
  timezone: string;
  now: Temporal.Instant;
  /** The same seed gives the same past, except for ids. */
  seed: number;
};

export const pastDays = 60;

/**
 * What the reminders would have sent in the last 60 days: at the times of their own schedules, with retries, a bounce, an unsubscription, and
 * two failures of this week.
 */
export function pastRuns({ reminders, contacts, topics, timezone, now, seed }: Of): Past {
  const random = randomFrom(seed);
  const past: Past = { jobs: [], executions: [], deliveries: [], suppressions: [] };
  const nowMs = now.epochMilliseconds;
  const runs = reminders
    .flatMap((reminder) => timesOf(reminder, { now, timezone, random }).map((due) => ({ reminder, ...due })))
    .sort((a, b) => a.dueMs - b.dueMs);
  const troubles = troublesAt(nowMs, topics.news);
  for (const { reminder, dueMs, createdMs, data } of runs) {
    const run = runOf(reminder, { about: aboutOf(reminder, topics), dueMs, random, troubles });
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

function aboutOf({ input }: StoredReminder, topics: DemoParts['topics']): About {
  const { topic_id: topicId = null } = input.content;
  const name = topicNames.find((one) => topics[one] === topicId);
  return { topicId, kind: name === undefined ? null : demoTopics[name].kind, occasion: 'reminder' };
}

type Due = { dueMs: number; createdMs: number; data: Record<string, string> | null };

/** A run takes about a minute: what is due this late is not past yet. */
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

/** The times of events: on working days, between eight and six. */
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
  // Leaves out times whose job, after the longest delay, is not past yet.
  return times.filter((ms) => ms + 3_600_000 <= until);
}

type Run = {
  dueMs: number;
  deliveries: RunDelivery[];
  executions: Omit<PastExecution, 'job_id'>[];
  attempts: number;
  startedMs: number;
  endedMs: number;
  status: 'completed' | 'failed' | 'cancelled';
  message: string | null;
  /** The code of a cancelled run. */
  code: ReasonCode | null;
};

type At = { about: About; dueMs: number; random: () => number; troubles: Troubles };

function runOf({ reached }: StoredReminder, { about, dueMs, random, troubles }: At): Run {
  const startedMs = dueMs + 20 + Math.floor(random() * 180);
  // One run in sixteen has a message that arrives with the second attempt.
  const retried = random() < 1 / 16 ? Math.floor(random() * reached.length) : -1;
  const deliveries = reached.map((to, n) =>
    deliveryOf(to, { about, startedMs, random, troubles, isRetried: n === retried }),
  );
  const tally: Tally = {};
  for (const { status } of deliveries) tally[status] = (tally[status] ?? 0) + 1;
  const failed = deliveries.find(({ status }) => status === 'failed');
  const skipped = deliveries.find(({ status }) => status === 'skipped');
  const { status, message } = resultOf(tally, { reason: (failed ?? skipped)?.reason ?? null });
  const attempts = Math.max(1, ...deliveries.map((delivery) => delivery.attempts));
  const sent = deliveries.filter((delivery) => delivery.attempts > 0);
  const endedMs = Math.max(startedMs + 5, ...sent.map(({ ended_ms: ms }) => ms));
  const executions = executionsOf({ deliveries, attempts, startedMs, result: { status, message }, tally });
  const code = status === 'cancelled' ? (skipped?.reason_code ?? noRecipients.code) : null;
  return { dueMs, deliveries, executions, attempts, startedMs, endedMs, status, message, code };
}

/** One execution for each attempt; all but the last ended with a retry. */
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
    const retried = tried.find((delivery) => delivery.attempts > attempt);
    return {
      id: idAt(beganMs),
      status: isLast && result.status === 'completed' ? 'completed' : 'failed',
      started_at: textOf(beganMs),
      completed_at: textOf(endedMs),
      duration_ms: endedMs - beganMs,
      error_message: isLast ? result.message : willBeTriedAgain(retried === undefined ? null : causeOf(retried, n)),
      logs: { attempt, attempted: tried.length, ...(isLast ? tally : {}) },
    };
  });
}

function jobOf(
  { id: reminderId, input }: StoredReminder,
  { run, createdMs, data }: { run: Run; createdMs: number; data: Record<string, string> | null },
): PastJob {
  const { dueMs, attempts, startedMs, endedMs, status, message, code } = run;
  return {
    id: idAt(createdMs),
    reminder_id: reminderId,
    name: input.name,
    type: data === null ? 'reminder' : 'event_reminder',
    status,
    scheduled_for: textOf(dueMs),
    attempts,
    max_attempts: maxAttemptsOf(input.metadata.channels),
    payload: data === null ? {} : { data },
    error_message: message,
    reason_code: code,
    started_at: textOf(startedMs),
    completed_at: textOf(endedMs),
    created_at: textOf(createdMs),
  };
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
