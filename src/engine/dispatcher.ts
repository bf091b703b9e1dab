import type { Pool } from 'pg';
import type { Network } from '#delivery/adapter.ts';
import { claimDueJobs, type Claim } from '#engine/claim.ts';
import * as sql from '#engine/claim.sql.ts';
import type { Recorder } from '#engine/recorder.ts';
import type { ChannelRow, FindRoute } from '#engine/routes.ts';
import type { LiveDelivery, Run } from '#engine/run.ts';
import { sendDelivery } from '#engine/send.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

export type DispatcherLimits = {
  /** Attempts in flight at the most. */
  slots: number;
  /** Of which one workspace may hold this many, so that the others always find some free. */
  slotsPerWorkspace: number;
  leaseMs: number;
  heartbeatMs: number;
  /** The longest sleep: clocks jump and a NOTIFY can be lost. */
  maxSleepMs: number;
};

export const defaultLimits: DispatcherLimits = {
  slots: 1024,
  slotsPerWorkspace: 512,
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

/** A claim waits until a quarter of the places is free: taking jobs one by one costs the database as much as a hundred. */
const isFull = (taken: number, places: number) => taken > places * 0.75;
const hasJustRoom = (taken: number, places: number) => isFull(taken + 1, places) && !isFull(taken, places);

/** Claims what is due, sends it, and sleeps until the next due time. */
export function startDispatcher(deps: Deps): Dispatcher {
  const limits = deps.limits ?? defaultLimits;
  const runs = new Map<string, Run>();
  const channelsOfRun = new WeakMap<Run, readonly ChannelRow[]>();
  const perWorkspace = new Map<string, number>();
  const stopped = new AbortController();
  const closed = new AbortController();
  let inFlight = 0;
  let sleeper = new AbortController();
  let isBacklogged = false;
  let lastTurnAt = 0;

  const wake = () => {
    // To abort again would make an exception, with its stack, for every delivery.
    if (!sleeper.signal.aborted) sleeper.abort();
  };
  const later = (ms: number) => deps.clock.now().add({ milliseconds: ms });
  const done = loop();
  const heart = beat();

  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) {
      // Made anew before looking, so that a wake that comes while we look is not slept through.
      sleeper = new AbortController();
      try {
        await startQueued();
        if (isFull(inFlight, limits.slots)) await deps.clock.sleepUntil(later(limits.maxSleepMs), sleeper.signal);
        else {
          const now = deps.clock.now();
          const room = Math.min(limits.slots - inFlight, roomOfOneWorkspace());
          if (!(await claimSome(room, now))) await sleepUntilDue(now);
        }
      } catch (error) {
        deps.log.error({ error: String(error) }, 'claiming failed; trying again');
        await deps.clock.sleepUntil(later(500), stopped.signal);
      }
    }
  }

  async function claimSome(room: number, now: Temporal.Instant): Promise<boolean> {
    const claim = await claimDueJobs(deps.pool, {
      now,
      leaseUntil: now.add({ milliseconds: limits.leaseMs }),
      worker: deps.worker,
      limit: room,
      budget: room,
      order: nextOrder(now),
      saturated: saturated(),
    });
    isBacklogged = claim.started.length >= room;
    startAll(claim);
    return claim.started.length > 0;
  }

  /** In order of due time; under a backlog every fifth of a second in turn, so that nobody waits behind another's flood. */
  function nextOrder(now: Temporal.Instant): 'due' | 'turn' {
    const isTurn = (isBacklogged || saturated().length > 0) && now.epochMilliseconds - lastTurnAt >= 200;
    if (isTurn) lastTurnAt = now.epochMilliseconds;
    return isTurn ? 'turn' : 'due';
  }

  /** What the busiest workspace that is not saturated may still take: all of a claim may turn out to be its own. */
  const roomOfOneWorkspace = () =>
    limits.slotsPerWorkspace -
    Math.max(0, ...[...perWorkspace.values()].filter((count) => !isFull(count, limits.slotsPerWorkspace)));

  const saturated = () =>
    [...perWorkspace]
      .filter(([, count]) => isFull(count, limits.slotsPerWorkspace))
      .map(([workspaceId]) => workspaceId);

  function startAll({ started, channels }: Claim): void {
    for (const { run, begun } of started) {
      runs.set(run.job.id, run);
      channelsOfRun.set(run, channels);
      for (const delivery of begun) start(run, delivery);
      finishIfDone(run);
    }
  }

  function start(run: Run, delivery: LiveDelivery): void {
    const { workspace_id: workspaceId } = run.job;
    const route = deps.findRoute(channelsOfRun.get(run) ?? [], { type: delivery.channel, workspaceId });
    inFlight += 1;
    run.inFlight += 1;
    perWorkspace.set(workspaceId, (perWorkspace.get(workspaceId) ?? 0) + 1);
    void sendDelivery(run, { delivery, route, network: deps.network }).then((sent) => {
      deps.recorder.record(run, delivery, sent);
      run.inFlight -= 1;
      const madeRoom = leave(workspaceId);
      finishIfDone(run);
      if (madeRoom || run.queued.length > 0) wake();
    });
  }

  /** Frees a place. True where this made a claim worth its while again. */
  function leave(workspaceId: string): boolean {
    const count = perWorkspace.get(workspaceId) ?? 1;
    if (count === 1) perWorkspace.delete(workspaceId);
    else perWorkspace.set(workspaceId, count - 1);
    inFlight -= 1;
    return hasJustRoom(inFlight, limits.slots) || hasJustRoom(count - 1, limits.slotsPerWorkspace);
  }

  function finishIfDone(run: Run): void {
    if (run.inFlight > 0 || run.queued.length > 0) return;
    runs.delete(run.job.id);
    if (!run.isLost) deps.recorder.finish(run);
  }

  /** Begins recipients that did not fit into their claim. */
  async function startQueued(): Promise<void> {
    for (const run of runs.values()) {
      const room = Math.min(
        limits.slots - inFlight,
        limits.slotsPerWorkspace - (perWorkspace.get(run.job.workspace_id) ?? 0),
        256,
      );
      if (run.queued.length === 0 || room <= 0) continue;
      await beginSome(run, run.queued.splice(0, room));
      finishIfDone(run);
    }
  }

  async function beginSome(run: Run, chosen: LiveDelivery[]): Promise<void> {
    const { rows } = await deps.pool.query<{ channel: string; recipient: string; attempts: number }>({
      ...sql.beginAttempts,
      values: [
        run.job.id,
        run.job.fence,
        chosen.map((one) => one.channel),
        chosen.map((one) => one.recipient),
        deps.clock.now().toString(),
      ],
    });
    const begun = new Map(rows.map((row) => [`${row.channel} ${row.recipient}`, row.attempts]));
    for (const delivery of chosen) {
      const attempts = begun.get(`${delivery.channel} ${delivery.recipient}`);
      if (attempts !== undefined) start(run, { ...delivery, attempts });
    }
    if (rows.length < chosen.length) await stopRun(run);
  }

  /** The job was paused, edited, cancelled or taken over: what was not begun is not sent, and says why. */
  async function stopRun(run: Run): Promise<void> {
    const { rows } = await deps.pool.query<{ status: string; fence: number; stop_reason: string | null }>({
      ...sql.standOf,
      values: [run.job.id],
    });
    const stand = rows[0];
    if (stand === undefined || stand.fence !== run.job.fence || stand.status !== 'running') {
      run.queued = [];
      // A cancelled job still passes the recorder, which closes what waits; one that another worker holds does not.
      run.isLost = stand?.status !== 'cancelled';
      return;
    }
    if (stand.stop_reason === null) return;
    run.queued = [];
    const { rowCount } = await deps.pool.query({
      ...sql.skipDeliveries,
      values: [run.job.id, run.job.scheduled_for, stand.stop_reason, deps.clock.now().toString()],
    });
    run.tally.skipped = (run.tally.skipped ?? 0) + (rowCount ?? 0);
    run.nextAttemptAt = null;
    run.lastReason = stand.stop_reason;
  }

  /** @param lookedAt when nothing was found to claim */
  async function sleepUntilDue(lookedAt: Temporal.Instant): Promise<void> {
    const { rows } = await deps.pool.query<{ run_at: string }>({ ...sql.nextDue, values: [saturated()] });
    const latest = later(limits.maxSleepMs);
    const due = rows[0] === undefined ? latest : Temporal.Instant.from(rows[0].run_at);
    // Due when we looked and still not claimed: another worker holds the row at this moment.
    const isHeld = Temporal.Instant.compare(due, lookedAt) <= 0;
    const until = isHeld ? later(20) : Temporal.Instant.compare(due, latest) < 0 ? due : latest;
    await deps.clock.sleepUntil(until, sleeper.signal);
  }

  async function beat(): Promise<void> {
    while (!closed.signal.aborted) {
      await deps.clock.sleepUntil(later(limits.heartbeatMs), closed.signal);
      try {
        await extendLeases();
      } catch (error) {
        deps.log.warn({ error: String(error) }, 'a heartbeat failed');
      }
    }
  }

  async function extendLeases(): Promise<void> {
    const held = [...runs.values()].filter((run) => !run.isLost);
    if (held.length === 0) return;
    const leaseUntil = deps.clock.now().add({ milliseconds: limits.leaseMs }).toString();
    const { rows } = await deps.pool.query<{ id: string }>({
      ...sql.heartbeat,
      values: [held.map((run) => run.job.id), held.map((run) => run.job.fence), leaseUntil],
    });
    const kept = new Set(rows.map((row) => row.id));
    for (const run of held) {
      // A run finished between the two statements is not lost, just done.
      if (!kept.has(run.job.id) && runs.has(run.job.id)) await stopRun(run);
    }
  }

  return {
    wake,
    async stop(graceMs) {
      stopped.abort();
      wake();
      await done;
      for (const run of runs.values()) {
        if (run.queued.length > 0) {
          // Given back: the row stays queued and the next claim takes it up at once.
          run.queued = [];
          run.nextAttemptAt = deps.clock.now();
          run.lastReason ??= 'The server was stopped';
          finishIfDone(run);
        }
      }
      const grace = new AbortController();
      const settled = waitForAll().finally(() => grace.abort());
      await Promise.race([settled, deps.clock.sleepUntil(later(graceMs), grace.signal)]);
      closed.abort();
      await heart;
      await deps.recorder.drain();
    },
  };

  async function waitForAll(): Promise<void> {
    while (runs.size > 0 && !closed.signal.aborted) await deps.clock.sleepUntil(later(20), closed.signal);
  }
}
