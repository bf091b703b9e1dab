import { apiRequestsPerHour, type Tier } from '#domain/allowance.ts';
import type { Db } from '#platform/database.ts';
import { RateLimited } from '#platform/errors.ts';
import { spend } from '#platform/rate-limit.ts';

/** The requests that a workspace has left in its hour. */
export type Quota = { limit: number; remaining: number; resetSeconds: number; isSpent: boolean };

/**
 * Counts one request against the workspace's hourly limit, which its plan sets. Commit it even if the request fails. The window
 * is fixed and starts with its first request: one row, and an exact time for `Retry-After`. The price: two adjacent windows
 * can admit twice the limit within sixty minutes. Memory instead of a row would be wrong with two processes.
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
  const most = apiRequestsPerHour(tier);
  const limit = { bucket, most, seconds: 3_600 };
  const { isRefused, remaining, retryAfterSeconds } = await spend(db, { counted: { workspaceId }, limit, now });
  return { limit: most, remaining, resetSeconds: retryAfterSeconds, isSpent: isRefused };
}

export const refusalOf = ({ limit, resetSeconds }: Quota) =>
  new RateLimited(`More than ${limit} requests in an hour.`, { retryAfterSeconds: resetSeconds });
