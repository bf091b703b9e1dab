import { sql } from 'kysely';
import { apiRequestsPerHour, type Tier } from '#domain/allowance.ts';
import type { Db } from '#platform/database.ts';
import { RateLimited } from '#platform/errors.ts';

/** What a workspace has left of its hour. */
export type Quota = { limit: number; remaining: number; resetSeconds: number; isSpent: boolean };

const hourMs = 3_600_000;

/**
 * Counts one request against the hour of the workspace. The hour begins with the first request after the last one ended;
 * one row in the database counts for all processes, and needs no sweeping. Has to be committed whatever becomes of the
 * request.
 */
export async function countRequest(
  db: Db,
  {
    workspaceId,
    bucket,
    tier,
    now,
  }: { workspaceId: string; bucket: 'api' | 'hooks'; tier: Tier; now: Temporal.Instant },
): Promise<Quota> {
  const limit = apiRequestsPerHour(tier);
  const at = now.toString();
  const { rows } = await sql<{ used: number; window_start: string }>`
    insert into request_counts as c (workspace_id, bucket, window_start, used)
    values (${workspaceId}, ${bucket}, ${at}, 1)
    on conflict (workspace_id, bucket) do update
       set window_start = case when c.window_start <= ${at}::timestamptz - interval '1 hour' then excluded.window_start else c.window_start end,
           used = case when c.window_start <= ${at}::timestamptz - interval '1 hour' then 1 else least(c.used, ${limit}) + 1 end
    returning used, window_start`.execute(db);
  const [count] = rows;
  if (count === undefined) throw new Error('a request was not counted');
  const leftMs = Date.parse(count.window_start) + hourMs - now.epochMilliseconds;
  return {
    limit,
    remaining: Math.max(0, limit - count.used),
    // Clocks of several machines differ by a little.
    resetSeconds: Math.min(3600, Math.max(1, Math.ceil(leftMs / 1000))),
    isSpent: count.used > limit,
  };
}

export const refusalOf = ({ limit, resetSeconds }: Quota) =>
  new RateLimited(`More than ${limit} requests in an hour; try again in ${resetSeconds} seconds`, {
    retryAfterSeconds: resetSeconds,
  });
