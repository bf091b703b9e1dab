import type { Pool } from 'pg';
import type { UnknownPath } from '#contract/unknown-paths.ts';

type Seen = { path: string; count: number };

/** Adds to what is known of each path. */
export async function addPaths(
  pool: Pool,
  { seen, now }: { seen: readonly Seen[]; now: Temporal.Instant },
): Promise<void> {
  await pool.query(
    `insert into unknown_paths as known (path, count, first_at, last_at)
     select path, count, $3::timestamptz, $3 from unnest($1::text[], $2::bigint[]) as given (path, count) order by path
     on conflict (path) do update set count = known.count + excluded.count, last_at = excluded.last_at`,
    [seen.map(({ path }) => path), seen.map(({ count }) => count), now.toString()],
  );
}

/** Forgets what is older, and all but the latest `most`. */
export const forgetPaths = (pool: Pool, { before, most }: { before: Temporal.Instant; most: number }) =>
  pool.query(
    `delete from unknown_paths
      where last_at < $1 or path in (select path from unknown_paths order by last_at desc, path offset $2)`,
    [before.toString(), most],
  );

export async function listPaths(
  pool: Pool,
  { since, most }: { since: Temporal.Instant; most: number },
): Promise<UnknownPath[]> {
  const { rows } = await pool.query<Omit<UnknownPath, 'count'> & { count: string }>(
    'select path, count, first_at, last_at from unknown_paths where last_at >= $1 order by last_at desc, path limit $2',
    [since.toString(), most],
  );
  return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
}
