import type { Pool } from 'pg';
import type { Network } from '#delivery/adapter.ts';
import { claimDueJobs } from '#engine/claim.ts';
import * as sql from '#engine/claim.sql.ts';
import type { Recorder } from '#engine/recorder.ts';
import type { FindRoute } from '#engine/routes.ts';
import { createRunsInHand } from '#engine/runs-in-hand.ts';
import { sendDelivery } from '#engine/send.ts';
import { createSlots, type SlotLimits } from '#engine/slots.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

export type DispatcherLimits = SlotLimits & {
  leaseMs: number;
  heartbeatMs: number;
  /** The longest sleep: clocks jump and a NOTIFY can be lost. */
  maxSleepMs: number;
};

export const defaultLimits: DispatcherLimits = {
  slots: 2048,
  slotsPerWorkspace: 1024,
  leaseMs: 90_000,
  heartbeatMs: 20_000,
  maxSleepMs: 15_000,
};

export type Dispatcher = {
  /** Something may have come due earlier than expected. */
  wake(): void;
  /** Stops claiming, waits for what is in flight up to `graceMs`, and gives the rest back. */
  stop(graceMs: number): Promise<void>;
};

type Deps = {
  pool: Pool;
  recorder: Recorder;
  findRoute: FindRoute;
  network: Network;
  clock: Clock;
  log: Log;
  worker: string;
  limits?: DispatcherLimits;
};

/** Under a backlog, this often a claim goes round the workspaces instead of taking what is due first. */
const turnEveryMs = 200;

/** Claims what is due, sends it, and sleeps until the next due time. */
export function startDispatcher(deps: Deps): Dispatcher {
  const { pool, clock, log, recorder, network, findRoute } = deps;
  const limits = deps.limits ?? defaultLimits;
  const stopped = new AbortController();
  const closed = new AbortController();
  const slots = createSlots(limits);
  const runs = createRunsInHand({
    pool,
    clock,
    recorder,
    slots,
    onRoom: wake,
    send: (run, delivery, channels) => {
      const route = findRoute(channels, { type: delivery.channel, workspaceId: run.job.workspace_id });
      return sendDelivery(run, { delivery, route, network });
    },
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
        await runs.startQueued();
        if (slots.isFull()) await clock.sleepUntil(later(limits.maxSleepMs), sleeper.signal);
        else {
          const now = clock.now();
          if (!(await claimSome(now))) await sleepUntilDue(now);
        }
      } catch (error) {
        log.error({ error: String(error) }, 'claiming failed; trying again');
        await clock.sleepUntil(later(500), stopped.signal);
      }
    }
  }

  async function claimSome(now: Temporal.Instant): Promise<boolean> {
    const room = slots.roomForClaim();
    const saturated = slots.saturated();
    const claim = await claimDueJobs(pool, {
      now,
      leaseUntil: now.add({ milliseconds: limits.leaseMs }),
      worker: deps.worker,
      limit: room,
      budget: room,
      order: orderAt(now, isBacklogged || saturated.length > 0),
      saturated,
    });
    isBacklogged = claim.started.length >= room;
    runs.add(claim);
    return claim.started.length > 0;
  }

  /** In order of due time; under a backlog now and then in turn, so that nobody waits behind another's flood. */
  function orderAt(now: Temporal.Instant, hasBacklog: boolean): 'due' | 'turn' {
    if (!hasBacklog || now.epochMilliseconds - lastTurnAt < turnEveryMs) return 'due';
    lastTurnAt = now.epochMilliseconds;
    return 'turn';
  }

  /** @param lookedAt when nothing was found to claim */
  async function sleepUntilDue(lookedAt: Temporal.Instant): Promise<void> {
    const { rows } = await pool.query<{ run_at: string }>({ ...sql.nextDue, values: [slots.saturated()] });
    const latest = later(limits.maxSleepMs);
    const due = rows[0] === undefined ? latest : Temporal.Instant.from(rows[0].run_at);
    // Due when we looked and still not claimed: another worker holds the row at this moment.
    const isHeld = Temporal.Instant.compare(due, lookedAt) <= 0;
    const until = isHeld ? later(20) : Temporal.Instant.compare(due, latest) < 0 ? due : latest;
    await clock.sleepUntil(until, sleeper.signal);
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
