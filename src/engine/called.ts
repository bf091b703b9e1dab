import { recipientKey } from '#domain/recipients.ts';
import type { Gates } from '#engine/gates.ts';
import type { InHand } from '#engine/in-hand.ts';
import { expired, onSuppressionList } from '#engine/ledger.ts';
import { type FindRoute, waysOf } from '#engine/routes.ts';
import type { Run } from '#engine/run.ts';
import type { Stops } from '#engine/stops.ts';
import { type EngineStore, suppressionKey } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

type Deps = {
  store: EngineStore;
  clock: Clock;
  log: Log;
  gates: Gates<InHand>;
  findRoute: FindRoute;
  stops: Stops;
  start(one: InHand): void;
  startUnlessClosed(one: InHand): void;
  /** Not null where it may not begin at this hour. */
  holdOf(one: InHand): unknown;
  isOver(run: Run): boolean;
  drop(one: InHand, reason: string): void;
  /** Whoever took the job over settles what this run leaves open. */
  letGo(one: InHand): void;
};

/** What has waited longer for its destination is asked for again before it begins, so many at a time. */
const freshMs = 100;
const askAtOnce = 256;

/** Those whose turn has come at a full destination. */
export function createCalled({
  store,
  clock,
  log,
  gates,
  findRoute,
  stops,
  start,
  startUnlessClosed,
  holdOf,
  isOver,
  drop,
  letGo,
}: Deps) {
  const called: InHand[] = [];
  let asking: Promise<void> | null = null;

  function add(one: InHand): void {
    if (!startIfAsked(one)) called.push(one);
  }

  function ask(): void {
    if (called.length === 0) return;
    asking ??= askForCalled().finally(() => {
      asking = null;
    });
  }

  /** Asked for with those before it, a moment ago. */
  function startIfAsked(one: InHand): boolean {
    const mayStart = isFresh(one.run) && !one.isSuppressed && !isOver(one.run) && holdOf(one) === null;
    if (mayStart) start(one);
    return mayStart;
  }

  /** A clock that was set back makes nothing fresh. */
  function isFresh(run: Run): boolean {
    const ageMs = clock.epochMs() - run.askedAtMs;
    return ageMs >= 0 && ageMs <= freshMs;
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
    await stops.isStopped(one.run);
    if (one.run.isLost) letGo(one);
    else drop(one, one.run.lastSkip ?? 'The job was cancelled');
  }

  return { add, ask };
}

const never = new AbortController().signal;

const asWaiting = ({ run, delivery }: InHand) => ({
  jobId: run.job.id,
  workspaceId: run.job.workspace_id,
  channel: delivery.channel,
  recipient: delivery.recipient,
});
