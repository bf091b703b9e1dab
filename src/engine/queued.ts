import { comeBackAt, expired, waitUntil } from '#engine/ledger.ts';
import type { InHand } from '#engine/in-hand.ts';
import type { Paces } from '#engine/pace.ts';
import { type FindRoute, waysOf } from '#engine/routes.ts';
import type { LiveDelivery, Run } from '#engine/run.ts';
import type { Slots } from '#engine/slots.ts';
import { heldJob, keyOf, leaveToLease, type Stops } from '#engine/stops.ts';
import type { EngineStore } from '#engine/store.ts';
import { type Chosen, takeTurns } from '#engine/turns.ts';
import type { Way } from '#engine/ways.ts';
import type { Clock } from '#platform/clock.ts';

type Deps = {
  store: EngineStore;
  clock: Clock;
  slots: Slots;
  paces: Paces;
  findRoute: FindRoute;
  stops: Stops;
  /** All that are in hand. */
  runs: ReadonlySet<Run>;
  wayOf(run: Run, delivery: LiveDelivery): Way | null;
  isOver(run: Run): boolean;
  reserve(run: Run, count: number): void;
  knock(run: Run, chosen: Chosen, begin: (one: InHand) => void): unknown;
  startUnlessClosed(one: InHand): void;
  leave(run: Run): void;
  giveBack(run: Run, reason: string): void;
  finishIfDone(run: Run): void;
};

/** More than this many recipients of one job begin in several steps, so that a pause is noticed between them. */
const stepSize = 256;

/** Recipients that did not fit into their claim. */
export function createQueued({
  store,
  clock,
  slots,
  paces,
  findRoute,
  stops,
  runs,
  wayOf,
  isOver,
  reserve,
  knock,
  startUnlessClosed,
  leave,
  giveBack,
  finishIfDone,
}: Deps) {
  /** Begins recipients that did not fit into their claim. True where more of them could begin at once. */
  async function start(): Promise<boolean> {
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
    // Neither ended nor called off: an attempt is on record of which nobody here knows.
    if (!(await stops.isStopped(run)) && ended < refused.length) leaveToLease(run);
    for (const _ of refused) leave(run);
  }

  /** The attempts that may begin; on a failure of the database everything waits in the queue as before. */
  async function askToBegin(
    run: Run,
    chosen: readonly LiveDelivery[],
  ): Promise<{ begun: Map<string, number>; ended: number }> {
    try {
      const { begun, ended: over, channels } = await store.beginAttempts(heldJob(run), { chosen, now: clock.now() });
      for (const row of over) stops.countOnce(run, row);
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

  return { start };
}
