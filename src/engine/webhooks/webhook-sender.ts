import type { Pool } from 'pg';
import { webhookLimits } from '#contract/webhooks.ts';
import type { Network } from '#delivery/adapter.ts';
import type { Outcome } from '#domain/outcome.ts';
import { settle, type Settled } from '#domain/settle.ts';
import type { ClaimedActivity } from '#engine/webhooks/claimed-activity.ts';
import { sendActivity } from '#engine/webhooks/send-activity.ts';
import * as sql from '#engine/webhooks/activities.sql.ts';
import { recordSystemAct } from '#platform/audit.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { PubSub } from '#platform/pubsub.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type WebhookSenderDeps = {
  /** Connected as the role cuebird_engine. */
  pool: Pool;
  pubsub: PubSub;
  network: Network;
  secrets: SecretBox;
  clock: Clock;
  random: () => number;
  log: Log;
  /** While deliveries are paused, no activity is sent or deleted. */
  isPaused: () => Promise<boolean>;
  /** Tells the owners of webhooks that were disabled. */
  notifyOwners: (now: Temporal.Instant) => Promise<void>;
};

export type WebhookSender = { stop(graceMs: number): Promise<void> };

/** The most activities in flight: of all webhooks, of those of a workspace (half of what is left, when that is less), and of one. */
const mostInFlight = 128;
const perWorkspace = 32;
const perWebhook = 8;
/** After this an attempt without a reported outcome counts as lost: far longer than a request may take. */
const lostAfterMs = 120_000;
const longestSleepMs = 15_000;
const sweepMs = 60_000;
const forgetMs = 3_600_000;
/** The shortest sleep: activities that another process is claiming look due until it has committed. */
const shortestSleepMs = 100;

/** After so many failures in a row a webhook is tried with one activity at a time, and after a delay that doubles. */
const failuresBeforeBackoff = 3;
const firstBackoffMs = 30_000;
const longestBackoffMs = 600_000;

/**
 * Sends the activities of all webhooks, with the retry schedule of webhook messages. Several processes may do so: each attempt is claimed first. What
 * a lost process had begun is sent again under the same `webhook-id`.
 */
export function startWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const { pool, clock, log } = deps;
  const stopped = new AbortController();
  let sleeper = new AbortController();
  /** The activities in flight of each webhook, and its workspace. */
  const inFlight = new Map<string, { workspaceId: string; count: number }>();
  const attempts = new Set<Promise<void>>();
  let sweptAtMs = Number.NEGATIVE_INFINITY;
  let forgotAtMs = Number.NEGATIVE_INFINITY;
  const unsubscribe = deps.pubsub.subscribe('cuebird_webhooks', wake);
  const done = run();

  function wake(): void {
    sleeper.abort();
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      // Created before the queries, so that a wake-up meanwhile is not lost.
      sleeper = new AbortController();
      let until = clock.now().add({ milliseconds: longestSleepMs });
      try {
        if (!(await deps.isPaused())) {
          await sweep();
          if (attempts.size < mostInFlight) {
            if (await begin()) continue;
            const due = await nextDue();
            if (due !== null && Temporal.Instant.compare(due, until) < 0) until = due;
          }
        }
      } catch (error) {
        log.warn({ error: String(error) }, 'sending activities to webhooks failed; trying again');
      }
      if (stopped.signal.aborted) return;
      await clock.sleepUntil(until, sleeper.signal);
    }
  }

  /** Begins what is due in half of the free slots, so that few workspaces do not take all. Returns whether there may be more. */
  async function begin(): Promise<boolean> {
    const count = halfOfFree();
    const now = clock.now();
    const { rows } = await pool.query<ClaimedActivity>({
      ...sql.claimActivities,
      values: [
        now.toString(),
        [...inFlight.keys()],
        count,
        now.add({ milliseconds: lostAfterMs }).toString(),
        perWebhook,
        failuresBeforeBackoff,
        ...shares(),
      ],
    });
    for (const { webhook_id: id, workspace_id: workspaceId } of rows)
      inFlight.set(id, { workspaceId, count: (inFlight.get(id)?.count ?? 0) + 1 });
    for (const activity of rows) {
      const attempt = attend(activity).finally(() => {
        attempts.delete(attempt);
        wake();
      });
      attempts.add(attempt);
    }
    return rows.length === count;
  }

  async function attend(activity: ClaimedActivity): Promise<void> {
    try {
      const outcome = await sendActivity(activity, deps);
      await record(deps, { activity, outcome });
    } catch (error) {
      // Without a record the attempt counts as lost, and the activity is due again.
      log.warn({ activity: activity.id, error: String(error) }, 'an activity of a webhook was not recorded');
    } finally {
      const left = (inFlight.get(activity.webhook_id)?.count ?? 1) - 1;
      if (left > 0) inFlight.set(activity.webhook_id, { workspaceId: activity.workspace_id, count: left });
      else inFlight.delete(activity.webhook_id);
    }
  }

  const halfOfFree = () => Math.ceil((mostInFlight - attempts.size) / 2);

  /** The workspaces with activities in flight, how many each has, and the most that one may have. */
  function shares(): [string[], number[], number] {
    const counts = new Map<string, number>();
    for (const { workspaceId, count } of inFlight.values())
      counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + count);
    return [[...counts.keys()], [...counts.values()], Math.min(perWorkspace, halfOfFree())];
  }

  async function nextDue(): Promise<Temporal.Instant | null> {
    const { rows } = await pool.query<{ due: string | null }>({
      ...sql.nextActivityDue,
      values: [[...inFlight.keys()], ...shares()],
    });
    const due = rows[0]?.due ?? null;
    if (due === null) return null;
    const soonest = clock.now().add({ milliseconds: shortestSleepMs });
    const at = Temporal.Instant.from(due);
    return Temporal.Instant.compare(at, soonest) < 0 ? soonest : at;
  }

  /** Keeps the outbox and the log within their bounds. */
  async function sweep(): Promise<void> {
    if (clock.epochMs() - sweptAtMs < sweepMs) return;
    sweptAtMs = clock.epochMs();
    await boundWaiting(deps);
    if (clock.epochMs() - forgotAtMs >= forgetMs) {
      forgotAtMs = clock.epochMs();
      await forgetEnded(deps);
    }
    await deps.notifyOwners(clock.now());
  }

  return {
    async stop(graceMs) {
      unsubscribe();
      stopped.abort();
      wake();
      await done;
      const grace = new AbortController();
      const end = clock.sleepUntil(clock.now().add({ milliseconds: graceMs }), grace.signal);
      await Promise.race([Promise.all(attempts), end]);
      grace.abort();
    },
  };
}

type SweepDeps = Pick<WebhookSenderDeps, 'pool' | 'clock' | 'log'>;

/** Ends what has waited too long, and drops the oldest where too many wait. */
export async function boundWaiting({ pool, clock, log }: SweepDeps): Promise<void> {
  const now = clock.now();
  await pool.query({ ...sql.endExpired, values: [now.toString()] });
  const { rows } = await pool.query<{ id: string; workspace_id: string; count: number }>({
    ...sql.dropBeyond,
    values: [webhookLimits.waiting, now.toString()],
  });
  for (const { id, workspace_id: workspaceId, count } of rows)
    log.warn({ webhook: id, workspaceId, count }, 'activities of a webhook were dropped, because too many waited');
  await notifyClients(pool, [...new Set(rows.map((row) => row.workspace_id))]);
}

/** Deletes what the log of a webhook no longer keeps. */
export async function forgetEnded({ pool, clock }: SweepDeps): Promise<void> {
  await pool.query({ ...sql.forgetBeyond, values: [webhookLimits.ended] });
  const before = clock.now().subtract({ hours: 24 * webhookLimits.endedDays });
  await pool.query({ ...sql.forgetOld, values: [before.toString()] });
}

async function record(
  deps: WebhookSenderDeps,
  { activity, outcome }: { activity: ClaimedActivity; outcome: Outcome },
): Promise<void> {
  const { pool, clock } = deps;
  const now = clock.now();
  const settled = settle(outcome, {
    channel: 'webhook',
    attempt: activity.attempts,
    unknowns: activity.unknowns,
    nowMs: now.epochMilliseconds,
    expiresAtMs: Date.parse(activity.expires_at),
    random: deps.random(),
  });
  const answer = settled.answer ?? settled.reason;
  await pool.query({
    ...sql.recordAttempt,
    values: [
      activity.id,
      activity.attempts,
      statusOf(settled),
      answer,
      settled.nextAttemptAt?.toString() ?? null,
      now.toString(),
      settled.isUnknown ? 1 : 0,
    ],
  });
  if (outcome.outcome === 'accepted')
    await pool.query({ ...sql.acceptedOf, values: [activity.webhook_id, answer, now.toString()] });
  else await noteFailure(deps, { activity, outcome, answer });
  await notifyClients(pool, [activity.workspace_id]);
}

function statusOf({ status }: Settled): 'waiting' | 'accepted' | 'failed' | 'unknown' {
  return status === 'waiting' || status === 'accepted' || status === 'unknown' ? status : 'failed';
}

/** Defers the webhook while it fails, and disables it after days. */
async function noteFailure(
  { pool, clock, log, notifyOwners }: WebhookSenderDeps,
  { activity, outcome, answer }: { activity: ClaimedActivity; outcome: Outcome; answer: string | null },
): Promise<void> {
  const now = clock.now();
  const since = now.subtract({ hours: 24 * webhookLimits.failingDays });
  const { rows } = await pool.query<{ workspace_id: string; url: string; was_disabled: boolean }>({
    ...sql.failedOf,
    values: [
      activity.webhook_id,
      answer,
      now.toString(),
      outcome.outcome === 'unknown' ? 'unknown' : 'failed',
      since.toString(),
      failuresBeforeBackoff,
      firstBackoffMs,
      longestBackoffMs,
    ],
  });
  const [webhook] = rows;
  if (webhook === undefined || !webhook.was_disabled) return;
  log.warn(
    { webhook: activity.webhook_id, workspaceId: webhook.workspace_id },
    'a webhook was disabled after days of failure',
  );
  await recordSystemAct(pool, {
    workspaceId: webhook.workspace_id,
    action: 'webhook.disabled',
    target: activity.webhook_id,
    details: { host: URL.parse(webhook.url)?.host ?? '' },
    now,
  });
  await notifyOwners(now);
}

const notifyClients = (pool: Pool, workspaceIds: readonly string[]) =>
  pool.query({
    name: 'notify-webhooks',
    text: "select pg_notify('cuebird_changes', u.payload) from unnest($1::text[]) as u (payload)",
    values: [workspaceIds.map((workspace) => JSON.stringify({ workspace, tables: ['webhooks'] }))],
  });
