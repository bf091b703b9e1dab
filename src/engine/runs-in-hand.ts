import { createCalled } from '#engine/called.ts';
import type { Claim } from '#engine/claimed.ts';
import type { Admission, Gates } from '#engine/gates.ts';
import type { InHand } from '#engine/in-hand.ts';
import { type Paces, turnText } from '#engine/pace.ts';
import { createQueued } from '#engine/queued.ts';
import type { Recorder } from '#engine/recorder.ts';
import type { FindRoute } from '#engine/routes.ts';
import type { LiveDelivery, Route, Run } from '#engine/run.ts';
import { type Sent, unsent } from '#engine/send.ts';
import type { Slots } from '#engine/slots.ts';
import { createStops, leaveToLease } from '#engine/stops.ts';
import type { EngineStore } from '#engine/store.ts';
import { type Chosen, createTurns } from '#engine/turns.ts';
import { currentRoute, type Way, wayTo } from '#engine/ways.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

type Deps = {
  store: EngineStore;
  clock: Clock;
  log: Log;
  recorder: Recorder;
  slots: Slots;
  gates: Gates<InHand>;
  paces: Paces;
  stalledMs: number;
  findRoute: FindRoute;
  send(run: Run, over: { delivery: LiveDelivery; route: Route }): Promise<Sent>;
  /** A claim is worth its while again, or recipients that waited for a place may begin. */
  onRoom(): void;
};

/** A workspace of whose claimed jobs hardly one could begin is left alone for this long. */
const restMs = 1_000;

const openDoor: Admission = { kind: 'enter' };

/** The jobs that this worker has claimed, from their first attempt to their result. */
export function createRunsInHand(deps: Deps) {
  const { store, clock, recorder, slots, gates, paces, stalledMs, send, onRoom } = deps;
  /** By themselves, not by their job: where a lease was lost, one job may be in hand twice. */
  const runs = new Set<Run>();
  /** How many runs of each claim are not finished. */
  const claims = new Map<string, number>();
  const turns = createTurns<InHand>({ clock, onTurn: startAll });
  const stops = createStops(deps);
  const called = createCalled({ ...deps, stops, start, startUnlessClosed, holdOf, isOver, drop, letGo });
  const queued = createQueued({
    ...deps,
    stops,
    runs,
    wayOf,
    isOver,
    knock,
    startUnlessClosed,
    reserve,
    leave,
    giveBack,
    finishIfDone,
  });
  let watching: Promise<void> | null = null;

  /** Takes over a claim, with the attempts that it has begun. */
  function add({ id, started }: Claim): void {
    if (started.length > 0) claims.set(id, started.length);
    const turnedAway = new Map<string, number>();
    for (const { run, begun } of started) {
      runs.add(run);
      reserve(run, begun.length);
      let isTurnedAway = begun.length > 0;
      for (const delivery of begun) isTurnedAway = knock(run, { delivery, turn: null }) === 'later' && isTurnedAway;
      if (isTurnedAway) turnedAway.set(run.job.workspace_id, (turnedAway.get(run.job.workspace_id) ?? 0) + 1);
      finishIfDone(run);
    }
    for (const [workspaceId, count] of turnedAway) {
      const claimed = started.filter(({ run }) => run.job.workspace_id === workspaceId).length;
      if (count >= claimed * 0.9) slots.rest(workspaceId, { from: clock.now(), ms: restMs });
    }
  }

  function reserve(run: Run, count: number): void {
    if (count === 0) return;
    run.inFlight += count;
    slots.take(run.job.workspace_id, count);
  }

  /** Into a place that was reserved for it, if the destination has one as well. */
  function knock(run: Run, { delivery, turn }: Chosen, begin: (one: InHand) => void = start): Admission['kind'] {
    const way = turn?.way ?? wayOf(run, delivery);
    return enter({ run, delivery, way, startAtMs: turn?.startAtMs ?? null, isSuppressed: false }, begin);
  }

  function enter(one: InHand, begin: (one: InHand) => void): Admission['kind'] {
    const pace = one.way?.route.pace ?? null;
    // It has come to a limited channel on the way: its turn is taken by the next claim, which is at once.
    const isTurnless = pace !== null && one.startAtMs === null;
    const admission = isTurnless
      ? { kind: 'later' as const, at: clock.now(), reason: turnText(pace) }
      : one.way === null
        ? openDoor
        : gates.admit(one.way.destination, one);
    if (admission.kind === 'enter') begin(one);
    else if (admission.kind === 'later') putOff(one, admission);
    else
      watching ??= watchLines().finally(() => {
        watching = null;
      });
    return admission.kind;
  }

  function wayOf(run: Run, delivery: LiveDelivery): Way | null {
    return wayTo(run, delivery, gates.restsUntil);
  }

  /** As long as somebody stands in line. */
  async function watchLines(): Promise<void> {
    while (gates.hasLine()) {
      await clock.sleepUntil(clock.now().add({ milliseconds: stalledMs }), never);
      for (const { waiting, at, reason } of gates.dismissStalled()) putOff(waiting, { at, reason });
    }
  }

  function start(one: InHand): void {
    if (one.startAtMs === null || !turns.hasToWait(one)) sendNow(one);
  }

  function startUnlessClosed(one: InHand): void {
    const hold = holdOf(one);
    if (hold === null) return start(one);
    leaveGate(one.way, null);
    putOff(one, hold);
  }

  /** Those whose turn has come. */
  function startAll(ones: readonly InHand[]): void {
    for (const one of ones) called.add(one);
    called.ask();
  }

  function sendNow({ run, delivery, way }: InHand): void {
    void send(run, { delivery, route: currentRoute(run, { channel: delivery.channel, way }) }).then((sent) => {
      recorder.record(run, delivery, sent);
      holdIfAsked(way, sent);
      // What was refused on this side says nothing about the other.
      leaveGate(way, sent.provider === null ? null : sent);
      leave(run);
    });
  }

  /** A webhook's channel leads to many who answer for themselves alone. */
  function holdIfAsked(way: Way | null, { outcome }: Sent): void {
    const pace = way?.route.pace ?? null;
    if (pace === null || outcome.outcome !== 'failed' || outcome.permanent) return;
    if (outcome.retryAfterMs !== undefined && way?.route.adapter.type !== 'webhook')
      paces.hold(pace, outcome.retryAfterMs);
  }

  function leaveGate(way: Way | null, sent: Sent | null): void {
    if (way === null) return;
    const { entered, sentAway } = gates.leave(way.destination, sent?.outcome ?? null);
    for (const { waiting, at, reason } of sentAway) sendElsewhere(waiting, { at, reason });
    startAll(entered);
  }

  /** Where it stood nobody is let in any more: over another channel of the type, or later. */
  function sendElsewhere(one: InHand, later: { at: Temporal.Instant; reason: string }): void {
    const way = wayOf(one.run, one.delivery);
    if (way === null || gates.restsUntil(way.destination) > 0) return putOff(one, later);
    enter({ ...one, way, startAtMs: null }, called.add);
  }

  /** Its hours have closed while it stood in line. */
  function holdOf({ run, delivery }: InHand) {
    return run.hours?.holdOf(delivery, clock.now()) ?? null;
  }

  /** No attempt starts any more. */
  function isOver(run: Run): boolean {
    return run.expiresAt.epochMilliseconds <= clock.epochMs();
  }

  function putOff({ run, delivery }: InHand, later: { at: Temporal.Instant; reason: string }): void {
    recorder.putOff(run, delivery, later);
    leave(run);
  }

  function drop(one: InHand, reason: string): void {
    recorder.record(one.run, one.delivery, unsent(reason));
    letGo(one);
  }

  function letGo({ run, way }: InHand): void {
    leaveGate(way, null);
    leave(run);
  }

  function leave(run: Run): void {
    run.inFlight -= 1;
    const madeRoom = slots.leave(run.job.workspace_id);
    finishIfDone(run);
    if (madeRoom || run.queued.length > 0) onRoom();
  }

  function finishIfDone(run: Run): void {
    if (run.inFlight > 0 || run.queued.length > 0 || !runs.delete(run)) return;
    const left = (claims.get(run.claimId) ?? 1) - 1;
    if (left === 0) claims.delete(run.claimId);
    else claims.set(run.claimId, left);
    recorder.finish(run, { endsClaim: left === 0 });
  }

  /** Where a claim is gone, its lease ran out: its jobs are in other hands. */
  async function extendLeases(until: Temporal.Instant): Promise<void> {
    const ids = [...claims.keys()];
    if (ids.length === 0) return;
    const kept = await store.extendLeases(ids, until);
    const lost = new Set(ids.filter((id) => !kept.has(id)));
    for (const run of lost.size === 0 ? [] : runs) {
      if (!lost.has(run.claimId)) continue;
      run.isLost = true;
      run.queued = [];
      finishIfDone(run);
    }
  }

  /** What has not begun stays open in the ledger, for the next claim to take up at once. */
  function giveBackQueued(): void {
    for (const one of turns.dismissAll()) {
      leaveGate(one.way, null);
      putOff(one, { at: clock.now(), reason: stopping });
    }
    for (const inHand of gates.dismissAll()) putOff(inHand, { at: clock.now(), reason: stopping });
    for (const run of runs) if (run.queued.length > 0) giveBack(run, stopping);
  }

  function giveBack(run: Run, reason: string): void {
    if (run.unheard.size > 0) leaveToLease(run);
    run.queued = [];
    run.nextAttemptAt = clock.now();
    run.lastFailure ??= reason;
    finishIfDone(run);
  }

  return { add, startQueued: queued.start, extendLeases, giveBackQueued, isEmpty: () => runs.size === 0 };
}

const stopping = 'The server was stopped';
const never = new AbortController().signal;
