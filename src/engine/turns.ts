import type { Paces, Turns } from '#engine/pace.ts';
import { isPaced } from '#engine/routes.ts';
import type { LiveDelivery, PacedChannel, Run } from '#engine/run.ts';
import type { Way } from '#engine/ways.ts';
import type { Clock } from '#platform/clock.ts';

/** A delivery that may begin, with the turn that it has on a limited channel. */
export type Chosen = { delivery: LiveDelivery; turn: { way: Way; startAtMs: number } | null };

/** Who of these may begin; when the others come back, null where there are none. Asks only for what is limited. */
export async function takeTurns(
  run: Run,
  taken: readonly LiveDelivery[],
  {
    paces,
    wayOf,
    isUnheard,
  }: {
    paces: Paces;
    wayOf: (run: Run, delivery: LiveDelivery) => Way | null;
    /** It may have begun already, and must be asked for whether it has a turn or not. */
    isUnheard: (run: Run, delivery: LiveDelivery) => boolean;
  },
): Promise<{ chosen: Chosen[]; rest: Turns['rest'] | null }> {
  const isLimited = run.work.channels.some((channel) => run.ways(channel).some(isPaced));
  if (!isLimited) return { chosen: taken.map((delivery) => ({ delivery, turn: null })), rest: null };
  const chosen: Chosen[] = [];
  const limited = new Map<string, { pace: PacedChannel; members: { delivery: LiveDelivery; way: Way }[] }>();
  for (const delivery of taken) {
    const way = wayOf(run, delivery);
    const pace = way?.route.pace ?? null;
    if (way === null || pace === null || isUnheard(run, delivery)) chosen.push({ delivery, turn: null });
    else {
      const known = limited.get(pace.id);
      if (known === undefined) limited.set(pace.id, { pace, members: [{ delivery, way }] });
      else known.members.push({ delivery, way });
    }
  }
  let rest: Turns['rest'] | null = null;
  for (const { pace, members } of limited.values()) {
    const turns = await paces.take(pace, { count: members.length, jobId: run.job.id });
    for (const [n, startAtMs] of turns.startsAt.entries()) {
      const member = members[n];
      if (member !== undefined) chosen.push({ delivery: member.delivery, turn: { way: member.way, startAtMs } });
    }
    if (turns.startsAt.length === members.length) continue;
    if (rest === null || Temporal.Instant.compare(turns.rest.at, rest.at) < 0) rest = turns.rest;
  }
  return { chosen, rest };
}

const never = new AbortController().signal;

/** Those who have a turn on a limited channel that has not come: within a second it does. */
export function createTurns<One extends { startAtMs: number | null }>({
  clock,
  onTurn,
}: {
  clock: Clock;
  onTurn: (ones: readonly One[]) => void;
}) {
  let waiting: One[] = [];
  let watching: Promise<void> | null = null;

  async function watch(): Promise<void> {
    while (waiting.length > 0) {
      const nextMs = Math.min(...waiting.map(turnOf));
      await clock.sleepUntil(Temporal.Instant.fromEpochMilliseconds(Math.ceil(nextMs)), never);
      const nowMs = clock.epochMs();
      const { now = [], later = [] } = Object.groupBy(waiting, (one) => (hasCome(one, nowMs) ? 'now' : 'later'));
      waiting = later;
      if (now.length > 0) onTurn(now);
    }
  }

  return {
    /** True where its turn has not come: it is told of then. */
    hasToWait(one: One): boolean {
      if (hasCome(one, clock.epochMs())) return false;
      waiting.push(one);
      watching ??= watch().finally(() => {
        watching = null;
      });
      return true;
    },
    /** Whoever waits does so no more. */
    dismissAll: (): readonly One[] => waiting.splice(0),
  };
}

/** A turn that is hours away was taken before the clock was set back. */
const hasCome = (one: { startAtMs: number | null }, nowMs: number) =>
  turnOf(one) <= nowMs || turnOf(one) - nowMs > farthestMs;

/** Nobody takes a turn further ahead. */
const farthestMs = 1_000;

const turnOf = ({ startAtMs }: { startAtMs: number | null }) => startAtMs ?? 0;
