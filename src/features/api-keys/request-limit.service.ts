import type { InstallationSettings } from '#contract/admin-settings.ts';
import type { Billing } from '#contract/plans.ts';
import { apiRequestsPerHour, type WorkspacePlan } from '#domain/allowance.ts';
import type { Db } from '#platform/database.ts';
import { RateLimited } from '#platform/errors.ts';
import { spend } from '#platform/rate-limit.ts';

/** Decides the limit of an hour: `apiRateLimit` off is none, `apiRequestsPerHour` replaces that of the plan, which is none without billing. */
export type LimitSettings = Pick<InstallationSettings, 'apiRateLimit' | 'apiRequestsPerHour'> & { billing: Billing };

/** The requests that a workspace has left in its hour. */
export type Quota = { limit: number; remaining: number; resetSeconds: number; isSpent: boolean };

/**
 * Counts one request against the workspace's hourly limit, which its plan sets, or the installation. Commit it even if the request fails. The window
 * is fixed and starts with its first request: one row, and an exact time for `Retry-After`. The price: two adjacent windows
 * can admit twice the limit within sixty minutes. Memory instead of a row would be wrong with two processes.
 * @returns null where the installation has no limit
 */
export async function countRequest(
  db: Db,
  {
    workspaceId,
    bucket,
    plan,
    settings,
    now,
  }: {
    workspaceId: string;
    bucket: 'api' | 'hooks';
    plan: Pick<WorkspacePlan, 'tier' | 'trial_ends_at'>;
    settings: LimitSettings;
    now: Temporal.Instant;
  },
): Promise<Quota | null> {
  if (!settings.apiRateLimit) return null;
  const most = settings.apiRequestsPerHour ?? apiRequestsPerHour(plan, { billing: settings.billing, now });
  if (most === null) return null;
  const limit = { bucket, most, seconds: 3_600 };
  const { isRefused, remaining, retryAfterSeconds } = await spend(db, { counted: { workspaceId }, limit, now });
  return { limit: most, remaining, resetSeconds: retryAfterSeconds, isSpent: isRefused };
}

export const refusalOf = ({ limit, resetSeconds }: Quota) =>
  new RateLimited(`More than ${limit} requests in an hour.`, { retryAfterSeconds: resetSeconds });
