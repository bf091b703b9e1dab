import { randomUUIDv7 } from 'node:crypto';
import type { Network } from '#delivery/adapter.ts';
import type { Billing } from '#domain/allowance.ts';
import { claimDueJobs } from '#engine/claim.ts';
import { createGates, type GateLimits } from '#engine/gates.ts';
import { createPaces } from '#engine/pace.ts';
import type { Recorder } from '#engine/recorder.ts';
import type { FindRoute } from '#engine/routes.ts';
import type { InHand } from '#engine/in-hand.ts';
import { createRunsInHand } from '#engine/runs-in-hand.ts';
import { sendDelivery } from '#engine/send.ts';
import { createSlots, type SlotLimits } from '#engine/slots.ts';
import type { ClaimRequest, EngineStore } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

export type DispatcherLimits = SlotLimits &
  GateLimits & {
    leaseMs: number;
    heartbeatMs: number;
    /** How often somebody looks for claims that nobody keeps. */
    sweepMs: number;
    /** The longest sleep: clocks jump and a NOTIFY can be lost. */
    maxSleepMs: number;
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
};

export type Dispatcher = {
  /** Something may have come due earlier than expected. */
  wake(): void;
  /** Stops claiming, waits for what is in flight up to `graceMs`, and gives the rest back. */
  stop(graceMs: number): Promise<void>;
};

type Deps = {
  store: EngineStore;
  recorder: Recorder;
  findRoute: FindRoute;
  network: Network;
  billing: Billing;
  clock: Clock;
  random: () => number;
  log: Log;
  worker: string;
  /** Nothing is to be claimed for now. */
  isHeld: () => Promise<boolean>;
  limits?: DispatcherLimits;
  onUnsent?: () => void;
};

/** Under a backlog, this often a claim goes round the workspaces instead of taking what is due first. */
const turnEveryMs = 200;

/** How many jobs of each workspace a claim in turn takes. */
const perTurn = 64;

/** Claims what is due, sends it, and sleeps until the next due time. */
export function startDispatcher(deps: Deps): Dispatcher {
  const { store, clock, random, log, recorder, network, findRoute, billing } = deps;
  const limits = deps.limits ?? defaultLimits;
  const stopped = new AbortController();
  const closed = new AbortController();
  const slots = createSlots(limits);
  const runs = createRunsInHand({
    store,
    clock,
    log,
    recorder,
    slots,
    gates: createGates<InHand>({ clock, random, limits }),
    paces: createPaces({ store, clock, log }),
    stalledMs: limits.stalledMs,
    findRoute,
    onRoom: wake,
    send: (run, { delivery, route }) => sendDelivery(run, { delivery, route, network }),
  });
  let sleeper = new AbortController();
  let isBacklogged = false;
  let lastTurnAt = 0;

  const later = (ms: number) => clock.now().add({ milliseconds: ms });
  const done = loop();
  const heart = beat();

  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) {
      // Made anew before looking, so that a wake that comes while we look is not slept through.
      sleeper = new AbortController();
      try {
        const hasMore = await runs.startQueued();
        const now = clock.now();
        const mayClaim = !slots.isFull() && !(await deps.isHeld());
        if ((mayClaim && (await claimSome(now))) || hasMore) continue;
        if (mayClaim) await sleepUntilDue(now);
        else await clock.sleepUntil(later(limits.maxSleepMs), sleeper.signal);
      } catch (error) {
        log.error({ error: String(error) }, 'claiming failed; trying again');
        await clock.sleepUntil(later(500), stopped.signal);
      }
    }
  }

  async function claimSome(now: Temporal.Instant): Promise<boolean> {
    const room = slots.roomForClaim();
    const { workspaceIds: except } = slots.saturated(now);
    const claim = await claimDueJobs(
      { store, findRoute, billing },
      {
        claimId: randomUUIDv7(),
        now,
        leaseUntil: now.add({ milliseconds: limits.leaseMs }),
        worker: deps.worker,
        limit: room,
        order: orderAt(now, except.length > 0),
        except,
      },
    );
    if (claim === null) return (isBacklogged = false);
    isBacklogged = claim.started.length >= room;
    runs.add(claim);
    if (claim.notices.length > 0) deps.onUnsent?.();
    return true;
  }

  /**
   * In order of due time; in turn where somebody is left out, whose rows would all be passed by, and now and then under a
   * backlog, so that nobody waits behind another's flood.
   */
  function orderAt(now: Temporal.Instant, someAreLeftOut: boolean): ClaimRequest['order'] {
    if (!someAreLeftOut && (!isBacklogged || Math.abs(now.epochMilliseconds - lastTurnAt) < turnEveryMs))
      return { by: 'due' };
    lastTurnAt = now.epochMilliseconds;
    return { by: 'turn', perWorkspace: perTurn };
  }

  /** @param lookedAt when nothing was found to claim */
  async function sleepUntilDue(lookedAt: Temporal.Instant): Promise<void> {
    const { workspaceIds, until: restEnds } = slots.saturated(lookedAt);
    const due = await store.nextDue(workspaceIds);
    // Due when we looked and still not claimed: another worker holds the row at this moment.
    const isHeld = due !== null && Temporal.Instant.compare(due, lookedAt) <= 0;
    const [until] = [isHeld ? later(20) : due, restEnds, later(limits.maxSleepMs)]
      .filter((instant) => instant !== null)
      .sort(Temporal.Instant.compare);
    if (until !== undefined) await clock.sleepUntil(until, sleeper.signal);
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
    // To abort again would make an exception, with its stack, for every delivery.
    if (!sleeper.signal.aborted) sleeper.abort();
  }

  return {
    wake,
    async stop(graceMs) {
      stopped.abort();
      wake();
      await done;
      runs.giveBackQueued();
      const grace = new AbortController();
      const finished = finishAll().finally(() => grace.abort());
      await Promise.race([finished, clock.sleepUntil(later(graceMs), grace.signal)]);
      closed.abort();
      await heart;
    },
  };

  async function finishAll(): Promise<void> {
    while (!runs.isEmpty() && !closed.signal.aborted) await clock.sleepUntil(later(20), closed.signal);
    await recorder.drain();
  }
}
