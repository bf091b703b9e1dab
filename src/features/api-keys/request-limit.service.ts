import type { RequestUse } from '#contract/api-keys.ts';
import type { InstallationSettings } from '#contract/admin-settings.ts';
import type { Billing } from '#contract/plans.ts';
import { apiRequestsPerHour, type WorkspacePlan } from '#domain/allowance.ts';
import type { TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import { RateLimited } from '#platform/errors.ts';
import { findCount, spend } from '#platform/rate-limit.ts';

/**
 * The settings that decide the hourly limit: with `apiRateLimit` off there is none; `apiRequestsPerHour` replaces that of the plan, which is none
 * without billing.
 */
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
  const most = limitOf(plan, { settings, now });
  if (most === null) return null;
  const limit = { bucket, most, seconds: 3_600 };
  const { isRefused, remaining, retryAfterSeconds } = await spend(db, { counted: { workspaceId }, limit, now });
  return { limit: most, remaining, resetSeconds: retryAfterSeconds, isSpent: isRefused };
}

/** How many requests the workspace's API keys have sent in the current hour, and of how many. Counts none itself. */
export async function requestUse(
  { db, workspaceId, now }: Pick<TenantContext, 'db' | 'workspaceId' | 'now'>,
  settings: LimitSettings,
): Promise<RequestUse> {
  const plan = await db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(['subscription_tier as tier', 'trial_ends_at'])
    .executeTakeFirstOrThrow();
  const count = await findCount(db, { counted: { workspaceId }, bucket: 'api', now });
  return {
    used: count?.used ?? 0,
    limit: limitOf(plan, { settings, now }),
    resets_at: count?.expiresAt.toString({ fractionalSecondDigits: 3 }) ?? null,
  };
}

/** The limit in requests per hour; null where there is none. */
const limitOf = (
  plan: Pick<WorkspacePlan, 'tier' | 'trial_ends_at'>,
  { settings, now }: { settings: LimitSettings; now: Temporal.Instant },
): number | null =>
  settings.apiRateLimit
    ? (settings.apiRequestsPerHour ?? apiRequestsPerHour(plan, { billing: settings.billing, now }))
    : null;

export const refusalOf = ({ limit, resetSeconds }: Quota) =>
  new RateLimited(`More than ${limit} requests in an hour.`, { retryAfterSeconds: resetSeconds });
