import type { Pool } from 'pg';
import { type UnknownPath, unknownPathLimits as limits } from '#contract/unknown-paths.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { addPaths, forgetPaths, listPaths } from '#features/unknown-paths/unknown-paths.db.ts';

type Deps = { pool: Pool; clock: Clock; log: Log };

export type UnknownPaths = {
  /** A browser asked for this path, where there is no page. */
  note(path: string): void;
  stop(): Promise<void>;
};

const writeEveryMs = 2_000;
/** Between two writes; further paths are forgotten, so that a scan costs no more than this. */
const mostAtOnce = 50;

/** Records the paths that people ask for in vain: one write in two seconds, however many there are. */
export function recordUnknownPaths({ pool, clock, log }: Deps): UnknownPaths {
  const stopped = new AbortController();
  let seen = new Map<string, number>();
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    await clock.sleepUntil(clock.now().add({ milliseconds: writeEveryMs }), stopped.signal);
    const paths = [...seen].map(([path, count]) => ({ path, count }));
    seen = new Map();
    writing = null;
    const now = clock.now();
    try {
      await addPaths(pool, { seen: paths, now });
      await forgetPaths(pool, { before: oldest(now), most: limits.paths });
    } catch (error) {
      log.warn({ error: String(error) }, 'paths without a page were not recorded');
    }
  }

  return {
    note(path) {
      const shown = path.slice(0, limits.characters).toWellFormed();
      const count = seen.get(shown);
      if (count === undefined && seen.size >= mostAtOnce) return;
      seen.set(shown, (count ?? 0) + 1);
      writing ??= write();
    },
    async stop() {
      stopped.abort();
      await writing;
    },
  };
}

export const listUnknownPaths = (pool: Pool, now: Temporal.Instant): Promise<UnknownPath[]> =>
  listPaths(pool, { since: oldest(now), most: limits.paths });

const oldest = (now: Temporal.Instant) => now.subtract({ hours: 24 * limits.days });
