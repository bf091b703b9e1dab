import type { Clock } from '#platform/clock.ts';

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
      const { now = [], later = [] } = Object.groupBy(waiting, (one) => (turnOf(one) <= nowMs ? 'now' : 'later'));
      waiting = later;
      if (now.length > 0) onTurn(now);
    }
  }

  return {
    /** True where its turn has not come: it is told of then. */
    hasToWait(one: One): boolean {
      if (turnOf(one) <= clock.epochMs()) return false;
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

const turnOf = ({ startAtMs }: { startAtMs: number | null }) => startAtMs ?? 0;
