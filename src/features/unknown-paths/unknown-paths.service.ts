import type { Pool } from 'pg';
import { type UnknownPath, unknownPathLimits as limits } from '#contract/unknown-paths.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

type Deps = { pool: Pool; clock: Clock; log: Log };

export type UnknownPaths = {
  /** Takes a path without a page that a browser asked for. */
  note(path: string): void;
  stop(): Promise<void>;
};

const writeEveryMs = 2_000;
/** The most paths between two writes; further ones are dropped, so that a scan costs no more than this. */
const mostAtOnce = 50;

/** Records the paths without a page that browsers ask for, with at most one write in two seconds. */
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

type Seen = { path: string; count: number };

/** Adds to the stored counts of each path. */
async function addPaths(pool: Pool, { seen, now }: { seen: readonly Seen[]; now: Temporal.Instant }): Promise<void> {
  await pool.query(
    `insert into unknown_paths as known (path, count, first_at, last_at)
     select path, count, $3::timestamptz, $3 from unnest($1::text[], $2::bigint[]) as given (path, count) order by path
     on conflict (path) do update set count = known.count + excluded.count, last_at = excluded.last_at`,
    [seen.map(({ path }) => path), seen.map(({ count }) => count), now.toString()],
  );
}

/** Deletes paths that were last asked for before this, and all but the latest `most`. */
const forgetPaths = (pool: Pool, { before, most }: { before: Temporal.Instant; most: number }) =>
  pool.query(
    `delete from unknown_paths
      where last_at < $1 or path in (select path from unknown_paths order by last_at desc, path offset $2)`,
    [before.toString(), most],
  );

async function listPaths(
  pool: Pool,
  { since, most }: { since: Temporal.Instant; most: number },
): Promise<UnknownPath[]> {
  const { rows } = await pool.query<Omit<UnknownPath, 'count'> & { count: string }>(
    'select path, count, first_at, last_at from unknown_paths where last_at >= $1 order by last_at desc, path limit $2',
    [since.toString(), most],
  );
  return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
}
