import type { ClaimDecision } from '#engine/run/claim-decision.ts';
import type { EngineStore } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { nilUuid } from '#platform/uuid-bounds.ts';

type Deps = {
  store: EngineStore;
  clock: Clock;
  log: Log;
  /** How many workspaces are asked at a time. */
  workspaces: number;
  maxSleepMs: number;
  mayClaim(): Promise<boolean>;
  /** Workspaces that have used their share of the slots. */
  saturated(): readonly string[];
  /** Claims jobs of this workspace that wait for their audience. */
  claim(workspaceId: string): Promise<ClaimDecision | null>;
};

/** How long a workspace whose jobs another worker has locked is not asked for again, unless more of them wait meanwhile. */
const lockedMs = 200;

/**
 * Claims the jobs with an audience that the other claims have left: a few workspaces at a time, round robin and each in one claim only. Who belongs to an
 * audience may take seconds to find, and neither other jobs nor other workspaces' audiences wait for it.
 */
export function startAudienceClaims(deps: Deps) {
  const { store, clock, log } = deps;
  const stopped = new AbortController();
  const sleepers = new Set<AbortController>();
  const busy = new Set<string>();
  let last = nilUuid;
  /** Whether jobs may wait that are not claimed for want of slots, or during a pause. */
  let isDelayed = false;
  const later = (ms: number) => clock.now().add({ milliseconds: ms });
  const done = Promise.all(Array.from({ length: deps.workspaces }, loop));

  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) {
      // Created before the query, so that a wake during the query is not lost.
      const sleeper = new AbortController();
      sleepers.add(sleeper);
      try {
        const mayClaim = await deps.mayClaim();
        if (!mayClaim) isDelayed = true;
        const workspaceId = mayClaim ? await nextWorkspace() : null;
        if (workspaceId === null) await clock.sleepUntil(later(deps.maxSleepMs), sleeper.signal);
        else await claimOf(workspaceId, sleeper.signal);
      } catch (error) {
        log.error({ error: String(error) }, 'claiming jobs with an audience failed; trying again');
        await clock.sleepUntil(later(500), stopped.signal);
      }
      sleepers.delete(sleeper);
    }
  }

  async function nextWorkspace(): Promise<string | null> {
    const saturated = deps.saturated();
    for (;;) {
      const found = await firstBut([...busy, ...saturated]);
      if (found === null) isDelayed = saturated.length > 0 && (await firstBut([...busy])) !== null;
      // While this was asked, another loop may have taken the same one.
      if (found === null || !busy.has(found)) return found;
    }
  }

  const firstBut = (except: readonly string[]) => store.awaitingAudience({ now: clock.now(), except, after: last });

  async function claimOf(workspaceId: string, woken: AbortSignal): Promise<void> {
    busy.add(workspaceId);
    last = workspaceId;
    try {
      if ((await deps.claim(workspaceId)) === null) await clock.sleepUntil(later(lockedMs), woken);
    } finally {
      busy.delete(workspaceId);
    }
  }

  function wake(): void {
    for (const sleeper of sleepers) if (!sleeper.signal.aborted) sleeper.abort();
  }

  return {
    /** Called when jobs wait for their audience. */
    wake,
    /** Called when slots are free or a pause may have ended: after each delivery of a long list. */
    wakeIfDelayed(): void {
      if (isDelayed) wake();
    },
    async stop(): Promise<void> {
      stopped.abort();
      wake();
      await done;
    },
  };
}
