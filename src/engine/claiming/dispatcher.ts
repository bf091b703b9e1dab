import { randomUUIDv7 } from 'node:crypto';
import type { Network } from '#delivery/adapter.ts';
import type { Billing } from '#contract/plans.ts';
import type { Renderer } from '#domain/rendering.ts';
import { startAudienceClaims } from '#engine/claiming/audience-claims.ts';
import { type AudienceBudget, defaultAudienceBudget } from '#engine/claiming/audience-budget.ts';
import type { ClaimDecision } from '#engine/run/claim-decision.ts';
import { claimDueJobs } from '#engine/claiming/claim-due-jobs.ts';
import { createCircuitBreakers, type BreakerLimits } from '#engine/limits/circuit-breakers.ts';
import { createRateLimiter } from '#engine/limits/rate-limiter.ts';
import type { Recorder } from '#engine/execution/recorder.ts';
import type { FindRoute } from '#engine/run/routes.ts';
import type { Attempt } from '#engine/run/attempt.ts';
import { createExecutor } from '#engine/execution/executor.ts';
import { sendDelivery } from '#engine/execution/send.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import type { LiveDelivery } from '#engine/run/live-delivery.ts';
import { createSlots, type SlotLimits } from '#engine/limits/slots.ts';
import type { ClaimRequest, EngineStore } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { nilUuid } from '#platform/uuid-bounds.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type DispatcherLimits = SlotLimits &
  BreakerLimits & {
    leaseMs: number;
    heartbeatMs: number;
    /** How often the rescuer looks for claims with an expired lease, in milliseconds. */
    sweepMs: number;
    /** The longest sleep. It bounds the delay when the clock jumps or a NOTIFY is lost. */
    maxSleepMs: number;
    /** The most jobs of one claim. A job that comes due meanwhile waits for its end, even when all of these are another workspace's. */
    jobsPerClaim: number;
    audiences: AudienceBudget;
  };

export const defaultLimits: DispatcherLimits = {
  slots: 2048,
  slotsPerWorkspace: 1024,
  perDestination: 128,
  stalledMs: 2_000,
  failuresToOpen: 10,
  leaseMs: 90_000,
  heartbeatMs: 20_000,
  sweepMs: 15_000,
  maxSleepMs: 15_000,
  jobsPerClaim: 512,
  audiences: defaultAudienceBudget,
};

export type Dispatcher = {
  /** Called when a job may be due earlier than expected. */
  wake(): void;
  /** Stops claiming, waits up to `graceMs` for deliveries in flight, and releases the rest. */
  stop(graceMs: number): Promise<void>;
  /** How many deliveries of claimed jobs have no outcome yet. */
  openDeliveries(): number;
};

type Deps = {
  store: EngineStore;
  recorder: Recorder;
  findRoute: FindRoute;
  network: Network;
  /** Decrypts the secrets that sign webhooks. */
  secrets: SecretBox;
  renderer: Renderer;
  billing: Billing;
  clock: Clock;
  random: () => number;
  log: Log;
  worker: string;
  /** True while nothing may be claimed. */
  isPaused: () => Promise<boolean>;
  limits?: DispatcherLimits;
  onUnsent?: () => void;
  onAttempt?: ((run: JobRun, delivery: LiveDelivery) => void) | undefined;
};

/** Under a backlog, one claim per interval takes jobs round robin instead of by due time. */
const roundRobinEveryMs = 200;

/** Jobs of each workspace that a round-robin claim takes. */
const perRoundRobin = 64;

/** The last workspace of a round-robin claim: its ids rise from the one after `after`, and go on with the lowest. */
function lastWorkspaceOf(started: ClaimDecision['started'], after: string): string {
  const ids = started.map(({ run }) => run.job.workspace_id).toSorted();
  return ids.findLast((id) => id <= after) ?? ids.at(-1) ?? after;
}

/** The background actor that claims what is due, has it sent, and sleeps until the next due time. */
export function startDispatcher(deps: Deps): Dispatcher {
  const { store, clock, random, log, recorder, network, secrets, renderer, findRoute, billing } = deps;
  const limits = deps.limits ?? defaultLimits;
  const stopped = new AbortController();
  const closed = new AbortController();
  const slots = createSlots(limits);
  const runs = createExecutor({
    store,
    clock,
    log,
    recorder,
    slots,
    breakers: createCircuitBreakers<Attempt>({ clock, random, limits }),
    rateLimiter: createRateLimiter({ store, clock, log }),
    stalledMs: limits.stalledMs,
    findRoute,
    onAttempt: deps.onAttempt,
    onCapacity: wakeAll,
    send: (run, { delivery, route }) => sendDelivery(run, { delivery, route, network, secrets, renderer }),
  });
  let sleeper = new AbortController();
  let isBacklogged = false;
  let lastRoundRobinAt = 0;
  /** The workspace after which the next round robin begins. */
  let lastRoundRobinId = nilUuid;

  const later = (ms: number) => Temporal.Instant.fromEpochMilliseconds(clock.epochMs() + ms);
  const audienceClaims = startAudienceClaims({
    store,
    clock,
    log,
    workspaces: limits.audiences.workspaces,
    maxSleepMs: limits.maxSleepMs,
    mayClaim,
    saturated: () => slots.saturated(clock.epochMs()).workspaceIds,
    // Nothing of it begins with the claim: what does is counted against slots that another claim may fill meanwhile.
    claim: (workspaceId) =>
      claimOnce(clock.now(), {
        order: { by: 'audience', workspaceId },
        maxJobs: limits.audiences.jobs,
        maxAttempts: 0,
        except: [],
      }),
  });
  const done = loop();
  const heart = beat();

  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) {
      // Created before the query, so that a wake during the query is not lost.
      sleeper = new AbortController();
      try {
        const hasMore = await runs.startOverflow();
        const now = clock.now();
        const dueMs = (await mayClaim()) ? await claimSome(now) : Number.POSITIVE_INFINITY;
        if (dueMs !== null && !hasMore) await sleepUntilDue(dueMs, now);
      } catch (error) {
        log.error({ error: String(error) }, 'claiming failed; trying again');
        await clock.sleepUntil(later(500), stopped.signal);
      }
    }
  }

  async function mayClaim(): Promise<boolean> {
    return !slots.isFull() && !(await deps.isPaused());
  }

  /** @returns null when something was claimed, and otherwise when the next job comes due of those that may be claimed */
  async function claimSome(now: Temporal.Instant): Promise<number | null> {
    const maxAttempts = slots.capacityForClaim();
    const maxJobs = Math.min(maxAttempts, limits.jobsPerClaim);
    const { workspaceIds: except } = slots.saturated(now.epochMilliseconds);
    // While one workspace floods the queue nothing else is due most of the time: this question costs less than a claim.
    const othersDueMs = except.length > 0 ? await dueAtMs(except) : null;
    if (othersDueMs !== null && othersDueMs > now.epochMilliseconds) {
      isBacklogged = false;
      return othersDueMs;
    }
    const order = orderAt(now, except.length > 0);
    const claim = await claimOnce(now, { order, maxJobs, maxAttempts, except });
    if (claim === null) {
      isBacklogged = false;
      return dueAtMs(except);
    }
    if (claim.left.length > 0) audienceClaims.wake();
    isBacklogged = claim.started.length + claim.left.length >= maxJobs;
    if (order.by === 'round_robin') lastRoundRobinId = lastWorkspaceOf(claim.started, order.after);
    return null;
  }

  async function claimOnce(
    now: Temporal.Instant,
    request: Pick<ClaimRequest, 'order' | 'maxJobs' | 'except'> & { maxAttempts: number },
  ): Promise<ClaimDecision | null> {
    const claim = await claimDueJobs(
      {
        store: { ...store, claim: claimUnlessPaused },
        findRoute,
        billing,
        audiences: limits.audiences,
        secrets,
        steadyMs: clock.steadyMs,
      },
      {
        claimId: randomUUIDv7(),
        now,
        leaseUntil: now.add({ milliseconds: limits.leaseMs }),
        worker: deps.worker,
        ...request,
      },
    );
    if (claim === null) return null;
    runs.add(claim);
    log.debug({ jobs: claim.started.length }, 'jobs were claimed');
    if (claim.notices.length > 0) deps.onUnsent?.();
    // What waits here for a slot begins in the loop.
    if (request.order.by === 'audience') wake();
    return claim;
  }

  /** Asked again, because the connection of the claim may be the first one to a server that was promoted. */
  function claimUnlessPaused(...[request, decide]: Parameters<EngineStore['claim']>): ReturnType<EngineStore['claim']> {
    return store.claim(request, async (found) => {
      if (await deps.isPaused()) throw new Error('deliveries were paused meanwhile');
      return decide(found);
    });
  }

  /**
   * By due time. Round robin when workspaces are left out, because the claim would scan all their rows, and at
   * intervals under a backlog, so that no workspace waits behind another's flood.
   */
  function orderAt(now: Temporal.Instant, hasExcluded: boolean): ClaimRequest['order'] {
    if (!hasExcluded && (!isBacklogged || Math.abs(now.epochMilliseconds - lastRoundRobinAt) < roundRobinEveryMs))
      return { by: 'due' };
    lastRoundRobinAt = now.epochMilliseconds;
    return { by: 'round_robin', perWorkspace: perRoundRobin, after: lastRoundRobinId };
  }

  const dueAtMs = async (except: string[]) =>
    (await store.nextDue(except))?.epochMilliseconds ?? Number.POSITIVE_INFINITY;

  /** @param lookedAt when the last claim found nothing */
  async function sleepUntilDue(dueMs: number, lookedAt: Temporal.Instant): Promise<void> {
    const { untilMs } = slots.saturated(lookedAt.epochMilliseconds);
    const nowMs = clock.epochMs();
    // A job that was due then and is still unclaimed: another worker has locked its row.
    const isLocked = dueMs <= lookedAt.epochMilliseconds;
    const wakeAtMs = Math.min(
      isLocked ? nowMs + 20 : dueMs,
      untilMs ?? Number.POSITIVE_INFINITY,
      nowMs + limits.maxSleepMs,
    );
    await clock.sleepUntil(Temporal.Instant.fromEpochMilliseconds(wakeAtMs), sleeper.signal);
  }

  async function beat(): Promise<void> {
    while (!closed.signal.aborted) {
      await clock.sleepUntil(later(limits.heartbeatMs), closed.signal);
      try {
        await runs.extendLeases(later(limits.leaseMs));
      } catch (error) {
        log.warn({ error: String(error) }, 'a heartbeat failed');
      }
    }
  }

  function wake(): void {
    // A second abort would create an exception with a stack for every delivery.
    if (!sleeper.signal.aborted) sleeper.abort();
  }

  /** Slots are free again, or something may be due. */
  function wakeAll(): void {
    wake();
    audienceClaims.wakeIfDelayed();
  }

  return {
    wake: wakeAll,
    async stop(graceMs) {
      stopped.abort();
      wake();
      await Promise.all([done, audienceClaims.stop()]);
      runs.releaseOverflow();
      const grace = new AbortController();
      const finished = finishAll().finally(() => grace.abort());
      await Promise.race([finished, clock.sleepUntil(later(graceMs), grace.signal)]);
      closed.abort();
      await heart;
    },
    openDeliveries: runs.openDeliveries,
  };

  async function finishAll(): Promise<void> {
    while (!runs.isEmpty() && !closed.signal.aborted) await clock.sleepUntil(later(20), closed.signal);
    await recorder.drain();
  }
}
