import { recipientKey } from '#domain/recipients.ts';
import type { Claim } from '#engine/claim.ts';
import type { Admission, Gates } from '#engine/gates.ts';
import { comeBackAt, countEnded, expired, onSuppressionList, waitUntil } from '#engine/ledger.ts';
import { type Paces, turnText } from '#engine/pace.ts';
import type { Recorder } from '#engine/recorder.ts';
import { type FindRoute, waysOf } from '#engine/routes.ts';
import type { LiveDelivery, Route, Run } from '#engine/run.ts';
import { type Sent, unsent } from '#engine/send.ts';
import type { Slots } from '#engine/slots.ts';
import { type EndedRow, type EngineStore, suppressionKey } from '#engine/store.ts';
import { type Chosen, createTurns, takeTurns } from '#engine/turns.ts';
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

/** One delivery of a run, and the channel and gate that it has to pass: null where there is nobody to be reached. */
export type InHand = {
  run: Run;
  delivery: LiveDelivery;
  way: Way | null;
  /** Its turn on a limited channel, in milliseconds since 1970; null where it has none. */
  startAtMs: number | null;
  isSuppressed: boolean;
};

/** More than this many recipients of one job begin in several steps, so that a pause is noticed between them. */
const stepSize = 256;

/** What has waited longer for its destination is asked for again before it begins, so many at a time. */
const freshMs = 100;
const askAtOnce = 256;

/** A workspace of whose claimed jobs hardly one could begin is left alone for this long. */
const restMs = 1_000;

const openDoor: Admission = { kind: 'enter' };

const keyOf = (row: { channel: string; recipient: string }) => `${row.channel} ${row.recipient}`;

/** The jobs that this worker has claimed, from their first attempt to their result. */
export function createRunsInHand({
  store,
  clock,
  log,
  recorder,
  slots,
  gates,
  paces,
  stalledMs,
  findRoute,
  send,
  onRoom,
}: Deps) {
  /** By themselves, not by their job: where a lease was lost, one job may be in hand twice. */
  const runs = new Set<Run>();
  /** How many runs of each claim are not finished. */
  const claims = new Map<string, number>();
  /** Recipients of which the ledger has told that they ended by another's hand. */
  const counted = new WeakMap<Run, Set<string>>();
  /** Those whose turn has come at a full destination. */
  const called: InHand[] = [];
  const turns = createTurns<InHand>({ clock, onTurn: startAll });
  let asking: Promise<void> | null = null;
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
  const knock = (run: Run, { delivery, turn }: Chosen, begin: (one: InHand) => void = start): Admission['kind'] =>
    enter(
      {
        run,
        delivery,
        way: turn?.way ?? wayOf(run, delivery),
        startAtMs: turn?.startAtMs ?? null,
        isSuppressed: false,
      },
      begin,
    );

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

  const wayOf = (run: Run, delivery: LiveDelivery) => wayTo(run, delivery, gates.restsUntil);

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

  function startAll(ones: readonly InHand[]): void {
    for (const one of ones) if (!startIfAsked(one)) called.push(one);
    askAboutCalled();
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

  function askAboutCalled(): void {
    if (called.length === 0) return;
    asking ??= askForCalled().finally(() => {
      asking = null;
    });
  }

  /** Where it stood nobody is let in any more: over another channel of the type, or later. */
  function sendElsewhere(one: InHand, later: { at: Temporal.Instant; reason: string }): void {
    const way = wayOf(one.run, one.delivery);
    if (way === null || gates.restsUntil(way.destination) > 0) return putOff(one, later);
    enter({ ...one, way, startAtMs: null }, (moved) => {
      if (!startIfAsked(moved)) called.push(moved);
    });
  }

  /** Asked for with those before it, a moment ago. */
  function startIfAsked(one: InHand): boolean {
    const mayStart = isFresh(one.run) && !one.isSuppressed && !isOver(one.run) && holdOf(one) === null;
    if (mayStart) start(one);
    return mayStart;
  }

  /** Its hours have closed while it stood in line. */
  const holdOf = ({ run, delivery }: InHand) => run.hours?.holdOf(delivery, clock.now()) ?? null;

  /** A clock that was set back makes nothing fresh. */
  function isFresh(run: Run): boolean {
    const ageMs = clock.epochMs() - run.askedAtMs;
    return ageMs >= 0 && ageMs <= freshMs;
  }

  /** No attempt starts any more. */
  const isOver = (run: Run) => run.expiresAt.epochMilliseconds <= clock.epochMs();

  function putOff({ run, delivery }: InHand, later: { at: Temporal.Instant; reason: string }): void {
    recorder.putOff(run, delivery, later);
    leave(run);
  }

  /** Time has passed since the claim: only what is still to be sent begins. Who comes next is asked for with them. */
  async function askForCalled(): Promise<void> {
    while (called.length > 0) {
      const batch = called.splice(0).filter((one) => !startIfAsked(one));
      if (batch.length === 0) return;
      const way = batch[0]?.way ?? null;
      const next = way === null ? [] : gates.nextInLine(way.destination, askAtOnce);
      const isCalled = new Set(batch);
      for (const [claimId, members] of Map.groupBy([...batch, ...next], ({ run }) => run.claimId)) {
        const { held, suppressed, channels, askedAtMs } = await stillHeld(claimId, members.map(asWaiting));
        const find = findRoute(channels);
        for (const one of members) {
          if (!held.has(one.run.job.id)) continue;
          const { workspace_id: workspaceId } = one.run.job;
          one.run.askedAtMs = askedAtMs;
          one.run.ways = waysOf(find, one.run);
          const key = recipientKey(one.delivery.recipient);
          one.isSuppressed =
            suppressed.size > 0 && suppressed.has(suppressionKey({ ...one.delivery, workspaceId, key }));
        }
        const turns = Map.groupBy(
          members.filter((one) => isCalled.has(one)),
          ({ run }) => held.has(run.job.id),
        );
        // At once: what was said of these grows old while we ask about others.
        for (const one of turns.get(true) ?? []) goOn(one);
        for (const one of turns.get(false) ?? []) await dropCalled(one);
      }
    }
  }

  function goOn(one: InHand): void {
    if (one.isSuppressed) return drop(one, onSuppressionList);
    if (isOver(one.run)) return drop(one, expired);
    startUnlessClosed(one);
  }

  function startUnlessClosed(one: InHand): void {
    const hold = holdOf(one);
    if (hold === null) return start(one);
    leaveGate(one.way, null);
    putOff(one, hold);
  }

  async function stillHeld(...asked: Parameters<EngineStore['stillHeld']>) {
    for (;;) {
      try {
        const askedAtMs = clock.epochMs();
        return { ...(await store.stillHeld(...asked)), askedAtMs };
      } catch (error) {
        log.error({ error: String(error) }, 'asking for claimed jobs failed; trying again');
        await clock.sleepUntil(clock.now().add({ milliseconds: 500 }), never);
      }
    }
  }

  async function dropCalled(one: InHand): Promise<void> {
    const { run, way } = one;
    try {
      await stopIfTold(run);
    } catch (error) {
      log.error({ error: String(error) }, 'a stopped job is left to its lease');
      leaveToLease(run);
    }
    if (!run.isLost) return drop(one, run.lastSkip ?? 'The job was cancelled');
    // Whoever took the job over settles what this run leaves open.
    leaveGate(way, null);
    leave(run);
  }

  function drop({ run, delivery, way }: InHand, reason: string): void {
    recorder.record(run, delivery, unsent(reason));
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

  /** Begins recipients that did not fit into their claim. True where more of them could begin at once. */
  async function startQueued(): Promise<boolean> {
    for (const run of runs) {
      const room = Math.min(slots.roomOf(run.job.workspace_id), stepSize);
      if (run.queued.length === 0 || room <= 0) continue;
      if (isOver(run)) {
        giveBack(run, expired);
        continue;
      }
      const taken = withoutHeld(run, run.queued.splice(0, room));
      // Their places are theirs from here on: a run with nothing in flight would be taken for done while we ask.
      reserve(run, taken.length);
      const chosen = await withTurns(run, taken);
      if (chosen.length > 0) await begin(run, chosen);
      else finishIfDone(run);
    }
    return [...runs].some((run) => run.queued.length > 0 && slots.roomOf(run.job.workspace_id) > 0);
  }

  /** Whose hours have closed since the claim stays in the ledger as it is: the next claim, at once, makes it wait. */
  function withoutHeld(run: Run, chosen: LiveDelivery[]): LiveDelivery[] {
    if (run.hours === null) return chosen;
    const { hours } = run;
    const now = clock.now();
    const open = chosen.filter((delivery) => isUnheard(run, delivery) || hours.holdOf(delivery, now) === null);
    if (open.length < chosen.length) comeBackAt(run, now);
    return open;
  }

  /** It may be on record as under way: it must be asked for, and is put off then. */
  const isUnheard = (run: Run, delivery: LiveDelivery) => run.unheard.size > 0 && run.unheard.has(keyOf(delivery));

  /** Who goes over a limited channel and has no turn yet stays in the ledger as it is, for a later claim. */
  async function withTurns(run: Run, taken: readonly LiveDelivery[]): Promise<Chosen[]> {
    try {
      const { chosen, rest } = await takeTurns(run, taken, { paces, wayOf, isUnheard });
      if (rest !== null) waitUntil(run, rest);
      giveUpPlaces(run, taken.length - chosen.length);
      return chosen;
    } catch (error) {
      run.queued.unshift(...taken);
      giveUpPlaces(run, taken.length);
      throw error;
    }
  }

  function giveUpPlaces(run: Run, count: number): void {
    run.inFlight -= count;
    for (let n = 0; n < count; n += 1) slots.leave(run.job.workspace_id);
  }

  async function begin(run: Run, chosen: readonly Chosen[]): Promise<void> {
    const deliveries = chosen.map(({ delivery }) => delivery);
    const { begun, ended } = await askToBegin(run, deliveries);
    for (const { delivery, turn } of chosen) {
      const attempts = begun.get(keyOf(delivery));
      if (attempts !== undefined) knock(run, { delivery: { ...delivery, attempts }, turn }, startUnlessClosed);
    }
    const refused = deliveries.filter((delivery) => !begun.has(keyOf(delivery)));
    if (refused.length === 0) return;
    try {
      const isTold = await stopIfTold(run);
      // Neither ended nor called off: an attempt is on record of which nobody here knows.
      if (!isTold && ended < refused.length) leaveToLease(run);
    } catch (error) {
      log.error({ error: String(error) }, 'a stopped job is left to its lease');
      leaveToLease(run);
    }
    for (const _ of refused) leave(run);
  }

  /** The attempts that may begin; on a failure of the database everything waits in the queue as before. */
  async function askToBegin(
    run: Run,
    chosen: readonly LiveDelivery[],
  ): Promise<{ begun: Map<string, number>; ended: number }> {
    try {
      const { begun, ended: over, channels } = await store.beginAttempts(heldJob(run), { chosen, now: clock.now() });
      for (const row of over) countOnce(run, row);
      for (const row of begun) run.unheard.delete(keyOf(row));
      run.ways = waysOf(findRoute(channels), run);
      return { begun: new Map(begun.map((row) => [keyOf(row), row.attempts])), ended: over.length };
    } catch (error) {
      for (const delivery of chosen) run.unheard.add(keyOf(delivery));
      run.queued.unshift(...chosen);
      giveUpPlaces(run, chosen.length);
      throw error;
    }
  }

  /** Whoever ends what is open, and whoever asks to begin it meanwhile, are both told. */
  function countOnce(run: Run, row: EndedRow): void {
    const known = counted.get(run) ?? new Set();
    if (known.has(keyOf(row))) return;
    counted.set(run, known.add(keyOf(row)));
    countEnded(run, row);
  }

  /** Its claim runs out, and the rescuer settles what the ledger has as under way. */
  function leaveToLease(run: Run): void {
    run.queued = [];
    run.isLost = true;
  }

  /** The job was paused, edited, cancelled or taken over: what was not begun is not sent, and says why. */
  async function stopIfTold(run: Run): Promise<boolean> {
    const stand = await store.standOf(run.job.id);
    const isHeld = stand?.claim_id === run.claimId;
    if (isHeld && stand.stop_reason === null) return false;
    run.queued = [];
    // A cancelled job still passes the recorder, which closes what waits; one that another worker holds does not.
    if (run.unheard.size > 0 || (!isHeld && stand?.status !== 'cancelled')) leaveToLease(run);
    if (!isHeld && !run.isLost) run.lastSkip = stand?.error_message ?? null;
    if (!isHeld || run.isLost) return true;
    const reason = stand.stop_reason ?? '';
    const skipped = await store.skipOpen(heldJob(run), { reason, now: clock.now() });
    for (const row of skipped) countOnce(run, row);
    // What waits after an attempt of this run ends with the job: it may not be in the ledger yet.
    run.lastSkip = reason;
    return true;
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

  return { add, startQueued, extendLeases, giveBackQueued, isEmpty: () => runs.size === 0 };
}

const stopping = 'The server was stopped';
const never = new AbortController().signal;

const asWaiting = ({ run, delivery }: InHand) => ({
  jobId: run.job.id,
  workspaceId: run.job.workspace_id,
  channel: delivery.channel,
  recipient: delivery.recipient,
});

const heldJob = ({ job, claimId }: Run) => ({
  id: job.id,
  workspaceId: job.workspace_id,
  scheduledFor: job.scheduled_for,
  claimId,
});
